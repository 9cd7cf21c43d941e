// The cards that each player still held when the round ended, and their points.
import QtQuick
import QtQuick.Templates as T
import "../Style"
import "../Parts"

ListView {
    id: hands

    /// Large text: the cards are below the name.
    readonly property bool stacked: width < Style.size(300)
    readonly property int cardWidth: Style.size(stacked ? 32 : 38)
    readonly property int cardHeight: Math.round(cardWidth * CardStyle.ratio)

    /// Roles: seat, name, avatar, bot, cards, points.
    clip: true
    spacing: stacked ? Style.gap3 : Style.gap2
    boundsBehavior: Flickable.StopAtBounds
    activeFocusOnTab: true
    Accessible.role: Accessible.List
    Accessible.name: qsTr("Open hands")
    T.ScrollBar.vertical: ThinBar { visible: size < 0.995 }
    FocusRing { shown: hands.activeFocus; around: Style.radius1 }

    OutOfSight { area: hands }
    delegate: Item {
        id: hand
        required property string name
        required property int avatar
        required property bool bot
        required property var cards
        required property int points
        readonly property real head: hands.stacked ? face.height : height
        width: hands.width - Style.gap3
        height: place.y + place.height
        Accessible.role: Accessible.ListItem
        Accessible.name: qsTr("%1, cards: %2, points: %3").arg(name).arg(cards.length).arg(points)

        Avatar {
            id: face
            width: Style.size(30)
            height: width
            y: (hand.head - height) / 2
            name: hand.name
            colour: hand.avatar
            bot: hand.bot
        }
        Line {
            id: who
            x: face.width + Style.gap2
            width: hands.stacked ? worth.x - x - Style.gap2 : Style.size(110)
            height: hand.head
            text: hand.name
            strong: true
        }
        Item {
            id: place
            objectName: "leftCards"
            x: hands.stacked ? 0 : who.x + who.width + Style.gap2
            y: hands.stacked ? face.height + Style.gap1 : 0
            width: (hands.stacked ? parent.width : worth.x - Style.gap2) - x
            height: hand.cards.length === 0 ? (hands.stacked ? none.implicitHeight : hands.cardHeight)
                : rows * (hands.cardHeight + Style.gap1) - Style.gap1
            // The corner of every card stays visible.
            readonly property int perRow: Math.max(1, Math.floor((width - hands.cardWidth) / (hands.cardWidth * 0.36)) + 1)
            readonly property int rows: Math.max(1, Math.ceil(hand.cards.length / perRow))
            readonly property int each: Math.ceil(hand.cards.length / rows)
            readonly property real step: each < 2 ? 0
                : Math.min(hands.cardWidth + Style.gap1, (width - hands.cardWidth) / (each - 1))
            Repeater {
                model: hand.cards
                Card {
                    required property var modelData
                    required property int index
                    x: index % place.each * place.step
                    y: Math.floor(index / place.each) * (hands.cardHeight + Style.gap1)
                    width: hands.cardWidth
                    height: hands.cardHeight
                    colour: modelData.colour
                    rank: modelData.rank
                    shadow: false
                }
            }
            Line {
                id: none
                visible: hand.cards.length === 0
                width: parent.width
                height: parent.height
                text: qsTr("went out")
                soft: true
            }
        }
        Line {
            id: worth
            anchors.right: parent.right
            width: Style.size(48)
            height: hand.head
            horizontalAlignment: Text.AlignRight
            text: String(hand.points)
            size: Style.lead
            heavy: true
        }
    }
}
