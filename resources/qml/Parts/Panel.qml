// A surface for other items.
import QtQuick
import "../Style"

Rectangle {
    id: panel

    property bool shadow: false

    color: Style.surface
    radius: Style.radius3
    antialiasing: true
    border.width: Style.hair
    border.color: Style.line

    Loader {
        active: panel.shadow
        anchors.fill: parent
        z: -1
        sourceComponent: SoftShadow {
            radius: panel.radius
            spread: Style.gap4
        }
    }
}
