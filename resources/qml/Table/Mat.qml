// The table top, and around its edge the direction of play: marks that move with the turn.
import QtQuick
import QtQuick.Shapes
import "../Style"

Item {
    id: mat

    property bool clockwise: true
    /// The seat that has the turn. When it changes, the marks move on by one place.
    property int turn: -1
    property bool running: true
    /// The width of the wooden edge.
    readonly property real rim: 18
    readonly property real corner: Math.min(height / 2, Style.size(140))
    readonly property real straight: Math.max(0, width - 2 * corner)
    readonly property real upright: Math.max(0, height - 2 * corner)
    readonly property real quarter: Math.PI * corner / 2
    readonly property real around: 2 * straight + 2 * upright + 4 * quarter
    readonly property int marks: Math.max(8, Math.round(around / 130))
    property real phase: 0
    /// The rotation of the marks, in degrees.
    property real turned: clockwise ? 0 : 180
    Behavior on turned { NumberAnimation { duration: Style.ms(300); easing.type: Easing.InOutQuad } }

    Accessible.role: Accessible.StaticText
    Accessible.name: clockwise ? qsTr("Play goes clockwise") : qsTr("Play goes counter-clockwise")

    /// The point and the heading (in degrees) at a length along the edge, clockwise from top left.
    function at(length: real): var {
        let rest = ((length % around) + around) % around
        const inset = 9
        const legs = [[straight, 0], [quarter, 1], [upright, 2], [quarter, 3], [straight, 4], [quarter, 5], [upright, 6], [quarter, 7]]
        for (const [long, leg] of legs) {
            if (rest <= long) {
                const r = corner - inset
                const turn = long > 0 ? rest / long * 90 : 0
                const bow = (cx, cy, start) => {
                    const a = (start + turn) * Math.PI / 180
                    return { x: cx + r * Math.cos(a), y: cy + r * Math.sin(a), angle: start + turn + 90 }
                }
                switch (leg) {
                case 0: return { x: corner + rest, y: inset, angle: 0 }
                case 1: return bow(width - corner, corner, -90)
                case 2: return { x: width - inset, y: corner + rest, angle: 90 }
                case 3: return bow(width - corner, height - corner, 0)
                case 4: return { x: width - corner - rest, y: height - inset, angle: 180 }
                case 5: return bow(corner, height - corner, 90)
                case 6: return { x: inset, y: height - corner - rest, angle: 270 }
                default: return bow(corner, corner, 180)
                }
            }
            rest -= long
        }
        return { x: corner, y: inset, angle: 0 }
    }

    onTurnChanged: {
        if (running && !Style.reduced)
            phase += clockwise ? 1 : -1
    }
    Behavior on phase {
        enabled: !Style.reduced
        NumberAnimation { duration: Style.ms(700); easing.type: Easing.InOutCubic }
    }

    // Drawn once, as an image.
    Item {
        anchors.fill: parent
        layer.enabled: true

        Rectangle {
            anchors.fill: parent
            radius: mat.corner
            antialiasing: true
            gradient: Gradient {
                GradientStop { position: 0; color: Qt.lighter(Style.matEdge, 1.08) }
                GradientStop { position: 1; color: Qt.darker(Style.matEdge, 1.1) }
            }
        }
        Shape {
            anchors.fill: parent
            preferredRendererType: Shape.CurveRenderer
            ShapePath {
                strokeWidth: 2
                strokeColor: Qt.darker(Style.matEdge, 1.35)
                fillGradient: RadialGradient {
                    centerX: mat.width / 2
                    centerY: mat.height * 0.42
                    focalX: centerX
                    focalY: centerY
                    centerRadius: Math.max(1, Math.max(mat.width, mat.height) * 0.56)
                    GradientStop { position: 0; color: Style.matLight }
                    GradientStop { position: 1; color: Style.mat }
                }
                PathRectangle {
                    x: mat.rim
                    y: mat.rim
                    width: Math.max(0, mat.width - 2 * mat.rim)
                    height: Math.max(0, mat.height - 2 * mat.rim)
                    radius: Math.max(0, mat.corner - mat.rim)
                }
            }
            // The seam of the cloth.
            ShapePath {
                strokeWidth: 1.5
                strokeColor: Style.alpha(Style.ink, Style.dark ? 0.2 : 0.16)
                strokeStyle: ShapePath.DashLine
                dashPattern: [5, 4]
                fillColor: "transparent"
                PathRectangle {
                    x: mat.rim + 8
                    y: mat.rim + 8
                    width: Math.max(0, mat.width - 2 * mat.rim - 16)
                    height: Math.max(0, mat.height - 2 * mat.rim - 16)
                    radius: Math.max(0, mat.corner - mat.rim - 8)
                }
            }
        }
    }
    Repeater {
        model: mat.marks
        Shape {
            required property int index
            readonly property var spot: mat.at((index + mat.phase) * mat.around / mat.marks)
            x: spot.x - 6
            y: spot.y - 6
            width: 12
            height: 12
            scale: 1.25
            rotation: spot.angle + mat.turned
            preferredRendererType: Shape.CurveRenderer
            ShapePath {
                strokeWidth: 2.6
                strokeColor: Style.accent
                fillColor: "transparent"
                capStyle: ShapePath.RoundCap
                joinStyle: ShapePath.RoundJoin
                PathSvg { path: "M4 2 L9 6 L4 10" }
            }
        }
    }
}
