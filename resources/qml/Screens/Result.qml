// The result of a round or of the match: the winner, the standings, and the check of the shuffle.
import QtQuick
import QtQuick.Templates as T
import "../Style"
import "../Parts"
import "../Result"

FocusScope {
    id: screen
    objectName: "resultScreen"
    focus: true

    readonly property var result: app.result
    readonly property bool roomy: width >= 1360 && height >= 800
    readonly property real edge: Style.gap5
    /// Whether the verdict is below the heading.
    readonly property bool stacked: check.implicitWidth > width * 0.52
    readonly property var badge: result.badge
    /// The sides, that is players or pairs.
    readonly property var people: result.lines

    function paint(avatar: int): color {
        const base = Style.avatars[avatar % Style.avatars.length]
        return Style.dark ? Qt.lighter(base, 1.55) : base
    }
    /// Whether something covers the whole window, and keeps the keyboard focus.
    readonly property bool veiled: app.leaveQuestion !== "" || app.crash !== ""
    onVeiledChanged: if (!veiled) Qt.callLater(rest)
    Component.onCompleted: Qt.callLater(rest)
    function rest(): void {
        const first = again.visible ? again : on.visible ? on : check
        if (veiled)
            first.focus = true
        else
            first.forceActiveFocus()
    }

    Column {
        id: head
        x: screen.edge
        y: Style.gap4
        width: screen.width - 2 * screen.edge - (screen.stacked ? 0 : check.width + Style.gap4)
        spacing: 2
        Line {
            width: parent.width
            objectName: "title"
            text: screen.result.title + (app.table.tableName === "" ? "" : " · \u2068" + app.table.tableName + "\u2069")
            size: Style.lead
            strong: true
            soft: true
        }
        Paragraph {
            objectName: "winner"
            width: parent.width
            text: screen.result.winnerText
            size: Style.head
            font.weight: Style.weightHeavy
            maximumLineCount: 4
            elide: Text.ElideRight
            lineHeight: 1
        }
        Paragraph {
            visible: text !== ""
            width: parent.width
            text: screen.result.closingText
            soft: true
        }
    }
    T.Button {
        id: check
        objectName: "badge"
        readonly property string state_: screen.badge.state ?? "nothing"
        readonly property color back: state_ === "good" ? Style.goodSoft : state_ === "bad" ? Style.dangerSoft
            : state_ === "open" ? Style.warnSoft : state_ === "checking" ? Style.accentSoft : Style.sunken
        readonly property color words: state_ === "good" ? Style.goodSoftInk : state_ === "bad" ? Style.dangerSoftInk
            : state_ === "open" ? Style.warnSoftInk : state_ === "checking" ? Style.accentSoftInk : Style.inkSoft
        x: screen.stacked ? screen.edge : screen.width - width - screen.edge
        y: screen.stacked ? head.y + head.height + Style.gap2 : Style.gap4
        width: Math.min(implicitWidth, screen.width - 2 * screen.edge)
        leftPadding: Style.gap4
        rightPadding: Style.gap5
        implicitWidth: implicitContentWidth + leftPadding + rightPadding
        implicitHeight: Math.max(Style.size(56), Style.target)
        text: screen.badge.text ?? ""
        focusPolicy: Qt.StrongFocus
        activeFocusOnTab: true
        hoverEnabled: true
        Accessible.role: Accessible.Button
        Accessible.name: text
        Accessible.description: qsTr("Look at the proof")
        Accessible.onPressAction: screen.result.verify()
        onClicked: screen.result.verify()
        Keys.onReturnPressed: screen.result.verify()
        Keys.onEnterPressed: screen.result.verify()
        background: Rectangle {
            radius: height / 2
            antialiasing: true
            color: check.hovered ? Style.mix(check.back, Style.ink, 0.07) : check.back
            border.width: check.state_ === "nothing" ? Style.hair : 0
            border.color: Style.edge
            Behavior on color { ColorAnimation { duration: Style.fade(160) } }
            FocusRing { shown: check.visualFocus; around: parent.radius }
        }
        contentItem: Item {
            implicitWidth: shield.width + Style.gap3 + words.implicitWidth
            Icon {
                id: shield
                name: check.state_ === "bad" ? "warn" : check.state_ === "open" ? "info" : "shield"
                color: check.words
                width: Style.size(28)
                height: width
                anchors.verticalCenter: parent.verticalCenter
            }
            Column {
                id: words
                x: shield.width + Style.gap3
                anchors.verticalCenter: parent.verticalCenter
                Line {
                    text: check.text
                    strong: true
                    color: check.words
                }
                Line {
                    text: qsTr("Look at the proof")
                    size: Style.tiny
                    color: check.words
                    Accessible.ignored: true
                }
            }
        }
    }

    Item {
        id: body
        x: screen.edge
        y: Math.max(head.y + head.height, check.y + check.height) + Style.gap4
        width: screen.width - 2 * screen.edge
        height: foot.y - y - Style.gap4

        Standings {
            id: standings
            objectName: "standings"
            width: Math.round(Math.min(parent.width * 0.5, Math.max(Style.size(330), Math.min(Style.size(460), parent.width * 0.36))))
            height: parent.height
            model: screen.result.standings
            paired: screen.people.some(one => one.names.length > 1)
        }
        Panel {
            id: upper
            visible: screen.roomy
            x: standings.width + Style.gap5
            width: parent.width - x
            height: visible ? (parent.height - Style.gap4) * 0.46 : 0
            LineChart {
                visible: screen.roomy
                objectName: "wideChart"
                anchors.fill: parent
                anchors.margins: Style.gap4
                first: 0
                target: screen.result.target
                series: screen.roomy ? chart.series : []
            }
        }
        Panel {
            id: pane
            readonly property var tabs: screen.roomy ? [qsTr("Round by round"), qsTr("Hands")]
                : [qsTr("Points"), qsTr("Round by round"), qsTr("Hands")]
            /// 0: the chart, 1: the table, 2: the hands.
            readonly property int shown: Math.max(screen.roomy ? 1 : 0, choice)
            property int choice: 0
            x: standings.width + Style.gap5
            y: upper.visible ? upper.height + Style.gap4 : 0
            width: parent.width - x
            height: parent.height - y

            TabStrip {
                id: strip
                objectName: "tabs"
                x: Style.gap3
                y: Style.gap3
                most: pane.width - 2 * x
                model: pane.tabs
                current: pane.shown - (screen.roomy ? 1 : 0)
                onChosen: index => {
                    pane.choice = index + (screen.roomy ? 1 : 0)
                    screen.result.read()
                    current = Qt.binding(() => pane.shown - (screen.roomy ? 1 : 0))
                }
            }
            Item {
                anchors.fill: parent
                anchors.topMargin: strip.y + strip.height + Style.gap3
                anchors.leftMargin: Style.gap4
                anchors.rightMargin: Style.gap2
                anchors.bottomMargin: Style.gap3
                LineChart {
                    id: chart
                    objectName: "chart"
                    visible: pane.shown === 0
                    anchors.fill: parent
                    first: 0
                    target: screen.result.target
                    series: screen.people.map(one => ({ name: one.name, color: screen.paint(one.avatars[0]), values: one.points }))
                }
                ScoreTable {
                    objectName: "scores"
                    visible: pane.shown === 1
                    anchors.fill: parent
                    model: screen.result.rounds
                    columns: screen.people
                }
                LeftHands {
                    objectName: "hands"
                    visible: pane.shown === 2
                    anchors.fill: parent
                    model: screen.result.hands
                }
            }
        }
    }

    Item {
        id: foot
        x: screen.edge
        width: screen.width - 2 * screen.edge
        height: Math.max(Style.size(52), Style.target)
        y: screen.height - height - Style.gap4

        Column {
            anchors.verticalCenter: parent.verticalCenter
            width: parent.width - buttons.width - Style.gap4
            spacing: Style.gap1
            Badge {
                objectName: "invitation"
                visible: text !== ""
                width: Math.min(implicitWidth, parent.width)
                symbol: "people"
                text: screen.result.invitation
                mood: "accent"
                size: screen.stacked ? Style.small : Style.lead
                lines: screen.stacked ? 4 : 3
            }
            Paragraph {
                visible: text !== ""
                width: parent.width
                lineHeight: 1
                text: screen.result.waiting !== "" ? screen.result.waiting : screen.result.nextText
                strong: true
                soft: true
            }
            Rectangle {
                id: track
                visible: screen.result.nextIn > 0
                width: Math.min(parent.width, Style.size(320))
                height: Style.gap1 + 2
                radius: height / 2
                color: Style.line
                Rectangle {
                    width: track.width * Math.min(1, screen.result.nextIn / 8)
                    height: parent.height
                    radius: height / 2
                    color: Style.accent
                }
            }
        }
        Row {
            id: buttons
            anchors.right: parent.right
            spacing: Style.gap2
            PushButton {
                objectName: "leave"
                big: true
                text: qsTr("Leave")
                symbol: "exit"
                onClicked: app.back()
            }
            PushButton {
                id: on
                objectName: "goOn"
                visible: screen.result.goesOn
                kind: "primary"
                big: true
                text: qsTr("Go on")
                symbol: "forward"
                onClicked: screen.result.goOn()
            }
            PushButton {
                id: again
                objectName: "rematch"
                visible: screen.result.matchOver && screen.result.canRematch
                kind: "primary"
                big: true
                text: screen.result.seated ? qsTr("Play again") : qsTr("Watch again")
                symbol: "refresh"
                onClicked: screen.result.rematch()
            }
        }
    }
}
