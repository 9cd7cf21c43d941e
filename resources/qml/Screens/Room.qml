// The waiting room: the seats, the invitation, and the chat.
import QtQuick
import "../Style"
import "../Parts"
import "../Host"
import "../Room"
import "../Table"

FocusScope {
    id: screen

    readonly property var room: app.room
    readonly property bool roomy: width >= 1320 && height >= 820
    readonly property real edge: roomy ? Style.gap6 : Style.gap5
    readonly property real span: Math.min(width - 2 * edge, 1440)
    /// Whether the invitation is below the seats.
    readonly property bool narrow: span * 0.44 < Style.size(325)
    readonly property bool inviting: room.link !== "" && !room.starting
    readonly property Item firstFocus: ready.visible ? ready : begin.visible ? begin : null

    Backdrop { anchors.fill: parent }

    TopBar {
        id: bar
        x: (parent.width - screen.span) / 2
        y: Style.gap4
        width: screen.span
        title: screen.room.tableName
        subtitle: screen.room.rulesTitle
        onBack: app.back()
        backButton.label: qsTr("Leave the table")
        actions: [
            Badge {
                anchors.verticalCenter: parent.verticalCenter
                visible: screen.room.pin
                symbol: "lock"
                mood: "warn"
                text: qsTr("PIN")
            },
            Badge {
                anchors.verticalCenter: parent.verticalCenter
                visible: screen.room.watching > 0
                symbol: "eye"
                text: qsTr("%n watching", "", screen.room.watching)
            },
            PushButton {
                anchors.verticalCenter: parent.verticalCenter
                objectName: "rules"
                symbol: "book"
                text: qsTr("Rules")
                Accessible.description: screen.room.rulesTitle
                onClicked: told.open()
            }
        ]
    }
    Later {
        id: told
        sourceComponent: RulesSheet {
            title: screen.room.rulesTitle
            sentences: screen.room.rules
            changeText: screen.room.canChange ? qsTr("Change the rules") : ""
            onChangeWanted: app.host.edit()
            readText: qsTr("Read all rules")
            onReadWanted: app.open("rules")
        }
    }

    // The seats.
    Item {
        id: left
        anchors.top: bar.bottom
        anchors.topMargin: Style.gap3
        anchors.bottom: parent.bottom
        anchors.bottomMargin: Style.gap4
        x: bar.x
        width: screen.span - right.width - Style.gap4

        ScrollArea {
            id: area
            objectName: "area"
            x: -padding
            width: parent.width + 2 * padding + Style.gap3
            anchors.top: parent.top
            anchors.bottom: foot.top
            anchors.bottomMargin: Style.gap3
            padding: Style.gap1

            Column {
                width: parent.width
                spacing: Style.gap3
                Grid {
                    id: seats
                    width: parent.width
                    columns: width >= Style.size(520) && screen.room.capacity > 3 ? 2 : 1
                    spacing: Style.gap2
                    flow: Grid.LeftToRight
                    readonly property real each: (width - (columns - 1) * spacing) / columns
                    Repeater {
                        model: screen.room.seats
                        SeatCard {
                            width: seats.each
                            height: Math.max(implicitHeight, Math.min(Style.size(100), (area.height - Style.size(190)) / Math.ceil(screen.room.capacity / seats.columns) - seats.spacing))
                            hosting: screen.room.hosting
                            botsAllowed: screen.room.canAddBots
                            teamName: model.team >= 0 ? qsTr("Pair %1").arg(String.fromCharCode(65 + model.team)) : ""
                            onSentAway: (key, name) => app.chat.sendAway(key, name)
                            onMuted: (key, on) => app.chat.setMuted(key, on)
                            onMovedUp: key => screen.room.moveUp(key)
                            onSatDown: screen.room.sit(model.seat)
                            onBotAdded: screen.room.addBot()
                        }
                    }
                }
                // Whom the host has sent away.
                Repeater {
                    model: app.chat.sentAway
                    Item {
                        id: away
                        objectName: "sentAway"
                        required property var modelData
                        width: parent.width
                        height: Math.max(words.height, back.height)
                        Fact {
                            id: words
                            width: parent.width - back.width - Style.gap2
                            anchors.verticalCenter: parent.verticalCenter
                            symbol: "close"
                            text: qsTr("You sent %1 away.").arg("\u2068" + away.modelData.name + "\u2069")
                        }
                        PushButton {
                            id: back
                            objectName: "letIn"
                            anchors.right: parent.right
                            anchors.verticalCenter: parent.verticalCenter
                            text: qsTr("Let in again")
                            Accessible.name: qsTr("Let %1 in again").arg(away.modelData.name)
                            onClicked: app.chat.letIn(away.modelData.key)
                        }
                    }
                }
                Loader {
                    width: parent.width
                    visible: active
                    active: screen.inviting && screen.narrow
                    sourceComponent: invitation
                }
                SafetyHand {
                    width: parent.width
                    title: qsTr("The safety hand")
                    cards: screen.room.safetyHand
                    text: screen.room.safetyText
                }
                Column {
                    width: parent.width
                    spacing: Style.gap2
                    Fact {
                        visible: screen.room.pairs
                        width: parent.width
                        symbol: "swap"
                        text: qsTr("Partners sit opposite each other: seats of one colour belong together.")
                    }
                    Fact {
                        objectName: "rounds"
                        width: parent.width
                        symbol: "trophy"
                        text: screen.room.rounds
                    }
                    Fact {
                        objectName: "spectators"
                        width: parent.width
                        symbol: "eye"
                        text: screen.room.spectators
                    }
                    Fact {
                        width: parent.width
                        symbol: "hand"
                        text: screen.room.openHandsText
                    }
                }
                Summary {
                    width: parent.width
                    title: qsTr("How it is played")
                    sentences: screen.room.rules
                }
            }
        }

        Panel {
            id: foot
            anchors.bottom: parent.bottom
            width: parent.width
            /// Large text: the buttons are below the status.
            readonly property bool stacked: width - buttons.width < Style.size(220)
            height: stacked ? status.height + buttons.height + 3 * Style.gap3 : Math.max(Style.size(76), status.height + 2 * Style.gap3)
            color: Style.raised
            Paragraph {
                id: status
                objectName: "status"
                x: Style.gap4
                y: foot.stacked ? Style.gap3 : (parent.height - height) / 2
                width: parent.width - 2 * x - (foot.stacked ? 0 : buttons.width + Style.gap3)
                text: screen.room.status
                strong: true
                Accessible.role: Accessible.StaticText
                Accessible.name: text
            }
            Row {
                id: buttons
                x: parent.width - width - Style.gap3
                y: foot.stacked ? parent.height - height - Style.gap3 : (parent.height - height) / 2
                spacing: Style.gap2
                PushButton {
                    id: ready
                    objectName: "ready"
                    visible: screen.room.seated && !screen.room.hosting && !screen.room.starting
                    kind: screen.room.ready || screen.room.awaiting ? "quiet" : "primary"
                    big: true
                    symbol: screen.room.ready ? "check" : ""
                    text: screen.room.ready ? qsTr("Ready") : screen.room.awaiting ? qsTr("Play now") : qsTr("I’m ready")
                    enabled: screen.room.canAnswer
                    Accessible.checkable: true
                    Accessible.checked: screen.room.ready
                    onClicked: screen.room.setReady(!screen.room.ready)
                }
                PushButton {
                    id: begin
                    objectName: "begin"
                    visible: screen.room.hosting && !screen.room.starting
                    kind: screen.room.canStart ? "primary" : "quiet"
                    big: true
                    symbol: "play"
                    text: screen.room.taken < screen.room.capacity ? qsTr("Begin now") : qsTr("Begin")
                    enabled: screen.room.canStart
                    onClicked: screen.room.begin()
                }
                FourSigns {
                    id: busy
                    visible: screen.room.starting
                    anchors.verticalCenter: parent.verticalCenter
                    width: Style.size(40)
                    height: width
                    colors: Style.sign
                    RotationAnimation on rotation {
                        running: busy.visible && !Style.reduced && !Style.still
                        from: 0
                        to: 360
                        duration: 2400
                        loops: Style.repeats
                    }
                }
            }
        }
    }

    Component {
        id: invitation
        Invitation {
            picture: Style.gap7 * (screen.roomy ? 4 : 2.5)
            link: screen.room.link
            code: screen.room.code
            qr: screen.room.qr
            locked: screen.room.pin
            onLinkCopied: screen.room.copyLink()
            onCodeCopied: screen.room.copyCode()
        }
    }

    Later {
        wanted: screen.room.comparing
        sourceComponent: ComparingSheet {
            comparing: screen.room.comparing
            cards: screen.room.safetyHand
            sentence: screen.room.safetyText
            onDone: screen.room.goOn()
        }
    }

    // The invitation, if it has room there, and the chat.
    Column {
        id: right
        anchors.top: left.top
        anchors.right: bar.right
        width: Math.round(Math.min(Style.size(460), screen.span * (screen.span < Style.size(800) ? 0.44 : 0.38)))
        spacing: Style.gap3

        Loader {
            id: beside
            width: parent.width
            visible: active
            active: screen.inviting && !screen.narrow
            sourceComponent: invitation
        }
        Panel {
            width: parent.width
            height: Math.max(Style.target * 2, left.height - (beside.visible ? beside.height + parent.spacing : 0))
            ChatPanel {
                id: chat
                objectName: "chat"
                anchors.fill: parent
                anchors.margins: Style.gap3
                model: app.chat.lines
                longest: app.chat.longest
                talk: app.chat
                onSaid: text => app.chat.say(text)
                onFinished: ready.forceActiveFocus()
            }
        }
    }

    Component.onCompleted: app.chat.open = true
    Component.onDestruction: app.chat.open = false
}
