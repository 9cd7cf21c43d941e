// One line of plain text: elided, never a link, never markup, whatever a name contains.
import QtQuick
import "../Style"

Text {
    property int size: Style.body
    property bool strong: false
    property bool heavy: false
    property bool soft: false

    textFormat: Text.PlainText
    elide: Text.ElideRight
    maximumLineCount: 1
    color: soft ? Style.inkSoft : Style.ink
    font.family: Style.family
    font.pixelSize: size
    font.weight: heavy ? Style.weightHeavy : strong ? Style.weightStrong : Style.weightText
    // Names in another direction of writing stand where all names stand.
    horizontalAlignment: Text.AlignLeft
    verticalAlignment: Text.AlignVCenter
}
