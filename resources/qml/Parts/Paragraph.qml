// Plain text over as many lines as it needs.
import QtQuick
import "../Style"

Text {
    property int size: Style.body
    property bool strong: false
    property bool soft: false

    textFormat: Text.PlainText
    // Marks that are piled on a letter would be painted over what is above or below.
    clip: true
    wrapMode: Text.Wrap
    color: soft ? Style.inkSoft : Style.ink
    font.family: Style.family
    font.pixelSize: size
    font.weight: strong ? Style.weightStrong : Style.weightText
    lineHeight: 1.12
}
