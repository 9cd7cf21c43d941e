// The background of all screens except the table: a quiet ground with the four signs, very faint.
import QtQuick
import "../Style"

Rectangle {
    id: backdrop

    readonly property real unit: Math.min(width, height)
    readonly property list<var> marks: [
        { kind: 0, x: -0.06, y: 0.62, size: 0.52, turn: -14 },
        { kind: 1, x: 0.43, y: -0.16, size: 0.34, turn: 10 },
        { kind: 2, x: 0.88, y: 0.68, size: 0.5, turn: 18 },
        { kind: 3, x: 0.93, y: -0.1, size: 0.38, turn: -12 }
    ]

    clip: true
    Accessible.ignored: true
    gradient: Gradient {
        GradientStop { position: 0; color: Style.groundLight }
        GradientStop { position: 1; color: Style.ground }
    }

    Repeater {
        model: backdrop.marks
        Sign {
            required property var modelData
            kind: modelData.kind
            color: Style.alpha(Style.sign[modelData.kind], Style.dark ? 0.055 : 0.06)
            width: backdrop.unit * modelData.size
            height: width
            x: backdrop.width * modelData.x
            y: backdrop.height * modelData.y
            rotation: modelData.turn
        }
    }
}
