// A line icon by its name in glyphs.js, in one colour.
import QtQuick
import QtQuick.Shapes
import "../Style"
import "../../art/glyphs.js" as Glyphs

Item {
    id: icon

    property string name
    property color color: Style.ink
    property bool filled: false
    property real weight: 2
    readonly property real side: Math.min(width, height)

    implicitWidth: Style.size(22)
    implicitHeight: Style.size(22)
    visible: name !== ""

    Drawing {
        width: parent.width
        height: parent.height
        ShapePath {
            strokeWidth: icon.weight * icon.side / 24
            strokeColor: icon.color
            fillColor: icon.filled ? icon.color : "transparent"
            capStyle: ShapePath.RoundCap
            joinStyle: ShapePath.RoundJoin
            scale: Qt.size(icon.side / 24, icon.side / 24)
            PathSvg { path: Glyphs.icons[icon.name] ?? "" }
        }
    }
}
