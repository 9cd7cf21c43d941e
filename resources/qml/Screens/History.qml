// The history: the numbers, the games, and the people. Every game opens in the verifier.
import QtQuick
import "../Style"
import "../Parts"
import "../History"

FocusScope {
    id: screen

    readonly property var history: app.history
    readonly property var kinds: ["all", "won", "lost", "undecided", "watched", "cheated"]

    Component.onCompleted: history.refresh()

    Backdrop { anchors.fill: parent }

    TopBar {
        id: bar
        x: Style.gap5
        y: Style.gap4
        width: parent.width - 2 * Style.gap5
        title: qsTr("History")
        backButton.focus: true
        onBack: app.back()
    }

    Column {
        visible: screen.history.empty || screen.history.state === "failed"
        anchors.centerIn: parent
        width: Math.min(parent.width - 2 * Style.gap5, Style.size(480))
        spacing: Style.gap4
        Icon {
            name: screen.history.state === "failed" ? "warn" : "history"
            color: screen.history.state === "failed" ? Style.danger : Style.accent
            width: Style.size(76)
            height: width
            anchors.horizontalCenter: parent.horizontalCenter
        }
        Paragraph {
            width: parent.width
            horizontalAlignment: Text.AlignHCenter
            text: screen.history.state === "failed" ? qsTr("The list of games cannot be shown.") : qsTr("No games yet")
            size: Style.head
            strong: true
        }
        Paragraph {
            width: parent.width
            horizontalAlignment: Text.AlignHCenter
            text: screen.history.state === "failed" ? screen.history.problem
                : qsTr("Every game that you play or watch is kept here, with the proof of how it was dealt.")
            soft: true
        }
        PushButton {
            objectName: "begin"
            anchors.horizontalCenter: parent.horizontalCenter
            kind: "primary"
            big: true
            symbol: screen.history.state === "failed" ? "refresh" : "play"
            text: screen.history.state === "failed" ? qsTr("Try again") : qsTr("Find a table")
            onClicked: screen.history.state === "failed" ? screen.history.refresh() : app.open("home")
        }
    }

    Paragraph {
        visible: screen.history.state === "busy"
        anchors.centerIn: parent
        text: qsTr("Reading your games…")
        size: Style.title
        soft: true
    }

    ScrollArea {
        id: area
        objectName: "area"
        visible: screen.history.state === "done" && !screen.history.empty
        anchors.top: bar.bottom
        anchors.topMargin: Style.gap3
        anchors.bottom: parent.bottom
        x: Math.max(0, (parent.width - width) / 2)
        width: Math.min(parent.width, Style.size(1240))
        padding: Style.gap5

        Column {
            id: page
            width: parent.width
            spacing: Style.gap5

            Flow {
                id: tiles
                readonly property int most: Math.max(2, Math.floor((width + spacing) / (Style.size(140) + spacing)))
                readonly property int across: Math.ceil(6 / Math.ceil(6 / most))
                readonly property int lines: {
                    let most = 2
                    for (let place = 0; place < numbers.count; place++)
                        most = Math.max(most, numbers.itemAt(place)?.neededLines ?? 0)
                    return most
                }
                width: parent.width
                spacing: Style.gap3
                Repeater {
                    id: numbers
                    model: screen.history.statistics
                    Tile {
                        noteLines: tiles.lines
                        width: Math.floor((tiles.width - (tiles.across - 1) * tiles.spacing) / tiles.across)
                    }
                }
            }

            Paragraph {
                objectName: "reading"
                visible: text !== ""
                width: parent.width
                text: screen.history.readingText
                strong: true
            }

            Paragraph {
                visible: text !== ""
                width: parent.width
                text: screen.history.uncountedText
                size: Style.small
                soft: true
            }

            Flow {
                id: columns
                readonly property bool two: width >= Style.size(860)
                width: parent.width
                spacing: Style.gap4

                Column {
                    id: games
                    width: columns.two ? Math.floor(columns.width * 0.66) : columns.width
                    spacing: Style.gap2

                    Flow {
                        width: parent.width
                        spacing: Style.gap2
                        Choice {
                            objectName: "showing"
                            label: qsTr("Show")
                            width: Style.size(220)
                            model: [qsTr("All games"), qsTr("Games I won"), qsTr("Games I lost"), qsTr("Undecided games"), qsTr("Games I watched"), qsTr("Games with cheating")]
                            currentIndex: screen.kinds.indexOf(screen.history.showing)
                            onActivated: index => screen.history.showing = screen.kinds[index]
                        }
                        Field {
                            objectName: "search"
                            width: Style.size(220)
                            placeholder: qsTr("Name of a player")
                            text: screen.history.search
                            maximumLength: 60
                            onEdited: text => screen.history.search = text
                        }
                    }
                    Repeater {
                        model: screen.history.games
                        GameLine {
                            width: games.width
                            onOpened: screen.history.verify(id)
                            onRemoved: screen.history.remove(id)
                        }
                    }
                    Paragraph {
                        visible: screen.history.games.count === 0
                        width: parent.width
                        topPadding: Style.gap5
                        horizontalAlignment: Text.AlignHCenter
                        text: qsTr("No game matches.")
                        soft: true
                    }
                    PushButton {
                        objectName: "more"
                        visible: screen.history.total > screen.history.games.count
                        anchors.horizontalCenter: parent.horizontalCenter
                        symbol: "down"
                        text: qsTr("Show older games")
                        onClicked: screen.history.more()
                    }
                    Paragraph {
                        visible: text !== ""
                        width: parent.width
                        text: screen.history.unusableText
                        size: Style.small
                        soft: true
                    }
                }

                People {
                    width: columns.two ? columns.width - games.width - columns.spacing : columns.width
                    people: screen.history.opponents
                }
            }
        }
    }

    Sheet {
        id: asking
        objectName: "asking"
        first: keep
        title: qsTr("Delete this game?")
        text: screen.history.removingText
        actions: [
            PushButton {
                objectName: "reallyDelete"
                kind: "danger"
                symbol: "trash"
                text: qsTr("Delete it")
                onClicked: screen.history.confirmRemove()
            },
            PushButton {
                id: keep
                objectName: "keep"
                text: qsTr("Keep it")
                onClicked: screen.history.cancelRemove()
            }
        ]
        onClosed: {
            if (!visible)
                screen.history.cancelRemove()
        }
    }
    Connections {
        target: screen.history
        function onRemovingChanged(): void {
            if (screen.history.removing !== "")
                asking.open()
            else
                asking.close()
        }
    }
}
