// One line of plain text: elided, never a link or markup, even if a name looks like one.
import QtQuick
import "../Style"

Text {
    property int size: Style.body
    property bool strong: false
    property bool heavy: false
    property bool soft: false

    textFormat: Text.PlainText
    // Marks that are piled on a letter would be painted over what is above or below.
    clip: true
    elide: Text.ElideRight
    maximumLineCount: 1
    color: soft ? Style.inkSoft : Style.ink
    font.family: Style.family
    font.pixelSize: size
    font.weight: heavy ? Style.weightHeavy : strong ? Style.weightStrong : Style.weightText
    // Names in right-to-left scripts are aligned like all other names.
    horizontalAlignment: Text.AlignLeft
    verticalAlignment: Text.AlignVCenter
}
