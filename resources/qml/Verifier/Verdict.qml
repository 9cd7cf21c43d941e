// The left half of the verifier: the verdict, the three promises, the absences, the blame, and
// every check.
import QtQuick
import "../Style"
import "../Parts"

ScrollArea {
    id: area

    property string mood
    property string headline
    property string explanation
    property var sentences
    property var absences
    property var checks
    property var blames
    property bool showChecks: false

    readonly property var paints: mood === "good" ? ["shield", Style.goodSoft, Style.goodSoftInk]
        : mood === "bad" ? ["warn", Style.dangerSoft, Style.dangerSoftInk]
        : ["info", Style.warnSoft, Style.warnSoftInk]

    Column {
        width: parent.width
        spacing: Style.gap4

        Rectangle {
            width: parent.width
            height: top.height + 2 * Style.gap4
            radius: Style.radius3
            color: area.paints[1]
            Column {
                id: top
                x: Style.gap4
                y: Style.gap4
                width: parent.width - 2 * Style.gap4
                spacing: Style.gap2
                Icon {
                    name: area.paints[0]
                    color: area.paints[2]
                    width: Style.size(34)
                    height: width
                }
                Paragraph {
                    objectName: "headline"
                    width: parent.width
                    text: area.headline
                    size: Style.title
                    strong: true
                    color: area.paints[2]
                    Accessible.role: Accessible.Heading
                    Accessible.name: text
                }
                Paragraph {
                    width: parent.width
                    text: area.explanation
                    color: area.paints[2]
                }
            }
        }

        Repeater {
            model: area.blames
            Paragraph {
                required property var model
                width: parent.width
                text: model.text
                strong: true
                color: Style.danger
            }
        }

        Column {
            width: parent.width
            spacing: Style.gap3
            Repeater {
                model: area.sentences
                delegate: Finding { width: parent.width; strong: true }
            }
            Repeater {
                objectName: "absences"
                model: area.absences
                delegate: Finding { width: parent.width }
            }
        }

        PushButton {
            objectName: "allChecks"
            visible: area.checks.count > 0
            kind: "plain"
            symbol: area.showChecks ? "up" : "down"
            text: area.showChecks ? qsTr("Hide the checks") : qsTr("Show every check")
            onClicked: area.showChecks = !area.showChecks
        }

        Column {
            visible: area.showChecks
            width: parent.width
            spacing: Style.gap2
            Repeater {
                model: area.checks
                delegate: Finding { width: parent.width }
            }
        }
    }
}
