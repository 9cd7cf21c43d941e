// Steps with a tick each. `steps`: [{text, state}], state "done", "doing", "waiting", "failed".
import QtQuick
import "../Style"

Column {
    id: ticks

    property var steps: []

    spacing: Style.gap2
    width: 320

    Repeater {
        model: ticks.steps
        Item {
            id: step
            required property var modelData
            readonly property string state_: modelData.state
            width: ticks.width
            height: Math.max(Style.size(24), words.height)
            Accessible.role: Accessible.StaticText
            Accessible.name: modelData.text
            Accessible.description: state_
            Rectangle {
                id: disc
                width: Style.size(22)
                height: width
                radius: width / 2
                antialiasing: true
                y: Style.size(1)
                color: step.state_ === "done" ? Style.good : step.state_ === "failed" ? Style.danger : "transparent"
                border.width: step.state_ === "done" || step.state_ === "failed" ? 0 : 2
                border.color: step.state_ === "doing" ? Style.accent : Style.line
                Icon {
                    anchors.fill: parent
                    anchors.margins: Style.gap1
                    visible: step.state_ === "done" || step.state_ === "failed"
                    name: step.state_ === "done" ? "check" : "close"
                    color: step.state_ === "done" ? Style.goodInk : Style.dangerInk
                    weight: 3.4
                }
                Rectangle {
                    visible: step.state_ === "doing"
                    anchors.centerIn: parent
                    width: parent.width * 0.45
                    height: width
                    radius: width / 2
                    color: Style.accent
                    SequentialAnimation on opacity {
                        running: step.state_ === "doing" && !Style.reduced
                        loops: Style.repeats
                        NumberAnimation { from: 1; to: 0.25; duration: 500 }
                        NumberAnimation { from: 0.25; to: 1; duration: 500 }
                    }
                }
            }
            Paragraph {
                id: words
                x: disc.width + Style.gap3
                width: parent.width - x
                text: step.modelData.text
                strong: step.state_ === "doing"
                soft: step.state_ === "waiting"
                color: step.state_ === "failed" ? Style.danger : step.state_ === "waiting" ? Style.inkSoft : Style.ink
            }
        }
    }
}
