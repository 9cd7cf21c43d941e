// A shape. Inside a scrolling area, `OutOfSight` hides it while it is scrolled out of sight.
import QtQuick
import QtQuick.Shapes

Shape {
    property bool outOfSight: false
    /// Whether it is shown while it is in sight.
    property bool shown: true

    visible: shown && !outOfSight
    preferredRendererType: Shape.CurveRenderer
}
