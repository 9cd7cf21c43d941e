// Opening a table: the rulebook, who may come, and every house rule. The initial values are enough
// to begin.
import QtQuick
import "../Style"
import "../Parts"
import "../Host"

FocusScope {
    id: screen

    readonly property var host: app.host
    readonly property Item firstFocus: begin
    readonly property bool roomy: width >= 1320
    readonly property real edge: roomy ? Style.gap6 : Style.gap5
    readonly property real span: Math.min(width - 2 * edge, 1500)

    /// What is wrong in a field; "" if nothing is.
    function problemAt(field: string): string {
        return host.problemField === field ? host.problem : ""
    }
    function showProblem(): void {
        const fields = { name: name, pin: pin, seats: seats, practice: practice }
        let field = fields[host.problemField]
        for (let i = 0; i < settings.count && !field; i++)
            if (settings.itemAt(i).key === host.problemField)
                field = settings.itemAt(i)
        if (!field)
            return
        middle.reveal(field)
        if (field.input)
            field.input.forceActiveFocus(Qt.TabFocusReason)
    }

    Backdrop { anchors.fill: parent }

    TopBar {
        id: bar
        x: (parent.width - screen.span) / 2
        y: Style.gap4
        width: screen.span
        title: screen.host.editing ? qsTr("Change the rules") : qsTr("Host a table")
        subtitle: screen.host.rulesTitle
        onBack: app.back()
        actions: [
            PushButton {
                anchors.verticalCenter: parent.verticalCenter
                objectName: "houseRules"
                symbol: "book"
                text: qsTr("How it is played")
                onClicked: told.open()
            }
        ]
    }
    Later {
        id: told
        sourceComponent: RulesSheet {
            title: screen.host.rulesTitle
            sentences: screen.host.summary
        }
    }
    Later {
        id: naming
        property string renamed
        sourceComponent: SaveSheet {
            host: screen.host
            renamed: naming.renamed
        }
    }

    Item {
        id: body
        anchors.top: bar.bottom
        anchors.topMargin: Style.gap3
        anchors.bottom: foot.top
        anchors.bottomMargin: Style.gap3
        x: bar.x
        width: screen.span

        Panel {
            id: left
            width: Math.round(Math.min(parent.width * 0.44, Math.max(Style.size(300), Math.min(parent.width * 0.27, Style.size(380)))))
            height: parent.height
            Line {
                id: leftTitle
                x: Style.gap4
                y: Style.gap3
                width: parent.width - 2 * x
                text: qsTr("Rulebook")
                size: Style.lead
                strong: true
                Accessible.role: Accessible.Heading
                Accessible.name: text
            }
            ScrollArea {
                id: rulebooks
                objectName: "presets"
                function revealChosen(): void {
                    for (const row of rows.children)
                        if (row.chosen)
                            reveal(row)
                }
                anchors.top: leftTitle.bottom
                anchors.topMargin: Style.gap1
                anchors.bottom: parent.bottom
                anchors.bottomMargin: Style.gap2
                x: Style.gap1
                width: parent.width - Style.gap1
                padding: Style.gap1
                Column {
                    id: rows
                    width: parent.width
                    spacing: Style.gap1
                    onPositioningComplete: Qt.callLater(rulebooks.revealChosen)
                    Repeater {
                        id: savedRows
                        model: screen.host.saved
                        SavedRow {
                            width: parent.width
                            chosen: screen.host.savedName === model.name
                            onClicked: screen.host.chooseSaved(model.name)
                            onRenamed: {
                                naming.renamed = model.name
                                naming.open()
                            }
                            onDeleted: screen.host.deleteSaved(model.name)
                        }
                    }
                    Rectangle {
                        visible: savedRows.count > 0
                        x: Style.gap3
                        width: parent.width - 2 * x
                        height: Style.hair
                        color: Style.edge
                    }
                    Repeater {
                        model: screen.host.presets
                        PresetRow {
                            objectName: "preset-" + model.id
                            width: parent.width
                            chosen: screen.host.preset === model.id && screen.host.savedName === ""
                            onClicked: screen.host.choosePreset(model.id)
                        }
                    }
                }
            }
        }

        ScrollArea {
            id: middle
            objectName: "area"
            x: left.width + Style.gap3 - padding
            y: -padding
            width: parent.width - x - (screen.roomy ? right.width + Style.gap2 : -Style.gap3)
            height: parent.height + padding
            padding: Style.gap1

            Column {
                width: parent.width
                spacing: Style.gap3

                Panel {
                    width: parent.width
                    height: table.height + 2 * Style.gap4
                    Column {
                        id: table
                        x: Style.gap4
                        y: Style.gap4
                        width: parent.width - 2 * x
                        spacing: Style.gap3
                        Flow {
                            visible: !screen.host.editing
                            width: parent.width
                            spacing: Style.gap4
                            readonly property bool stacked: width < Style.size(290)
                            Field {
                                id: name
                                objectName: "tableName"
                                fault: screen.problemAt("name")
                                width: parent.stacked ? parent.width : (parent.width - parent.spacing) * 0.6
                                label: qsTr("Name of the table")
                                text: screen.host.tableName
                                placeholder: screen.host.usualName
                                maximumLength: 32
                                input.enabled: !screen.host.practice
                                onEdited: text => screen.host.tableName = text
                            }
                            Field {
                                id: pin
                                objectName: "pin"
                                fault: screen.problemAt("pin")
                                width: parent.stacked ? parent.width : Math.floor((parent.width - parent.spacing) * 0.4)
                                label: qsTr("PIN")
                                placeholder: qsTr("none")
                                text: screen.host.pin
                                maximumLength: 32
                                hint: /^[0-9]+$/.test(text) ? qsTr("A word is harder to guess than a number.") : ""
                                input.enabled: !screen.host.practice
                                inputMethodHints: Qt.ImhNoPredictiveText | Qt.ImhNoAutoUppercase
                                onEdited: text => screen.host.pin = text
                            }
                        }
                        Grid {
                            width: parent.width
                            columns: width < Style.size(560) ? 1 : 2
                            columnSpacing: Style.gap5
                            rowSpacing: Style.gap2
                            readonly property real each: (width - (columns - 1) * columnSpacing) / columns
                            Setting {
                                id: seats
                                width: parent.each
                                title: qsTr("Seats")
                                fault: screen.problemAt("seats")
                                Stepper {
                                    objectName: "seats"
                                    readonly property var choices: screen.host.seatChoices
                                    label: qsTr("Seats")
                                    from: 0
                                    to: choices.length - 1
                                    value: choices.indexOf(screen.host.seats)
                                    words: value => String(choices[value] ?? "")
                                    onValueModified: {
                                        screen.host.seats = choices[value]
                                        value = Qt.binding(() => choices.indexOf(screen.host.seats))
                                    }
                                }
                            }
                            Setting {
                                visible: !screen.host.editing && !screen.host.tournament
                                width: parent.each
                                title: qsTr("Bots")
                                Stepper {
                                    objectName: "bots"
                                    label: qsTr("Bots")
                                    from: 0
                                    to: screen.host.botsMax
                                    value: screen.host.bots
                                    enabled: !screen.host.practice && to > 0
                                    onValueModified: {
                                        screen.host.bots = value
                                        value = Qt.binding(() => screen.host.bots)
                                    }
                                }
                            }
                        }
                        Setting {
                            id: rounds
                            width: parent.width
                            title: qsTr("Rounds")
                            visible: !screen.host.editing && !screen.host.tournament
                            Stepper {
                                objectName: "rounds"
                                width: Math.min(rounds.width, Math.max(Math.min(implicitWidth, rounds.room), Style.target * 2 + Style.size(158)))
                                label: qsTr("Rounds")
                                from: 0
                                to: 30
                                value: screen.host.rounds
                                words: value => value === 0 ? qsTr("until somebody wins") : String(value)
                                onValueModified: {
                                    screen.host.rounds = value
                                    value = Qt.binding(() => screen.host.rounds)
                                }
                            }
                        }
                        Toggle {
                            objectName: "spectators"
                            visible: !screen.host.editing
                            width: parent.width
                            text: qsTr("Others may watch")
                            note: qsTr("Spectators see how many cards everybody holds, never which ones.")
                            checked: screen.host.spectators
                            enabled: !screen.host.practice
                            onToggled: {
                                screen.host.spectators = checked
                                checked = Qt.binding(() => screen.host.spectators)
                            }
                        }
                        Toggle {
                            id: practice
                            objectName: "practice"
                            visible: !screen.host.editing
                            width: parent.width
                            text: qsTr("Alone against bots")
                            note: qsTr("The table is opened for you alone, without a network.")
                            checked: screen.host.practice
                            onToggled: {
                                screen.host.practice = checked
                                checked = Qt.binding(() => screen.host.practice)
                            }
                        }
                    }
                }

                Panel {
                    width: parent.width
                    height: rules.height + 2 * Style.gap4
                    Column {
                        id: rules
                        x: Style.gap4
                        y: Style.gap4
                        width: parent.width - 2 * x
                        Item {
                            id: top
                            /// Large text: the buttons are below the heading.
                            readonly property bool stacked: width - keep.width - reset.width - Style.gap2 < Style.size(190)
                            width: parent.width
                            height: stacked ? heading.height + Style.gap2 + buttons.height : Math.max(Style.target, heading.height)
                            Column {
                                id: heading
                                width: parent.width - (top.stacked ? 0 : buttons.width + Style.gap3)
                                y: top.stacked ? 0 : (parent.height - height) / 2
                                Line {
                                    width: parent.width
                                    text: qsTr("House rules")
                                    size: Style.lead
                                    strong: true
                                    Accessible.role: Accessible.Heading
                                    Accessible.name: text
                                }
                                Line {
                                    width: parent.width
                                    text: screen.host.rulesChanged ? qsTr("Changes are marked")
                                        : qsTr("Exactly as in the rulebook")
                                    size: Style.small
                                    color: screen.host.rulesChanged ? Style.accentSoftInk : Style.inkSoft
                                }
                            }
                            Flow {
                                id: buttons
                                x: parent.width - width
                                width: top.stacked ? parent.width : keep.width + Style.gap2 + reset.width
                                y: top.stacked ? parent.height - height : (parent.height - height) / 2
                                spacing: Style.gap2
                                PushButton {
                                    id: keep
                                    objectName: "keepRules"
                                    symbol: "star"
                                    text: qsTr("Save…")
                                    Accessible.name: qsTr("Save these rules under a name")
                                    enabled: screen.host.rulesChanged
                                    onClicked: {
                                        naming.renamed = ""
                                        naming.open()
                                    }
                                }
                                PushButton {
                                    id: reset
                                    objectName: "resetRules"
                                    symbol: "refresh"
                                    text: qsTr("As in the rulebook")
                                    enabled: screen.host.rulesChanged
                                    onClicked: screen.host.resetRules()
                                }
                            }
                        }
                        Repeater {
                            id: settings
                            model: screen.host.settings
                            Column {
                                id: entry
                                readonly property string key: model.key
                                required property var model
                                required property int index
                                /// The first setting of a section shows the section's name.
                                readonly property bool first: index === 0 || screen.host.settings.get(index - 1).section !== model.section
                                width: rules.width
                                Line {
                                    visible: entry.first
                                    width: parent.width
                                    height: visible ? implicitHeight + Style.gap4 + Style.gap1 : 0
                                    topPadding: Style.gap4
                                    text: entry.model.sectionTitle
                                    size: Style.small
                                    strong: true
                                    color: Style.accentSoftInk
                                    Accessible.role: Accessible.Heading
                                    Accessible.name: text
                                }
                                Rectangle {
                                    visible: !entry.first
                                    width: parent.width
                                    height: Style.hair
                                    color: Style.line
                                }
                                HouseRule {
                                    width: parent.width
                                    model: entry.model
                                    fault: screen.problemAt(entry.model.key)
                                    onDecided: value => screen.host.set(entry.model.key, value)
                                }
                            }
                        }
                    }
                }
            }
        }

        Item {
            id: right
            visible: screen.roomy
            anchors.right: parent.right
            width: Style.size(340)
            height: parent.height
            ScrollArea {
                width: parent.width + Style.gap3
                height: parent.height
                Summary {
                    width: parent.width
                    title: qsTr("How it is played")
                    sentences: screen.host.summary
                }
            }
        }
    }

    Item {
        id: foot
        anchors.bottom: parent.bottom
        anchors.bottomMargin: Style.gap4
        x: bar.x
        width: screen.span
        height: Math.max(begin.height, words.height)
        Row {
            id: words
            anchors.verticalCenter: parent.verticalCenter
            width: parent.width - begin.width - Style.gap4
            spacing: Style.gap2
            readonly property bool bad: screen.host.problem !== ""
            Icon {
                id: sign
                anchors.verticalCenter: parent.verticalCenter
                name: words.bad ? "warn" : screen.host.editing ? "people" : screen.host.practice ? "bot" : screen.host.pin !== "" ? "lock" : "network"
                color: words.bad ? Style.danger : Style.inkSoft
            }
            Paragraph {
                objectName: "problem"
                anchors.verticalCenter: parent.verticalCenter
                width: parent.width - sign.width - Style.gap2
                maximumLineCount: 3
                elide: Text.ElideRight
                text: words.bad ? screen.host.problem
                    : screen.host.editing ? qsTr("Everybody has to be ready again.")
                    : screen.host.practice ? qsTr("Only you and the bots.")
                    : screen.host.pin !== "" ? qsTr("Everybody on this network sees the table; players need the PIN to join.")
                    : qsTr("Everybody on this network sees the table and can join.")
                strong: words.bad
                color: words.bad ? Style.danger : Style.inkSoft
            }
        }
        PushButton {
            id: begin
            objectName: "begin"
            anchors.right: parent.right
            anchors.verticalCenter: parent.verticalCenter
            kind: "primary"
            big: true
            symbol: "play"
            text: screen.host.editing ? qsTr("Use these rules") : screen.host.practice ? qsTr("Begin") : qsTr("Open the table")
            enabled: !screen.host.busy
            focus: true
            onClicked: screen.host.problem === "" ? screen.host.begin() : screen.showProblem()
        }
    }
}
