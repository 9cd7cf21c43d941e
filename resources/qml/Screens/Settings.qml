// The settings. A change takes effect immediately, everywhere.
import QtQuick
import QtQuick.Templates as T
import "../Style"
import "../Parts"
import "../Settings"

FocusScope {
    id: screen

    readonly property var settings: app.settings

    Component.onCompleted: {
        settings.refreshAdapters()
        settings.lookForSound()
    }

    Backdrop { anchors.fill: parent }

    TopBar {
        id: bar
        x: Style.gap5
        y: Style.gap4
        width: parent.width - 2 * Style.gap5
        title: qsTr("Settings")
        backButton.focus: true
        onBack: app.back()
    }

    ScrollArea {
        id: area
        objectName: "area"
        anchors.top: bar.bottom
        anchors.topMargin: Style.gap2
        anchors.bottom: parent.bottom
        x: Math.max(0, (parent.width - width) / 2)
        width: Math.min(parent.width, Style.size(1240))
        padding: Style.gap5

        Flow {
            id: columns
            readonly property bool two: width >= 2 * Style.size(420)
            readonly property real each: two ? Math.floor((width - spacing) / 2) : width
            width: parent.width
            spacing: Style.gap4

            Column {
                width: columns.each
                spacing: Style.gap4

                Section {
                    width: parent.width
                    symbol: "person"
                    title: qsTr("You")
                    Row {
                        width: parent.width
                        spacing: Style.gap4
                        Avatar {
                            id: face
                            anchors.verticalCenter: parent.verticalCenter
                            width: Style.size(64)
                            height: width
                            name: screen.settings.playerName
                            colour: screen.settings.avatar
                        }
                        NameField {
                            objectName: "name"
                            width: parent.width - face.width - parent.spacing
                            label: qsTr("Your name, as the others see it")
                            name: screen.settings.playerName
                            settings: screen.settings
                            onRenamed: name => screen.settings.playerName = name
                        }
                    }
                    AvatarPicker {
                        objectName: "avatar"
                        width: parent.width
                        name: screen.settings.playerName
                        count: screen.settings.avatars
                        current: screen.settings.avatar
                        onChosen: index => screen.settings.avatar = index
                    }
                }

                Section {
                    width: parent.width
                    symbol: "eye"
                    title: qsTr("Language and appearance")
                    Options {
                        objectName: "language"
                        width: parent.width
                        label: qsTr("Language")
                        values: ["", ...screen.settings.languages]
                        texts: [qsTr("Same as the system"), ...screen.settings.languageNames]
                        value: screen.settings.language
                        onChosen: value => screen.settings.language = value
                    }
                    Options {
                        objectName: "theme"
                        width: parent.width
                        label: qsTr("Colours")
                        values: ["system", "light", "dark"]
                        texts: [qsTr("Same as the system"), qsTr("Light"), qsTr("Dark")]
                        symbols: ["", "sunny", "moon"]
                        value: screen.settings.theme
                        onChosen: value => screen.settings.theme = value
                    }
                    Options {
                        objectName: "textScale"
                        width: parent.width
                        label: qsTr("Text size")
                        values: screen.settings.textScales
                        texts: [qsTr("Small"), qsTr("Normal"), qsTr("Large"), qsTr("Larger"), qsTr("Largest")]
                        sizes: screen.settings.textScales.map(scale => Math.round(Style.body * scale))
                        value: screen.settings.textScale
                        onChosen: value => screen.settings.textScale = value
                    }
                    Options {
                        objectName: "motion"
                        width: parent.width
                        label: qsTr("Motion")
                        note: qsTr("“None” leaves only fades that are too short to notice.")
                        values: [1, 0.5, 0]
                        texts: [qsTr("Full"), qsTr("Quick"), qsTr("None")]
                        value: screen.settings.motion
                        onChosen: value => screen.settings.motion = value
                    }
                }

                Section {
                    width: parent.width
                    symbol: "check"
                    title: qsTr("Automatic moves")
                    Paragraph {
                        width: parent.width
                        text: qsTr("Made for you after a moment, when the rules leave no choice.")
                        size: Style.small
                        soft: true
                    }
                    Toggle {
                        objectName: "autoKeep"
                        width: parent.width
                        text: qsTr("Keep a card that does not fit")
                        note: qsTr("If the card you drew fits, you are asked.")
                        checked: screen.settings.autoKeep
                        onToggled: screen.settings.autoKeep = checked
                    }
                    Toggle {
                        objectName: "autoDraw"
                        width: parent.width
                        text: qsTr("Keep drawing until a card fits")
                        note: qsTr("Only with that house rule. You draw the first card yourself.")
                        checked: screen.settings.autoDraw
                        onToggled: screen.settings.autoDraw = checked
                    }
                    Toggle {
                        objectName: "autoAccept"
                        width: parent.width
                        text: qsTr("Accept a penalty that has no answer")
                        note: qsTr("If you can challenge it or pass it on, you are asked.")
                        checked: screen.settings.autoAccept
                        onToggled: screen.settings.autoAccept = checked
                    }
                }
            }

            Column {
                width: columns.each
                spacing: Style.gap4

                Section {
                    width: parent.width
                    symbol: "cards"
                    title: qsTr("At the table")
                    Options {
                        objectName: "sorting"
                        width: parent.width
                        label: qsTr("Your hand is sorted")
                        values: ["hand", "colour", "value"]
                        texts: [qsTr("in the order drawn"), qsTr("by colour"), qsTr("by value")]
                        value: screen.settings.sorting
                        onChosen: value => screen.settings.sorting = value
                    }
                    Toggle {
                        objectName: "hints"
                        width: parent.width
                        text: qsTr("Hints")
                        note: qsTr("Outlines the cards that you can play, and says why another one does not fit.")
                        checked: screen.settings.hints
                        onToggled: screen.settings.hints = checked
                    }
                    Options {
                        objectName: "botSpeed"
                        width: parent.width
                        label: qsTr("Speed of the bots")
                        note: qsTr("For the bots on your computer; they wait while cards are dealt, and for a player who has to say “UNO”.")
                        values: ["slow", "normal", "fast"]
                        texts: [qsTr("Slow"), qsTr("Normal"), qsTr("Fast")]
                        value: screen.settings.botSpeed
                        onChosen: value => screen.settings.botSpeed = value
                    }
                    Toggle {
                        objectName: "slowClock"
                        width: parent.width
                        text: qsTr("Twice the time for me")
                        note: qsTr("Tables that you join or open from now on give you two turns' worth of clock; the others see it.")
                        checked: screen.settings.slowClock
                        onToggled: screen.settings.slowClock = checked
                    }
                }

                Section {
                    width: parent.width
                    symbol: "bell"
                    title: qsTr("Sound and notifications")
                    Toggle {
                        objectName: "sound"
                        width: parent.width
                        text: qsTr("Sounds")
                        note: qsTr("Short ones for cards and turns; M turns them off and on at the table.")
                        checked: screen.settings.sound
                        onToggled: screen.settings.sound = checked
                    }
                    Column {
                        width: parent.width
                        spacing: Style.gap1
                        Line {
                            width: parent.width
                            text: qsTr("Volume: %1 %").arg(volume.value)
                            strong: true
                            Accessible.ignored: true
                        }
                        Range {
                            id: volume
                            objectName: "volume"
                            width: parent.width
                            label: qsTr("Volume")
                            from: 0
                            to: 100
                            stepSize: 5
                            snapMode: T.Slider.SnapAlways
                            enabled: screen.settings.sound
                            opacity: enabled ? 1 : 0.5
                            value: screen.settings.volume
                            words: value => qsTr("%1 %").arg(value)
                            onMoved: {
                                screen.settings.volume = value
                                sample.restart()
                            }
                            Timer {
                                id: sample
                                interval: 150
                                onTriggered: screen.settings.hearSound()
                            }
                        }
                    }
                    Notice {
                        objectName: "silent"
                        visible: screen.settings.soundState === "none"
                        width: parent.width
                        mood: "accent"
                        symbol: "nosound"
                        title: qsTr("No sound device works now")
                        text: qsTr("LanUNO continues without sound, and tries again automatically. Everything that you can hear is also shown.")
                    }
                    Toggle {
                        objectName: "notifications"
                        width: parent.width
                        text: qsTr("Tell me when it is my turn")
                        note: qsTr("With a system notification, while this window is not in front.")
                        checked: screen.settings.notifications
                        onToggled: screen.settings.notifications = checked
                    }
                    Toggle {
                        objectName: "reactions"
                        width: parent.width
                        text: qsTr("Reactions at the table")
                        note: qsTr("Thumbs up, “well played” and four more. If you hide a player's messages, you do not see their reactions either.")
                        checked: screen.settings.reactions
                        onToggled: screen.settings.reactions = checked
                    }
                }

                Section {
                    width: parent.width
                    symbol: "network"
                    title: qsTr("This computer")
                    Column {
                        width: parent.width
                        spacing: Style.gap1
                        Line { width: parent.width; text: qsTr("Network adapter"); strong: true }
                        Choice {
                            id: adapter
                            objectName: "adapter"
                            width: parent.width
                            label: qsTr("Network adapter")
                            model: [qsTr("All")].concat(screen.settings.adapters)
                            currentIndex: screen.settings.adapters.indexOf(screen.settings.adapter) + 1
                            onActivated: index => screen.settings.adapter = index > 0 ? screen.settings.adapters[index - 1] : ""
                        }
                    }
                    Column {
                        width: parent.width
                        spacing: Style.gap1
                        Line { width: parent.width; text: qsTr("Your games, your key and your settings"); strong: true }
                        Paragraph {
                            width: parent.width
                            text: screen.settings.dataFolder
                            wrapMode: Text.WrapAnywhere
                            size: Style.small
                            soft: true
                        }
                    }
                    Flow {
                        width: parent.width
                        spacing: Style.gap2
                        PushButton {
                            objectName: "openFolder"
                            symbol: "folder"
                            text: qsTr("Open the folder")
                            onClicked: screen.settings.openDataFolder()
                        }
                        PushButton {
                            objectName: "diagnostics"
                            symbol: "copy"
                            text: qsTr("Copy diagnostics")
                            onClicked: screen.settings.copyDiagnostics()
                        }
                    }
                    Paragraph {
                        width: parent.width
                        text: "LanUNO " + app.version
                        size: Style.small
                        soft: true
                    }
                }
            }
        }
    }
}
