// The verifier: opening a file, waiting for the verdict, and inspecting the result.
import QtQuick
import QtQuick.Dialogs
import "../Style"
import "../Parts"
import "../Verifier"

FocusScope {
    id: screen

    readonly property var verifier: app.verifier
    readonly property bool told: verifier.state === "done" && verifier.moments > 0
    /// No room for the verdict and the game side by side.
    readonly property bool narrow: told && width < Style.size(980)

    Keys.onPressed: event => {
        const plain = (event.modifiers & ~Qt.KeypadModifier) === Qt.NoModifier
        event.accepted = plain && timeline.visible && timeline.press(event.key)
    }

    Backdrop { anchors.fill: parent }

    Row {
        id: bar
        x: Style.gap5
        y: Style.gap4
        width: parent.width - 2 * Style.gap5
        spacing: Style.gap3
        IconButton {
            id: back
            objectName: "back"
            symbol: "back"
            label: qsTr("Back")
            key: "Esc"
            onClicked: app.back()
        }
        Column {
            anchors.verticalCenter: parent.verticalCenter
            width: parent.width - back.width - buttons.width - 2 * Style.gap3
            Line {
                width: parent.width
                text: qsTr("Verify a game")
                size: Style.title
                heavy: true
            }
            Line {
                visible: text !== ""
                width: parent.width
                text: screen.verifier.fileName
                size: Style.small
                soft: true
                elide: Text.ElideMiddle
            }
        }
        Row {
            id: buttons
            spacing: Style.gap2
            readonly property bool tight: bar.width < Style.size(620)
            IconButton {
                objectName: "saveCopyIcon"
                visible: buttons.tight && screen.verifier.state === "done"
                symbol: "share"
                label: qsTr("Save a copy…")
                onClicked: saving.open()
            }
            IconButton {
                objectName: "openFileIcon"
                visible: buttons.tight && screen.verifier.state !== "empty"
                symbol: "folder"
                label: qsTr("Open a file…")
                onClicked: opening.open()
            }
            PushButton {
                objectName: "saveCopy"
                visible: !buttons.tight && screen.verifier.state === "done"
                symbol: "share"
                text: qsTr("Save a copy…")
                onClicked: saving.open()
            }
            PushButton {
                objectName: "openFile"
                visible: !buttons.tight && screen.verifier.state !== "empty"
                symbol: "folder"
                text: qsTr("Open a file…")
                onClicked: opening.open()
            }
        }
    }

    Item {
        id: below
        anchors.top: bar.bottom
        anchors.topMargin: Style.gap4
        anchors.bottom: parent.bottom
        anchors.bottomMargin: Style.gap4
        x: Style.gap5
        width: parent.width - 2 * Style.gap5

        Column {
            visible: screen.verifier.state === "empty"
            anchors.centerIn: parent
            width: Math.min(parent.width, Style.size(520))
            spacing: Style.gap4
            Icon {
                name: "shield"
                color: dropping.containsDrag ? Style.accentStrong : Style.accent
                width: Style.size(76)
                height: width
                anchors.horizontalCenter: parent.horizontalCenter
            }
            Paragraph {
                width: parent.width
                horizontalAlignment: Text.AlignHCenter
                text: qsTr("Was the shuffle fair?")
                size: Style.head
                strong: true
            }
            Paragraph {
                width: parent.width
                horizontalAlignment: Text.AlignHCenter
                text: qsTr("Every game is kept as a .lanuno file, signed by all of its players. Drop one here, and this computer works out every card again: who shuffled how, what everybody held, and whether every move was allowed.")
                soft: true
            }
            PushButton {
                anchors.horizontalCenter: parent.horizontalCenter
                objectName: "openFirst"
                kind: "primary"
                big: true
                symbol: "folder"
                text: qsTr("Open a file…")
                focus: true
                onClicked: opening.open()
            }
        }

        Column {
            visible: screen.verifier.state === "busy"
            anchors.centerIn: parent
            width: Math.min(parent.width, Style.size(420))
            spacing: Style.gap4
            Paragraph {
                width: parent.width
                horizontalAlignment: Text.AlignHCenter
                text: qsTr("Working out every card again…")
                size: Style.title
                strong: true
            }
            Rectangle {
                width: parent.width
                height: Style.gap2
                radius: height / 2
                color: Style.line
                Accessible.role: Accessible.ProgressBar
                Accessible.name: qsTr("%1 percent checked").arg(Math.round(100 * screen.verifier.progress))
                Rectangle {
                    width: parent.width * screen.verifier.progress
                    height: parent.height
                    radius: parent.radius
                    color: Style.accent
                }
            }
            PushButton {
                anchors.horizontalCenter: parent.horizontalCenter
                text: qsTr("Cancel")
                onClicked: screen.verifier.cancel()
            }
        }

        Column {
            visible: screen.verifier.state === "failed"
            anchors.centerIn: parent
            width: Math.min(parent.width, Style.size(520))
            spacing: Style.gap4
            Icon {
                name: "warn"
                color: Style.danger
                width: Style.size(56)
                height: width
                anchors.horizontalCenter: parent.horizontalCenter
            }
            Paragraph {
                width: parent.width
                horizontalAlignment: Text.AlignHCenter
                text: screen.verifier.headline
                size: Style.title
                strong: true
            }
            Paragraph {
                width: parent.width
                horizontalAlignment: Text.AlignHCenter
                text: screen.verifier.explanation
            }
            PushButton {
                anchors.horizontalCenter: parent.horizontalCenter
                text: qsTr("Try again")
                symbol: "refresh"
                onClicked: screen.verifier.again()
            }
        }

        TabStrip {
            id: tabs
            objectName: "tabs"
            visible: screen.narrow
            model: [qsTr("The verdict"), qsTr("The game")]
        }

        Verdict {
            id: verdict
            objectName: "verdict"
            visible: screen.verifier.state === "done" && (!screen.narrow || tabs.current === 0)
            width: screen.told && !screen.narrow ? Math.max(Style.size(312), parent.width * 0.32) : Math.min(parent.width, Style.size(560))
            x: screen.told && !screen.narrow ? 0 : (parent.width - width) / 2
            y: screen.narrow ? tabs.height + Style.gap3 : 0
            height: parent.height - y
            mood: screen.verifier.mood
            headline: screen.verifier.headline
            explanation: screen.verifier.explanation
            sentences: screen.verifier.sentences
            absences: screen.verifier.absences
            checks: screen.verifier.checks
            blames: screen.verifier.blames
        }

        Timeline {
            id: timeline
            objectName: "timeline"
            visible: screen.told && (!screen.narrow || tabs.current === 1)
            x: screen.narrow ? 0 : verdict.width + Style.gap5
            y: verdict.y
            width: parent.width - x
            height: parent.height - y
            rounds: screen.verifier.rounds
            round: screen.verifier.round
            moments: screen.verifier.moments
            moment: screen.verifier.moment
            momentText: screen.verifier.momentText
            hands: screen.verifier.hands
            topCard: screen.verifier.top
            named: screen.verifier.named
            pile: screen.verifier.pile
            card: screen.verifier.card
            cardName: screen.verifier.cardName
            cardFace: screen.verifier.cardFace
            path: screen.verifier.path
            onRoundChosen: index => screen.verifier.showRound(index)
            onMomentChosen: moment => screen.verifier.goTo(moment)
            onCardChosen: card => screen.verifier.follow(card)
        }
    }

    DropArea {
        id: dropping
        anchors.fill: parent
        keys: ["text/uri-list"]
        onDropped: drop => {
            if (drop.hasUrls)
                screen.verifier.openUrl(drop.urls[0])
        }
    }
    Rectangle {
        visible: dropping.containsDrag
        anchors.fill: parent
        anchors.margins: Style.gap2
        radius: Style.radius4
        color: "transparent"
        border.width: Style.focusWidth
        border.color: Style.accent
    }

    // The dialogs are separate windows: close them together with the page.
    Component.onDestruction: {
        opening.close()
        saving.close()
    }
    FileDialog {
        id: opening
        title: qsTr("Open a game")
        nameFilters: [qsTr("LanUNO games (*.lanuno)"), qsTr("All files (*)")]
        onAccepted: screen.verifier.openUrl(selectedFile)
    }
    FileDialog {
        id: saving
        title: qsTr("Save a copy")
        fileMode: FileDialog.SaveFile
        defaultSuffix: "lanuno"
        nameFilters: [qsTr("LanUNO games (*.lanuno)")]
        onAccepted: screen.verifier.saveCopy(selectedFile)
    }
}
