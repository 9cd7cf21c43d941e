// The name of a key in a small box, beside the action of the key.
import QtQuick
import "../Style"

Item {
    id: cap

    property string text
    property color color: Style.inkSoft

    implicitWidth: Math.max(height, letters.implicitWidth + Style.gap2)
    implicitHeight: Style.size(19)
    Accessible.ignored: true

    Rectangle {
        anchors.fill: parent
        radius: Style.gap1
        color: "transparent"
        border.width: Style.hair
        border.color: cap.color
        opacity: 0.6
    }
    Text {
        id: letters
        anchors.centerIn: parent
        text: cap.text
        textFormat: Text.PlainText
        clip: true
        color: cap.color
        font.family: Style.family
        font.pixelSize: Style.tiny
        font.weight: Style.weightStrong
    }
}
