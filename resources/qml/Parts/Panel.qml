// A surface for other items.
import QtQuick
import "../Style"

Rectangle {
    property bool shadow: false

    color: Style.surface
    radius: Style.radius3
    antialiasing: true
    border.width: Style.hair
    border.color: Style.line

    SoftShadow {
        visible: parent.shadow
        radius: parent.radius
        spread: Style.gap4
    }
}
