// The cards that choose the first dealer: everybody's, the highest outlined by its owner's name.
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
        model: chosen.hands
        Column {
            id: one
            required property var modelData
            spacing: Style.gap1
            Row {
                spacing: -chosen.cardWidth * 0.5
                anchors.horizontalCenter: parent.horizontalCenter
                Repeater {
                    model: one.modelData.cards
                    Card {
                        required property var modelData
                        width: chosen.cardWidth
                        height: width * CardStyle.ratio
                        colour: modelData.colour
                        rank: modelData.rank
                        playable: one.modelData.seat === chosen.dealer
                    }
                }
            }
            Line {
                width: chosen.nameWidth
                horizontalAlignment: Text.AlignHCenter
                text: one.modelData.name
                size: Style.small
                strong: true
            }
        }
    }
}
