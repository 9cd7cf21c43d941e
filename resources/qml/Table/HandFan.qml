// This player's hand: a fan that shows at least 24 pixels of every card, in as many rows as that
// needs. Hover or keyboard focus lifts a card. The owner says why it cannot be played, and handles
// clicks.
import QtQuick
import "../Style"
import "../Parts"

FocusScope {
    id: fan

    /// Roles: slot, colour, rank, playable, whyNot, drawn, accessibleName.
    property var model
    /// Whether unplayable cards are dimmed and playable ones are outlined.
    property bool choosing: false
    property real largest: 112
    property int current: 0
    /// Slots of cards that are still flying to the hand.
    property var arriving: ({})
    /// The last places of cards that have left the hand, by slot, in scene coordinates.
    property var left_: ({})

    signal chosen(int slot)
    /// A card was added to the hand.
    signal came(int slot)

    /// Whether the keyboard is in use here. Only then is the card with the focus lifted.
    property bool keyboard: false
    /// The card under the mouse, or with the keyboard focus.
    readonly property Item about: {
        for (let i = 0; i < cards.count; i++)
            if (cards.itemAt(i) && cards.itemAt(i).up)
                return cards.itemAt(i)
        return null
    }
    readonly property string whyNot: about && choosing && !about.playable ? about.whyNot : ""
    readonly property string aboutName: about ? about.name : ""

    readonly property int count: cards.count
    readonly property int strip: Style.length(24)
    readonly property real lift: Math.round(cardHeight * 0.12)
    readonly property int perRow: Math.max(1, Math.floor((width - 64) / strip) + 1)
    readonly property int rows: Math.max(1, Math.ceil(count / perRow))
    readonly property real cardHeight: Math.min(largest * CardStyle.ratio, (height - 8) / (1.12 + 0.42 * (rows - 1)) - 4)
    readonly property real cardWidth: Math.floor(cardHeight / CardStyle.ratio)

    function rowLength(row: int): int {
        const each = Math.ceil(count / rows)
        return Math.min(each, count - row * each)
    }
    function step(row: int): real {
        const many = rowLength(row)
        const free = width - cardWidth - 12
        // Where there is room, the cards at the ends may lean out.
        const lean = Math.max(0, Math.min(cardHeight * 0.14, free - strip * (many - 1)))
        return many < 2 ? 0 : Math.min(cardWidth + 10, (free - lean) / (many - 1))
    }
    function cardOf(slot: int): Item {
        for (let i = 0; i < cards.count; i++)
            if (cards.itemAt(i) && cards.itemAt(i).slot === slot)
                return cards.itemAt(i)
        return null
    }
    /// The present, last or future place of a card, in scene coordinates.
    function placeOf(slot: int): rect {
        const card = cardOf(slot)
        if (card)
            return card.place()
        if (left_[slot] !== undefined)
            return left_[slot]
        return middlePlace()
    }
    /// The place of a card in the middle of the hand, in scene coordinates.
    function middlePlace(): rect {
        const at = mapToItem(null, (width - cardWidth) / 2, height - cardHeight)
        return Qt.rect(at.x, at.y, cardWidth, cardHeight)
    }
    function expect(slot: int, flying: bool): void {
        const next = Object.assign({}, arriving)
        if (flying)
            next[slot] = true
        else
            delete next[slot]
        arriving = next
    }
    /// Take the focus without showing it.
    function rest(): void {
        keyboard = false
        forceActiveFocus()
    }
    function go(to: int): void {
        if (count === 0)
            return
        keyboard = true
        current = Math.max(0, Math.min(count - 1, to))
        const card = cards.itemAt(current)
        if (card)
            card.forceActiveFocus(Qt.TabFocusReason)
    }

    onCountChanged: current = Math.max(0, Math.min(count - 1, current))
    Accessible.role: Accessible.List
    Accessible.name: qsTr("Your hand")

    // A Tab key that moved the focus here is released here.
    Keys.onReleased: event => {
        if (event.key === Qt.Key_Tab || event.key === Qt.Key_Backtab)
            keyboard = true
    }
    Keys.onPressed: event => {
        const each = Math.ceil(count / rows)
        const moves = { [Qt.Key_Left]: current - 1, [Qt.Key_Right]: current + 1,
            [Qt.Key_Home]: 0, [Qt.Key_End]: count - 1 }
        if (rows > 1) {
            moves[Qt.Key_Up] = current - each
            moves[Qt.Key_Down] = current + each
        }
        if (moves[event.key] !== undefined) {
            go(moves[event.key])
            event.accepted = true
        }
    }

    Repeater {
        id: cards
        model: fan.model
        onItemAdded: (index, item) => fan.came(item.slot)
        onItemRemoved: (index, item) => fan.left_[item.slot] = item.place()

        FocusScope {
            id: place

            required property int index
            required property int slot
            required property int colour
            required property int rank
            required property bool playable
            required property string whyNot
            required property bool drawn
            required property string name
            required property string accessibleName

            readonly property int each: Math.max(1, Math.ceil(fan.count / fan.rows))
            readonly property int row: Math.floor(index / each)
            readonly property int many: fan.rowLength(row)
            readonly property real off: index - row * each - (many - 1) / 2
            /// From -1 at the left end of the row to 1 at the right end.
            readonly property real side: many < 2 ? 0 : off / ((many - 1) / 2)
            readonly property bool up: hover.hovered || card.focused
            /// How far the card is lifted. The item grows with it, so all of it takes clicks.
            property real rise: fan.lift * (up ? 1 : card.playable ? 0.55 : 0) + (drawn ? fan.lift * 0.4 : 0)
            Behavior on rise { NumberAnimation { duration: Style.ms(90); easing.type: Easing.OutCubic } }
            readonly property real bend: fan.rows > 1 ? 0 : Math.min(1, many / 7)

            function place(): rect {
                const at = mapToItem(null, 0, 0)
                return Qt.rect(at.x, at.y, width, fan.cardHeight)
            }

            width: fan.cardWidth
            height: fan.cardHeight + rise
            x: (fan.width - width) / 2 + off * fan.step(row)
            y: fan.height - height - 4 - (fan.rows - 1 - row) * fan.cardHeight * 0.42
                - fan.cardHeight * 0.035 * bend * (1 - side * side)
            z: index
            rotation: side * 3.2 * bend
            transformOrigin: Item.Bottom
            focus: index === fan.current
            activeFocusOnTab: index === fan.current
            opacity: fan.arriving[slot] ? 0 : 1

            Behavior on x { NumberAnimation { duration: Style.rearrange; easing.type: Easing.OutCubic } }
            Behavior on rotation { NumberAnimation { duration: Style.rearrange } }

            onActiveFocusChanged: if (activeFocus) fan.current = index

            Accessible.role: Accessible.Button
            Accessible.name: accessibleName
            Accessible.description: whyNot
            Accessible.focusable: true
            Accessible.onPressAction: fan.chosen(slot)
            Keys.onReturnPressed: fan.chosen(slot)
            Keys.onEnterPressed: fan.chosen(slot)
            Keys.onSpacePressed: fan.chosen(slot)

            Card {
                id: card
                width: parent.width
                height: fan.cardHeight
                colour: place.colour
                rank: place.rank
                playable: fan.choosing && place.playable
                dimmed: fan.choosing && !place.playable
                focused: place.activeFocus && fan.keyboard
                shadow: true
            }
            HoverHandler {
                id: hover
                blocking: true
                cursorShape: Qt.PointingHandCursor
            }
            TapHandler {
                gesturePolicy: TapHandler.ReleaseWithinBounds
                onTapped: {
                    fan.current = place.index
                    fan.rest()
                    fan.chosen(place.slot)
                }
            }
        }
    }
}
