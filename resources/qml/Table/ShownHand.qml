// A hand that was shown to this player alone, or opened to everybody, for some seconds.
import QtQuick
import "../Style"
import "../Parts"

Panel {
    id: hand

    property string name
    property bool toAll: false
    /// [{slot, colour, rank}]
    property var cards: []
    property real seconds: 0
    property real total: 12
    /// The available width.
    property real most: 600
    readonly property string title: (toAll ? qsTr("Everybody sees this: the hand of %1") : qsTr("Only you see this: the hand of %1")).arg("\u2068" + name + "\u2069")
    signal closed()

    shadow: true
    implicitWidth: Math.max(Math.min(Style.size(360), most), row.width + 2 * Style.gap4)
    implicitHeight: column.height + 2 * Style.gap4
    Accessible.role: Accessible.Dialog
    Accessible.name: title

    function take(): void { close.forceActiveFocus(Qt.TabFocusReason) }

    // Clicks do not pass through to items below.
    TapHandler { gesturePolicy: TapHandler.ReleaseWithinBounds }
    HoverHandler { blocking: true }

    Column {
        id: column
        x: Style.gap4
        y: Style.gap4
        width: parent.width - 2 * Style.gap4
        spacing: Style.gap3
        Paragraph {
            width: parent.width
            text: hand.title
            strong: true
        }
        Item {
            width: parent.width
            height: row.height
            Row {
                id: row
                readonly property real side: Style.size(58)
                readonly property int count: hand.cards.length
                readonly property real wanted: Math.min(count > 6 ? Style.size(420) : count * (side + 6), hand.most - 2 * Style.gap4)
                spacing: 6 - Math.max(0, Math.min(side - 18, (count * (side + 6) - 6 - wanted) / Math.max(1, count - 1)))
                anchors.horizontalCenter: parent.horizontalCenter
                Repeater {
                    model: hand.cards
                    Card {
                        required property var modelData
                        width: row.side
                        height: width * CardStyle.ratio
                        colour: modelData.colour
                        rank: modelData.rank
                    }
                }
            }
        }
        Row {
            spacing: Style.gap3
            anchors.horizontalCenter: parent.horizontalCenter
            TurnClock {
                id: left
                total: hand.total
                remaining: hand.seconds
                few: 3
            }
            PushButton {
                id: close
                text: qsTr("Seen")
                onClicked: hand.closed()
            }
        }
    }
    // The owner sets the seconds once; the countdown is here.
    Timer {
        interval: 250
        repeat: true
        running: hand.visible && hand.seconds > 0
        onTriggered: {
            hand.seconds = Math.max(0, hand.seconds - interval / 1000)
            if (hand.seconds <= 0)
                hand.closed()
        }
    }
}
