// A few card backs side by side, which show roughly how many cards a player holds. All backs exist
// from the start: a deal to ten players would otherwise create them all at the same moment.
import QtQuick
import "../Style"
import "../Parts"

Item {
    id: fan

    property int count: 0
    property real cardWidth: 15
    readonly property int shown: Math.min(count, 5)

    implicitWidth: shown > 0 ? cardWidth + (shown - 1) * cardWidth * 0.42 : cardWidth
    implicitHeight: cardWidth * CardStyle.ratio

    Repeater {
        model: 5
        Rectangle {
            required property int index
            visible: index < fan.shown
            x: index * fan.cardWidth * 0.42
            width: fan.cardWidth
            height: fan.cardWidth * CardStyle.ratio
            radius: 2.5
            antialiasing: true
            color: CardStyle.backBody
            border.width: 1
            border.color: CardStyle.backMark
            rotation: (index - (fan.shown - 1) / 2) * 5
        }
    }
}
