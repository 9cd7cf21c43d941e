// A soft shadow without a shader, behind its parent: a few rings of one colour, each fainter.
import QtQuick
import "../Style"

Item {
    id: shadow

    property real radius: Style.radius3
    property real spread: 8
    property real strength: Style.dark ? 0.34 : 0.16
    property real drop: spread * 0.4

    anchors.fill: parent
    z: -1

    Repeater {
        model: 4
        Rectangle {
            required property int index
            readonly property real grow: shadow.spread * (index + 1) / 4
            anchors.fill: parent
            anchors.margins: -grow
            anchors.topMargin: -grow + shadow.drop
            anchors.bottomMargin: -grow - shadow.drop
            radius: shadow.radius + grow
            antialiasing: true
            color: Style.alpha(Style.shade, shadow.strength / 4 * (1 - index * 0.18))
        }
    }
}
