// The seconds left of a turn: a ring that empties, with the number in it. The last few are red.
import QtQuick
import QtQuick.Shapes
import "../Style"
import "../Parts"

Item {
    id: clock

    property real total: 0
    property real remaining: 0
    /// The number of seconds from which it is red.
    property real few: 10
    readonly property bool late: remaining <= few
    readonly property real share: total > 0 ? Math.max(0, Math.min(1, remaining / total)) : 0

    visible: total > 0
    implicitWidth: Style.target
    implicitHeight: Style.target
    Accessible.role: Accessible.StaticText
    Accessible.name: qsTr("Seconds left: %1").arg(Math.ceil(remaining))

    Shape {
        width: clock.width
        height: clock.height
        preferredRendererType: Shape.CurveRenderer
        ShapePath {
            strokeColor: Style.line
            strokeWidth: 4
            fillColor: "transparent"
            PathAngleArc {
                centerX: clock.width / 2
                centerY: clock.height / 2
                radiusX: clock.width / 2 - 4
                radiusY: radiusX
                startAngle: 0
                sweepAngle: 360
            }
        }
        ShapePath {
            strokeColor: clock.late ? Style.danger : Style.accent
            strokeWidth: 4
            fillColor: "transparent"
            capStyle: ShapePath.RoundCap
            PathAngleArc {
                centerX: clock.width / 2
                centerY: clock.height / 2
                radiusX: clock.width / 2 - 4
                radiusY: radiusX
                startAngle: -90
                sweepAngle: -360 * Math.max(0.002, clock.share)
            }
        }
    }
    Line {
        anchors.centerIn: parent
        text: String(Math.ceil(clock.remaining))
        size: Style.body
        heavy: true
        color: clock.late ? Style.danger : Style.ink
        Accessible.ignored: true
    }
}
