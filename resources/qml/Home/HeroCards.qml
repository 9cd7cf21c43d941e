// A decorative hand of cards, which opens when the screen appears.
import QtQuick
import "../Style"
import "../Parts"

Item {
    id: hero

    // A yellow 5, a green Reverse, a Wild, a red 7, a blue +2. The numbers of ranks never change.
    readonly property list<var> cards: [
        { colour: 1, rank: 5 }, { colour: 2, rank: 11 }, { colour: -1, rank: 13 },
        { colour: 0, rank: 7 }, { colour: 3, rank: 12 }
    ]
    readonly property real cardHeight: Math.min(height * 0.88, width * 0.4)
    readonly property real cardWidth: cardHeight / CardStyle.ratio
    readonly property real base: height - Math.max(height - cardHeight * 1.14, 0) / 2 - cardHeight * 0.03
    property real open: 1

    Accessible.ignored: true

    NumberAnimation on open {
        running: !Style.reduced && !Style.still
        from: 0.1
        to: 1
        duration: Style.ms(620)
        easing.type: Easing.OutBack
        easing.overshoot: 0.9
        // Also if motion is switched off meanwhile.
        onStopped: hero.open = 1
    }

    Repeater {
        model: hero.cards
        Card {
            id: card
            required property var modelData
            required property int index
            readonly property real place: (index - (hero.cards.length - 1) / 2) * hero.open
            width: hero.cardWidth
            height: hero.cardHeight
            colour: modelData.colour
            rank: modelData.rank
            x: hero.width / 2 - width / 2 + place * hero.cardWidth * 0.5
            y: hero.base - height - (2 - Math.abs(place)) * hero.cardHeight * 0.045 + Math.abs(place) * hero.cardHeight * 0.012
            rotation: place * 9
            transformOrigin: Item.Bottom
            antialiasing: true
        }
    }
}
