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
    /// Set by `OutOfSight`.
    property bool outOfSight: false
    /// The painted area: most drawings are smaller than their item.
    readonly property rect drawn: shape.boundingRect
    readonly property real side: Math.min(width, height)

    implicitWidth: Style.size(22)
    implicitHeight: Style.size(22)
    visible: name !== ""

    Shape {
        id: shape
        visible: !icon.outOfSight
        width: parent.width
        height: parent.height
        preferredRendererType: Shape.CurveRenderer
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
