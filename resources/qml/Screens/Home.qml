// The first page: what the user can begin, and the tables on the network.
import QtQuick
import "../Style"
import "../Parts"
import "../Home"
import "../Host"

FocusScope {
    id: screen

    readonly property var home: app.home
    readonly property var settings: app.settings
    readonly property bool roomy: width >= 1360 && height >= 820
    readonly property real edge: roomy ? Style.gap7 + Style.gap4 : Style.gap6
    readonly property real span: Math.min(width - 2 * edge, 1400)
    /// Whether the user wants to watch the table that asks for a PIN.
    property bool watching: false
    readonly property Item firstFocus: firstRow ?? host
    /// The button that joins the first table, if there is one.
    property Item firstRow: null

    function goTo(index: int): void {
        found.itemAt(index)?.button.forceActiveFocus(Qt.TabFocusReason)
    }
    function sit(table: string, pin: string, watch: bool): void {
        watching = watch
        if (watch)
            home.watch(table, pin)
        else
            home.join(table, pin)
    }

    Backdrop { anchors.fill: parent }

    // What the user can begin.
    ScrollArea {
        id: left
        objectName: "beginnings"
        x: (parent.width - screen.span) / 2 - padding
        y: screen.edge - Style.gap2 - padding
        width: Math.round(screen.span * 0.43) + 2 * padding + Style.gap3
        height: parent.height - 2 * y
        padding: Style.gap2

        Column {
            id: beginnings
            width: parent.width
            spacing: screen.roomy ? Style.gap4 : Style.gap3

            Logo { id: logo; size: Math.min(screen.roomy ? Style.display * 1.4 : Style.display, parent.width / 5.4) }
            HeroCards {
                width: parent.width
                // The rest of the height, down to a minimum.
                height: Math.max(Style.size(96), left.height - 2 * left.padding - below.height
                    - logo.size * 1.37 - 3 * parent.spacing)
            }
            Column {
                id: below
                width: parent.width
                spacing: screen.roomy ? Style.gap3 : Style.gap2

                StartTile {
                    id: host
                    objectName: "host"
                    width: parent.width
                    loud: true
                    symbol: "plus"
                    text: qsTr("Host a table")
                    note: qsTr("Everybody on this network sees it at once")
                    below: practice
                    beside: screen.firstRow
                    onClicked: app.open("host")
                }
                Panel {
                    id: alone
                    /// Large text: the number of bots is below.
                    readonly property bool stacked: width - bots.width < Style.size(210)
                    width: parent.width
                    height: practice.height + (stacked ? bots.height + Style.gap2 : 0)
                    color: Style.raised
                    border.color: Style.edge
                    StartTile {
                        id: practice
                        objectName: "practice"
                        width: parent.width - (alone.stacked ? 0 : bots.width + Style.gap3)
                        bare: true
                        symbol: "bot"
                        text: qsTr("Practise")
                        note: qsTr("Against bots, offline")
                        above: host
                        below: join
                        beside: bots
                        onClicked: screen.home.practise(bots.value)
                    }
                    Stepper {
                        id: bots
                        objectName: "practiceBots"
                        x: parent.width - width - Style.gap2
                        y: alone.stacked ? practice.height : (parent.height - height) / 2
                        width: Style.target * 2 + Style.size(62)
                        label: qsTr("Bots to practise against")
                        from: 1
                        to: 9
                        value: screen.settings.practiceBots
                        words: value => qsTr("%n bots", "", value)
                        onValueModified: screen.settings.practiceBots = value
                    }
                }
                StartTile {
                    id: join
                    objectName: "join"
                    above: practice
                    below: verify
                    width: parent.width
                    symbol: "link"
                    text: qsTr("Join by link or code")
                    note: qsTr("For a table that is not in the list")
                    onClicked: app.open("join")
                }
                Row {
                    id: ways
                    width: parent.width
                    spacing: Style.gap2
                    readonly property real each: (width - 3 * spacing) / 4
                    NavTile {
                        id: verify
                        objectName: "verifier"
                        width: ways.each
                        above: join
                        symbol: "shield"
                        text: qsTr("Verify")
                        onClicked: app.open("verifier")
                    }
                    NavTile {
                        objectName: "history"
                        width: ways.each
                        above: join
                        symbol: "history"
                        text: qsTr("History")
                        onClicked: app.open("history")
                    }
                    NavTile {
                        objectName: "rules"
                        width: ways.each
                        above: join
                        symbol: "book"
                        text: qsTr("Rules")
                        onClicked: app.open("rules")
                    }
                    NavTile {
                        objectName: "settings"
                        width: ways.each
                        above: join
                        symbol: "settings"
                        text: qsTr("Settings")
                        onClicked: app.open("settings")
                    }
                }
            }
        }
    }

    // The tables to join.
    Item {
        id: right
        anchors.top: parent.top
        anchors.topMargin: screen.edge
        anchors.bottom: parent.bottom
        anchors.bottomMargin: screen.edge
        x: left.x + left.width + (screen.roomy ? Style.gap7 : Style.gap5)
        width: (parent.width + screen.span) / 2 - x

        Item {
            id: head
            width: parent.width
            height: Style.target
            Line {
                id: heading
                width: parent.width - chip.width - Style.gap3
                height: parent.height
                text: qsTr("Tables on this network")
                size: Style.title
                fontSizeMode: Text.Fit
                minimumPixelSize: Style.body
                wrapMode: Text.Wrap
                maximumLineCount: 2
                heavy: true
                Accessible.role: Accessible.Heading
                Accessible.name: text
            }
            PlayerChip {
                id: chip
                objectName: "me"
                anchors.right: parent.right
                // A long name is cut in favour of the heading; a click shows all of it.
                width: Math.min(implicitWidth, Math.max(Style.target * 2.5, head.width - Math.ceil(heading.implicitWidth) - Style.gap3))
                name: screen.settings.playerName
                avatar: screen.settings.avatar
                onClicked: me.open()
            }
        }

        Panel {
            anchors.top: head.bottom
            anchors.topMargin: Style.gap3
            anchors.bottom: parent.bottom
            width: parent.width
            color: Style.alpha(Style.surface, Style.dark ? 0.72 : 0.8)
            radius: Style.radius4

            ScrollArea {
                id: lists
                objectName: "tables"
                anchors.fill: parent
                anchors.topMargin: Style.gap3
                anchors.bottomMargin: Style.gap3
                anchors.leftMargin: Style.gap3
                padding: Style.gap1

                // Rows do not move under the pointer.
                HoverHandler { onHoveredChanged: screen.home.hold(hovered) }

                Column {
                    width: parent.width
                    spacing: Style.gap2
                    move: Transition {
                        NumberAnimation { properties: "y"; duration: Style.rearrange; easing.type: Easing.OutCubic }
                    }

                    Loader {
                        width: parent.width
                        active: screen.settings.newcomer
                        visible: active
                        sourceComponent: Welcome {
                            name: screen.settings.playerName
                            avatar: screen.settings.avatar
                            avatars: screen.settings.avatars
                            settings: screen.settings
                            onRenamed: name => screen.settings.playerName = name
                            onRecoloured: avatar => screen.settings.avatar = avatar
                            onDone: screen.settings.met()
                        }
                    }
                    Notice {
                        objectName: "joinError"
                        visible: screen.home.joinError !== "" && screen.home.pinWanted === ""
                        width: parent.width
                        mood: "danger"
                        text: screen.home.joinError
                    }
                    Repeater {
                        model: screen.home.interrupted
                        InterruptedRow {
                            width: parent.width
                            onWentOn: screen.home.goOn(model.id)
                            onForgotten: screen.home.forget(model.id)
                        }
                    }
                    Repeater {
                        id: found
                        onItemAdded: screen.firstRow = itemAt(0).button
                        onItemRemoved: screen.firstRow = itemAt(0)?.button ?? null
                        model: screen.home.tables
                        TableRow {
                            required property int index
                            width: parent.width
                            Keys.onUpPressed: screen.goTo(index - 1)
                            Keys.onDownPressed: screen.goTo(index + 1)
                            Keys.onLeftPressed: host.forceActiveFocus(Qt.TabFocusReason)
                            onJoined: screen.sit(model.id, "", false)
                            onWatched: screen.sit(model.id, "", true)
                            onRulesWanted: {
                                told.table = model.name
                                told.title = model.rulesTitle
                                told.sentences = model.rules
                                told.open()
                            }
                        }
                    }
                    Paragraph {
                        visible: found.count > 0 && screen.home.searching
                        width: parent.width
                        topPadding: Style.gap2
                        horizontalAlignment: Text.AlignHCenter
                        text: qsTr("Looking for more…")
                        size: Style.small
                        soft: true
                    }
                    Item {
                        visible: found.count === 0
                        width: parent.width
                        height: Math.max(searching.height, lists.height - 2 * lists.padding - y - Style.gap1)
                        Searching {
                            id: searching
                            anchors.centerIn: parent
                            width: Math.min(parent.width - 2 * Style.gap3, Style.size(420))
                            looking: screen.home.searching
                            status: screen.home.status
                            blocked: screen.home.blocked
                            tight: !screen.roomy && (screen.settings.newcomer || screen.home.interrupted.count > 1)
                            onHosted: app.open("host")
                            onRetried: screen.home.retry()
                        }
                    }
                }
            }
        }
    }

    Later {
        id: me
        sourceComponent: Sheet {
            id: card
            title: qsTr("This is how the others see you")
            first: identity.input
            onClosed: identity.commit()
            Identity {
                id: identity
                width: parent.width
                name: screen.settings.playerName
                avatar: screen.settings.avatar
                avatars: screen.settings.avatars
                settings: screen.settings
                onEntered: card.close()
                onRenamed: name => screen.settings.playerName = name
                onRecoloured: avatar => screen.settings.avatar = avatar
            }
            actions: [
                PushButton {
                    objectName: "meDone"
                    kind: "primary"
                    text: qsTr("Done")
                    onClicked: if (identity.commit()) card.close()
                }
            ]
        }
    }

    Later {
        id: told
        property string table
        property string title
        property var sentences: []
        sourceComponent: RulesSheet {
            title: told.table
            text: told.title
            sentences: told.sentences
        }
    }
    Later {
        wanted: screen.home.joining
        sourceComponent: JoiningSheet {
            visible: screen.home.joining
            name: screen.home.joiningName
            onGivenUp: screen.home.cancelJoin()
        }
    }
    Later {
        wanted: screen.home.pinWanted !== ""
        sourceComponent: PinSheet {
            readonly property string wanted: screen.home.pinWanted
            fault: screen.home.joinError
            warning: screen.home.pinWarning
            onWantedChanged: wanted !== "" ? open() : close()
            watching: screen.watching
            onGiven: pin => screen.sit(wanted, pin, screen.watching)
            onClosed: {
                if (wanted !== "" && !screen.home.joining)
                    screen.home.cancelJoin()
            }
            Component.onCompleted: {
                if (wanted !== "")
                    open()
            }
        }
    }
}
