// The ring around the item with the keyboard focus. It is outside its parent and covers nothing.
import QtQuick
import "../Style"

Rectangle {
    property bool shown: false
    property real around: Style.radius2

    visible: shown
    anchors.fill: parent
    anchors.margins: -Style.focusWidth - 1
    radius: around + Style.focusWidth + 1
    color: "transparent"
    antialiasing: true
    border.width: Style.focusWidth
    border.color: Style.accentStrong
}
