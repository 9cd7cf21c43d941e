// One game of the list: its ending, opponents and date. It opens in the verifier, or is deleted.
import QtQuick
import QtQuick.Templates as T
import "../Style"
import "../Parts"

Item {
    id: line

    required property string id
    required property string name
    required property string when
    required property string text
    required property string players
    required property int rounds
    required property bool won
    required property bool lost
    required property int points
    required property bool played
    required property string verdict
    required property string verdictText
    required property string accessibleName
    signal opened()
    signal removed()

    implicitHeight: Math.max(Style.target + Style.gap3, words.implicitHeight + 2 * Style.gap3)
    height: implicitHeight

    T.ItemDelegate {
        id: button
        objectName: "game"
        anchors.left: parent.left
        anchors.right: bin.left
        anchors.rightMargin: Style.gap1
        height: parent.height
        focusPolicy: Qt.StrongFocus
        activeFocusOnTab: true
        hoverEnabled: true
        Accessible.role: Accessible.Button
        Accessible.name: line.accessibleName
        Accessible.description: qsTr("Opens this game in the verifier")
        Accessible.onPressAction: line.opened()
        onClicked: line.opened()
        Keys.onReturnPressed: line.opened()
        Keys.onEnterPressed: line.opened()

        background: Rectangle {
            radius: Style.radius2
            antialiasing: true
            color: button.down ? Style.mix(Style.surface, Style.ink, 0.1)
                : button.hovered ? Style.mix(Style.surface, Style.ink, 0.05) : Style.surface
            border.width: Style.hair
            border.color: Style.line
            FocusRing { anchors.margins: 0; shown: button.visualFocus; around: Style.radius2 - Style.focusWidth }
        }
        contentItem: Item {
            Rectangle {
                id: disc
                x: Style.gap3
                anchors.verticalCenter: parent.verticalCenter
                width: Style.size(38)
                height: width
                radius: width / 2
                antialiasing: true
                color: line.verdict === "bad" ? Style.dangerSoft : line.won ? Style.goodSoft : Style.sunken
                Icon {
                    anchors.centerIn: parent
                    name: line.verdict === "bad" ? "warn" : line.won ? "trophy" : !line.played ? "eye" : line.lost ? "flag" : "cards"
                    color: line.verdict === "bad" ? Style.dangerSoftInk : line.won ? Style.goodSoftInk : Style.inkSoft
                    width: parent.width * 0.58
                    height: width
                }
            }
            Column {
                id: words
                x: disc.x + disc.width + Style.gap3
                width: parent.width - x - side.width - 2 * Style.gap3
                anchors.verticalCenter: parent.verticalCenter
                spacing: Style.hair
                Paragraph {
                    width: parent.width
                    text: line.text
                    lineHeight: 1
                    strong: true
                }
                Line {
                    width: parent.width
                    text: line.players
                    size: Style.small
                    soft: true
                }
                Line {
                    width: parent.width
                    text: line.name + " · " + line.when
                    size: Style.small
                    soft: true
                }
            }
            Column {
                id: side
                anchors.right: parent.right
                anchors.rightMargin: Style.gap3
                anchors.verticalCenter: parent.verticalCenter
                spacing: Style.gap1
                Badge {
                    visible: line.played && line.rounds > 0
                    anchors.right: parent.right
                    text: qsTr("%n points", "", line.points)
                }
                Badge {
                    visible: line.verdict !== ""
                    anchors.right: parent.right
                    symbol: line.verdict === "good" ? "shield" : "warn"
                    mood: line.verdict === "good" ? "good" : line.verdict === "bad" ? "danger" : "warn"
                    text: line.verdictText
                }
            }
        }
    }
    IconButton {
        id: bin
        objectName: "delete"
        anchors.right: parent.right
        anchors.verticalCenter: parent.verticalCenter
        symbol: "trash"
        label: qsTr("Delete this game: %1").arg(line.accessibleName)
        onClicked: line.removed()
    }
}
