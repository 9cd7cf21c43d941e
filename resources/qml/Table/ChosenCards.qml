// The cards that choose the first dealer, above their players' names; the dealer's are outlined.
import QtQuick
import "../Style"
import "../Parts"

Flow {
    id: chosen

    /// [{seat, name, cards: [{slot, colour, rank}]}]
    property var hands: []
    property int dealer: -1
    property real cardWidth: Style.size(50)
    readonly property real nameWidth: cardWidth + Style.size(26)

    spacing: Style.gap3

    Repeater {
        // By number, so that an opened card recreates only itself.
        model: chosen.hands.length
        Column {
            id: one
            required property int index
            readonly property var hand: chosen.hands[index] ?? ({ seat: -1, name: "", cards: [] })
            spacing: Style.gap1
            Row {
                spacing: -chosen.cardWidth * 0.5
                anchors.horizontalCenter: parent.horizontalCenter
                Repeater {
                    model: one.hand.cards.length
                    // Loaded one after the other, so that nothing else stops meanwhile.
                    Loader {
                        id: place
                        required property int index
                        readonly property var face: one.hand.cards[index] ?? ({ colour: 0, rank: 0 })
                        asynchronous: !Style.still
                        // A card may be removed before it has loaded: Qt would warn of that.
                        Component.onDestruction: active = false
                        width: chosen.cardWidth
                        height: width * CardStyle.ratio
                        sourceComponent: Card {
                            colour: place.face.colour
                            rank: place.face.rank
                            playable: one.hand.seat === chosen.dealer
                        }
                    }
                }
            }
            Line {
                width: chosen.nameWidth
                horizontalAlignment: Text.AlignHCenter
                text: one.hand.name
                size: Style.small
                strong: true
            }
        }
    }
}
