// The right half of the verifier: the timeline of one round, with every hand open, and the path of
// the chosen card.
import QtQuick
import "../Style"
import "../Parts"

Item {
    id: timeline

    property var rounds
    property int round: 0
    property int moments: 0
    property int moment: 0
    property string momentText
    property var hands
    property var topCard: ({})
    property int named: -1
    property int pile: 0
    property int card: -1
    property string cardName
    property var cardFace: ({})
    property var path
    signal roundChosen(int index)
    signal momentChosen(int moment)
    signal cardChosen(int card)

    readonly property real cardWidth: Style.target
    readonly property bool atEnd: moment >= moments - 1
    /// Whether the round goes on by itself, a moment at a time.
    property bool playing: false

    /// Shows the moment that was asked for, and plays no further.
    function choose(wanted: int): void {
        playing = false
        momentChosen(wanted)
    }
    function togglePlaying(): void {
        if (!playing && atEnd)
            momentChosen(0)
        playing = !playing && moments > 1
    }
    onAtEndChanged: if (atEnd) playing = false
    onRoundChanged: playing = false
    onVisibleChanged: if (!visible) playing = false

    Timer {
        objectName: "playTimer"
        running: timeline.playing
        repeat: true
        // Reduced motion keeps the steps, which are asked for, at a calmer pace.
        interval: Style.reduced ? 2000 : 1000
        onTriggered: timeline.momentChosen(timeline.moment + 1)
    }

    /// Acts on a key that nothing nearer to the focus has used; returns whether it did.
    function press(key: int): bool {
        if (key === Qt.Key_Left || key === Qt.Key_Right)
            choose(moment + (key === Qt.Key_Left ? -1 : 1))
        else if (key === Qt.Key_Home || key === Qt.Key_End)
            choose(key === Qt.Key_Home ? 0 : moments - 1)
        else if (key === Qt.Key_P)
            togglePlaying()
        else
            return false
        return true
    }

    Row {
        id: choice
        spacing: Style.gap2
        IconButton {
            symbol: "back"
            label: qsTr("The previous round")
            enabled: timeline.round > 0
            onClicked: timeline.roundChosen(timeline.round - 1)
        }
        Column {
            anchors.verticalCenter: parent.verticalCenter
            width: Math.max(Style.size(220), roundTitle.implicitWidth, Math.min(roundDetail.implicitWidth, timeline.width / 2))
            readonly property var shown: timeline.rounds.count > timeline.round
                ? timeline.rounds.get(timeline.round) : ({ title: "", detail: "", state: "open" })
            Line {
                id: roundTitle
                text: parent.shown.title
                size: Style.lead
                strong: true
            }
            Line {
                id: roundDetail
                width: parent.width
                text: parent.shown.detail
                size: Style.small
                color: parent.shown.state === "bad" ? Style.danger : Style.inkSoft
            }
        }
        IconButton {
            symbol: "forward"
            label: qsTr("The next round")
            enabled: timeline.round < timeline.rounds.count - 1
            onClicked: timeline.roundChosen(timeline.round + 1)
        }
    }

    Row {
        anchors.right: parent.right
        anchors.verticalCenter: choice.verticalCenter
        spacing: Style.gap3
        Badge {
            anchors.verticalCenter: parent.verticalCenter
            visible: timeline.pile >= 0
            symbol: "cards"
            text: qsTr("%n on the draw pile", "", timeline.pile)
        }
        Sign {
            anchors.verticalCenter: parent.verticalCenter
            visible: timeline.named >= 0
            kind: Math.max(0, timeline.named)
            width: Style.size(26)
            height: width
        }
        Card {
            visible: timeline.topCard.rank !== undefined
            width: Style.size(32)
            height: implicitHeight
            colour: timeline.topCard.colour ?? 0
            rank: timeline.topCard.rank ?? 0
            shadow: false
        }
    }

    ScrollArea {
        id: area
        anchors.top: choice.bottom
        anchors.topMargin: Style.gap3
        anchors.bottom: scrubber.top
        anchors.bottomMargin: Style.gap3
        width: parent.width - (trail.visible ? trail.width + Style.gap4 : 0)
        Column {
            width: parent.width
            spacing: Style.gap2
            Repeater {
                model: timeline.hands
                delegate: OpenHand {
                    width: parent.width
                    cardWidth: timeline.cardWidth
                    followed: timeline.card
                    onCardChosen: card => timeline.cardChosen(card === timeline.card ? -1 : card)
                }
            }
        }
    }

    Panel {
        id: trail
        visible: timeline.card >= 0
        anchors.right: parent.right
        anchors.top: area.top
        anchors.bottom: area.bottom
        width: Style.size(232)
        Row {
            id: followed
            x: Style.gap3
            y: Style.gap3
            width: parent.width - 2 * Style.gap3
            spacing: Style.gap2
            Card {
                width: timeline.cardWidth
                height: implicitHeight
                colour: timeline.cardFace.colour ?? 0
                rank: timeline.cardFace.rank ?? 0
                shadow: false
            }
            Paragraph {
                width: parent.width - timeline.cardWidth - stop.width - 2 * Style.gap2
                anchors.verticalCenter: parent.verticalCenter
                text: qsTr("The path of %1").arg(timeline.cardName)
                strong: true
            }
            IconButton {
                id: stop
                anchors.verticalCenter: parent.verticalCenter
                symbol: "close"
                label: qsTr("Follow no card")
                onClicked: timeline.cardChosen(-1)
            }
        }
        ScrollArea {
            anchors.top: followed.bottom
            anchors.topMargin: Style.gap2
            anchors.bottom: parent.bottom
            anchors.bottomMargin: Style.gap2
            x: Style.gap3
            width: parent.width - 2 * Style.gap3
            Column {
                width: parent.width
                spacing: Style.gap1
                Repeater {
                    model: timeline.path
                    delegate: PathStop {
                        width: parent.width
                        onChosen: moment => timeline.choose(moment)
                    }
                }
            }
        }
    }

    Column {
        id: scrubber
        anchors.bottom: parent.bottom
        width: parent.width
        Paragraph {
            objectName: "momentText"
            width: parent.width
            height: Style.size(42)
            verticalAlignment: Text.AlignVCenter
            maximumLineCount: 2
            elide: Text.ElideRight
            text: timeline.momentText
            size: Style.lead
        }
        Row {
            width: parent.width
            spacing: Style.gap2
            IconButton {
                id: play
                objectName: "playRound"
                symbol: timeline.playing ? "pause" : "play"
                label: timeline.playing ? qsTr("Pause") : qsTr("Play the round step by step")
                tip: label + " (P)"
                enabled: timeline.moments > 1
                onClicked: timeline.togglePlaying()
            }
            IconButton {
                id: before
                symbol: "back"
                label: qsTr("One step back")
                key: "←"
                enabled: timeline.moment > 0
                onClicked: timeline.choose(timeline.moment - 1)
            }
            Range {
                objectName: "scrubber"
                width: parent.width - play.width - before.width - after.width - place.width - 4 * Style.gap2
                anchors.verticalCenter: parent.verticalCenter
                label: qsTr("Moment of the round")
                from: 0
                to: Math.max(1, timeline.moments - 1)
                stepSize: 1
                value: timeline.moment
                words: value => qsTr("%1 of %2").arg(value + 1).arg(timeline.moments)
                onMoved: timeline.choose(Math.round(value))
            }
            IconButton {
                id: after
                symbol: "forward"
                label: qsTr("One step forward")
                key: "→"
                enabled: timeline.moment < timeline.moments - 1
                onClicked: timeline.choose(timeline.moment + 1)
            }
            Line {
                id: place
                width: Style.size(76)
                horizontalAlignment: Text.AlignRight
                anchors.verticalCenter: parent.verticalCenter
                text: (timeline.moment + 1) + " / " + timeline.moments
                soft: true
            }
        }
    }
}
