// A challenged hand that lies open for a moment, and what was found in it. Who may not see the hand
// sees only what was found. A click goes on.
import QtQuick
import "../Style"
import "../Parts"

Item {
    id: hand

    property string title
    /// What was found; empty until it is known.
    property string verdict
    property bool guilty: false
    /// [{slot, colour, rank}]
    property var cards: []
    /// The greatest height.
    property real most: 200
    readonly property bool bare: cards.length === 0
    signal closed()

    readonly property real cardHeight: Math.max(Style.length(56), Math.min(Style.length(96), most - head.height - Style.gap1 - 2 * Style.gap2))
    readonly property real cardWidth: Math.floor(cardHeight / CardStyle.ratio)

    implicitHeight: Math.min(most, head.height + Style.gap1 + 2 * Style.gap2 + (bare ? found.implicitHeight : Math.max(cardHeight, aside.wanted)))
    Accessible.role: Accessible.Dialog
    Accessible.name: title
    Accessible.description: verdict

    function take(): void {
        if (!bare)
            close.forceActiveFocus(Qt.TabFocusReason)
    }

    TapHandler {
        gesturePolicy: TapHandler.ReleaseWithinBounds
        onTapped: hand.closed()
    }
    HoverHandler { cursorShape: Qt.PointingHandCursor }

    Line {
        id: head
        y: Style.gap2
        width: parent.width
        fontSizeMode: Text.HorizontalFit
        minimumPixelSize: Style.length(11)
        text: hand.title
        size: Style.small
        strong: true
        soft: true
    }
    Row {
        id: row
        readonly property int count: hand.cards.length
        readonly property real space: aside.x - Style.gap3
        y: head.y + head.height + Style.gap1
        spacing: count < 2 ? 0 : Math.min(Style.gap2, (space - count * hand.cardWidth) / (count - 1))
        Repeater {
            model: hand.cards
            Card {
                required property var modelData
                width: hand.cardWidth
                height: hand.cardHeight
                colour: modelData.colour
                rank: modelData.rank
            }
        }
    }
    Item {
        id: aside
        readonly property real wanted: gauge.implicitHeight + Style.gap1 + close.height
        x: hand.bare ? 0 : parent.width - width
        y: row.y
        width: hand.bare ? parent.width : Math.max(close.width, Math.min(Style.size(230), parent.width * 0.42))
        height: parent.height - y - Style.gap2
        Paragraph {
            id: gauge
            visible: false
            width: parent.width
            text: hand.verdict
            size: Style.lead
            font.weight: Style.weightHeavy
            lineHeight: 1
            Accessible.ignored: true
        }
        Paragraph {
            id: found
            objectName: "verdict"
            width: parent.width
            height: hand.bare ? parent.height : parent.height - close.height - Style.gap1
            fontSizeMode: gauge.implicitHeight > height ? Text.Fit : Text.FixedSize
            minimumPixelSize: 9
            verticalAlignment: hand.bare ? Text.AlignTop : Text.AlignVCenter
            text: hand.verdict
            size: Style.lead
            font.weight: Style.weightHeavy
            lineHeight: 1
        }
        PushButton {
            id: close
            objectName: "goOn"
            visible: !hand.bare
            anchors.bottom: parent.bottom
            text: qsTr("Go on")
            onClicked: hand.closed()
        }
    }
}
