// The left half of the verifier: the verdict, the three promises, the absences, the blame, and
// every check.
import QtQuick
import "../Style"
import "../Parts"

ScrollArea {
    id: area

    property string verdict
    property string decided
    property string headline
    property string explanation
    property var sentences
    property var absences
    property var checks
    property var blames
    property bool showChecks: false

    readonly property var moods: ({
        verified: ["shield", Style.goodSoft, Style.goodSoftInk],
        cheating: ["warn", Style.dangerSoft, Style.dangerSoftInk],
        incomplete: ["info", Style.warnSoft, Style.warnSoftInk],
        changed: ["info", Style.warnSoft, Style.warnSoftInk],
        unreadable: ["info", Style.warnSoft, Style.warnSoftInk]
    })
    /// A verified game is called fair only if the cards decided it.
    readonly property var mood: verdict === "verified" && decided !== "cards" ? moods.incomplete
        : moods[verdict] ?? moods.unreadable

    Column {
        width: parent.width
        spacing: Style.gap4

        Rectangle {
            width: parent.width
            height: top.height + 2 * Style.gap4
            radius: Style.radius3
            color: area.mood[1]
            Column {
                id: top
                x: Style.gap4
                y: Style.gap4
                width: parent.width - 2 * Style.gap4
                spacing: Style.gap2
                Icon {
                    name: area.mood[0]
                    color: area.mood[2]
                    width: Style.size(34)
                    height: width
                }
                Paragraph {
                    objectName: "headline"
                    width: parent.width
                    text: area.headline
                    size: Style.title
                    strong: true
                    color: area.mood[2]
                    Accessible.role: Accessible.Heading
                    Accessible.name: text
                }
                Paragraph {
                    width: parent.width
                    text: area.explanation
                    color: area.mood[2]
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
