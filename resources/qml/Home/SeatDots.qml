// The seats of a table: a disc for every seat, filled if it is taken.
import QtQuick
import "../Style"
import "../Parts"

Row {
    id: dots

    property int seats: 4
    property int taken: 0
    property color color: Style.accent

    spacing: Style.gap1
    Accessible.ignored: true

    Repeater {
        model: dots.seats
        Rectangle {
            required property int index
            readonly property bool filled: index < dots.taken
            width: Style.size(10)
            height: width
            radius: width / 2
            antialiasing: true
            anchors.verticalCenter: parent.verticalCenter
            color: filled ? dots.color : "transparent"
            border.width: filled ? 0 : 2
            border.color: Style.edge
            Behavior on color { ColorAnimation { duration: Style.fade(180) } }
        }
    }
    Line {
        leftPadding: Style.gap1
        text: dots.taken + "/" + dots.seats
        size: Style.small
        strong: true
        soft: true
    }
}
