// The middle of the table: the mat with its direction of play, both piles, the current colour, and
// a pending penalty. During a deal it shows who shuffles. Where there is room, the last moves.
import QtQuick
import "../Style"
import "../Parts"

Item {
    id: deck

    property string phase
    property bool clockwise: true
    property int turn: -1
    property bool calm: false
    property int colour: -1
    property int penalty: 0
    property alias drawPile: piles.drawPile
    property alias discardPile: piles.discardPile
    property alias discards: piles.discards
    property alias topText: piles.topText
    property alias canDraw: piles.canDraw
    property var dealing
    property string dealingText
    property var chosen: []
    property int dealer: -1
    property var moves
    property bool movesShown: true
    readonly property alias piles: piles
    /// Cards of the discard pile that are still in the air.
    readonly property alias cardsMissing: piles.flying
    readonly property bool logShown: log.visible
    signal drawPressed()

    /// The middle of the last card, in the coordinates of the grandparent of this item.
    function lastCard(): point {
        const at = piles.discardPlace()
        const spot = parent.mapFromItem(null, at.x + at.width / 2, at.y + at.height / 2)
        return Qt.point(parent.x + spot.x, spot.y)
    }

    /// The place for words about everybody, in scene coordinates.
    function spot(): point { return mapToItem(null, width / 2, height - Style.gap4) }

    readonly property bool early: phase === "dealing" || phase === "choosing-dealer"
    readonly property bool laid: phase === "playing" || phase === "recovering" || phase === "halted" || (discardPile > 0 && !early)
    /// Whether the cards that choose the dealer are on the table.
    readonly property bool drawn: chosen.some(one => one.cards.length > 0)
    readonly property bool choosing: !laid && (phase === "choosing-dealer" || drawn)
    readonly property real inner: Style.length(26)
    /// Whether the colour is above the piles, because it has no room beside them.
    readonly property bool upright: roomy < badge.longest + Style.gap2 + Style.gap3 + 2.42 * leastCard
    readonly property real leastCard: Style.length(56)
    readonly property bool big: height > Style.size(420) && width > Style.size(700)
    readonly property real roomy: width - 2 * inner
    readonly property real cardWidth: upright
        ? Math.max(Style.length(48), Math.min(leastCard * 1.4, (height - 2 * inner - Style.size(22) - Style.length(44) - badge.wordHeight - Style.gap1) / CardStyle.ratio, roomy / 2.42))
        : Math.max(leastCard, Math.min(140, (height - 2 * inner - Style.size(22) - Style.gap5) / CardStyle.ratio, roomy / 4.6))
    readonly property real badgeSide: upright ? Style.length(44)
        : Math.max(Style.length(44), Math.min(76, cardWidth * 1.1, (roomy - piles.width) / 2 - Style.gap5))
    readonly property real beside: (width - piles.width) / 2

    Mat {
        anchors.fill: parent
        clockwise: deck.clockwise
        turn: deck.turn
        running: deck.phase === "playing" && !deck.calm
    }

    Piles {
        id: piles
        objectName: "piles"
        // In the middle, unless the name of the colour has too little room at the left.
        readonly property real centred: deck.upright ? (deck.width - width) / 2 : Math.max((deck.width - width) / 2, Math.min(atLeft, atRight))
        readonly property real atLeft: deck.inner + (deck.upright ? 0 : Style.gap2 + badge.width + Style.gap3)
        readonly property real atRight: deck.width - deck.inner - Style.gap2 - width
        visible: deck.laid
        x: Math.round(centred)
        anchors.verticalCenter: parent.verticalCenter
        anchors.verticalCenterOffset: deck.upright ? badge.height / 2 : 0
        cardWidth: Math.round(deck.cardWidth)
        colour: deck.colour
        onDrawPressed: deck.drawPressed()
    }
    ColourBadge {
        id: badge
        objectName: "colourBadge"
        visible: deck.laid
        colour: deck.colour
        side: deck.badgeSide
        readonly property real apart: Math.max(Style.gap3, Math.min(Style.gap6, (deck.beside - deck.inner - width) / 2))
        x: deck.upright ? Math.round(piles.x + (piles.width - width - (penalty.visible ? penalty.width + Style.gap2 : 0)) / 2)
            : piles.x - width - apart
        y: deck.upright ? piles.y - height - Style.gap1
            : Math.round(piles.y + (piles.cardHeight - side) / 2) - (penalty.visible ? Style.gap4 : 0)
    }
    PenaltyBadge {
        id: penalty
        objectName: "penalty"
        cards: deck.laid ? deck.penalty : 0
        x: deck.upright ? badge.x + badge.width + Style.gap2 : Math.round(badge.x + (badge.width - width) / 2)
        y: deck.upright ? badge.y + Math.round((badge.side - height) / 2) : badge.y + badge.height + Style.gap2
    }
    MovesLog {
        id: log
        visible: deck.laid && deck.movesShown && width >= Style.size(200)
        compact: true
        model: deck.moves
        x: piles.x + piles.width + Style.gap6
        width: Math.min(Style.size(250), deck.width - x - deck.inner - Style.gap3)
        height: Math.min(Math.floor(piles.cardHeight / lineHeight), 6, deck.moves ? deck.moves.count : 0) * lineHeight
        y: Math.round(piles.y + (piles.cardHeight - height) / 2)
    }

    /// Large text shrinks if the opponents leave little room; `fitting` then shrinks it to fit.
    readonly property real textRoom: roomy < Style.size(560) ? 1 / Math.max(1, Style.textScale) : 1
    function fitting(high: real): real {
        return Math.min(textRoom, (height - 2 * inner) / Math.max(1, high))
    }
    Column {
        visible: !deck.laid
        anchors.centerIn: parent
        width: (deck.roomy - Style.gap4) / deck.textRoom
        scale: deck.fitting(height)
        spacing: Style.gap4
        DealtByAll {
            width: parent.width
            model: deck.dealing
            text: deck.dealingText
            big: deck.big
            whole: !deck.choosing || !deck.drawn
        }
        ChosenCards {
            visible: deck.choosing && deck.drawn
            anchors.horizontalCenter: parent.horizontalCenter
            // The same number in each row, if one row is not enough.
            readonly property int fit: Math.max(1, Math.floor((parent.width + spacing) / (nameWidth + spacing)))
            readonly property int rows: Math.max(1, Math.ceil(deck.chosen.length / fit))
            width: Math.ceil(deck.chosen.length / rows) * (nameWidth + spacing) - spacing
            cardWidth: Style.size(deck.big ? 84 : deck.chosen.length > 6 ? 42 : 50)
            hands: deck.chosen
            dealer: deck.dealer
        }
    }
}
