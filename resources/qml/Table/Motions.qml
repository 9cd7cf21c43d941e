// Turns events into motions: which cards fly where, and which words appear over which seat. The
// models show the new state already; a card in flight is hidden at its place.
import QtQuick
import "../Style"

Item {
    id: motions

    property Item fan
    property Item piles
    property int mySeat: -1
    /// Whether the piles are visible. Until then, dealt cards wait.
    property bool laid: true
    property var dealt: []
    property var names: [qsTr("Red"), qsTr("Yellow"), qsTr("Green"), qsTr("Blue")]
    /// seat -> the place of that seat's cards, in scene coordinates.
    property var placeOf: seat => Qt.rect(0, 0, 0, 0)
    /// seat -> the place for words about it, in scene coordinates; -1: about everybody.
    property var spotOf: seat => Qt.point(-1, -1)
    /// This player's cards that flew before they were opened: slot -> whether they have landed.
    property var unopened: ({})
    /// Cards that have just been opened; their places are known a moment later.
    property var opened: []
    readonly property int most: 3
    readonly property alias flying: air.flying
    /// The number of words that are shown.
    readonly property int saying: words.children.length

    function moved(kind: string, from: int, to: int, cards: var): void {
        switch (kind) {
        case "deal": dealt.push([to, cards]); deliver(); break
        case "draw": draw(to, cards); break
        case "start": lay(piles.drawPlace(), cards, false); break
        case "play": lay(from === mySeat && fan ? fan.placeOf(cards[0].slot) : placeOf(from), cards, from === mySeat); break
        case "swap": swap(from, to, cards.length); break
        case "shuffle": for (let i = 0; i < most; i++)
                air.fly(null, piles.discardPlace(), piles.drawPlace(), false, false, i * Style.ms(60), null)
            break
        case "skip": say(to, qsTr("Skipped"), "skip", "warn"); break
        case "reverse": sayAt(spotOf(-1), qsTr("Reverse!"), "reverse", "accent"); break
        case "uno": say(to, qsTr("UNO!"), "", "loud"); break
        case "catch": say(to, qsTr("Caught!"), "hand", "danger"); break
        case "challenge": say(from, qsTr("Challenge!"), "eye", "danger"); break
        case "colour": sayAt(spotOf(-1), names[cards[0].colour], "", "accent"); break
        case "out": if (to >= 0) say(to, qsTr("Out!"), "trophy", "good"); break
        case "left": say(to, qsTr("Has left"), "exit", "warn"); break
        case "drop": say(to, qsTr("Is gone"), "exit", "warn"); break
        case "return": say(to, qsTr("Is back"), "check", "good"); break
        case "host": say(to, qsTr("Is the host now"), "crown", "accent"); break
        }
    }
    onLaidChanged: deliver()
    function deliver(): void {
        if (!laid)
            return
        for (const [seat, cards] of dealt)
            deal(seat, cards)
        dealt = []
    }
    /// Show the true state: end all motions.
    function clear(): void {
        dealt = []
        unopened = ({})
        air.clear()
        for (const one of [...words.children])
            one.destroy()
        if (piles)
            piles.flying = 0
        if (fan)
            fan.arriving = ({})
    }

    function deal(seat: int, cards: var): void {
        if (seat === mySeat && fan) {
            draw(seat, cards)
            return
        }
        for (let i = 0; i < Math.min(most, cards.length); i++)
            air.fly(null, piles.drawPlace(), placeOf(seat), false, false, i * Style.ms(90), null)
    }
    function draw(seat: int, cards: var): void {
        const mine = seat === mySeat && fan !== null
        const from = piles.drawPlace()
        const many = mine ? cards.length : Math.min(most, cards.length)
        for (let i = 0; i < many; i++) {
            // The card may have been opened since it was drawn.
            const there = mine ? fan.cardOf(cards[i].slot) : null
            const card = there ? { slot: there.slot, colour: there.colour, rank: there.rank } : cards[i]
            const open = mine && card.rank >= 0
            if (open && !Style.reduced)
                fan.expect(card.slot, true)
            if (mine && !open)
                unopened[card.slot] = false
            air.fly(card, from, mine ? fan.placeOf(card.slot) : placeOf(seat), false, open, i * Style.ms(80),
                    open ? () => fan.expect(card.slot, false) : mine ? () => land(card.slot) : null)
        }
    }
    function land(slot: int): void {
        if (unopened[slot] === undefined)
            return
        unopened[slot] = true
        turn(slot)
    }
    /// Fly a landed card from the middle of the hand to its place, turning it over.
    function turn(slot: int): void {
        const card = fan ? fan.cardOf(slot) : null
        if (!card || !unopened[slot])
            return
        delete unopened[slot]
        air.fly({ slot: slot, colour: card.colour, rank: card.rank }, fan.middlePlace(), card.place(), false, true, 0,
                () => fan.expect(slot, false))
    }
    function turnOpened(): void {
        const slots = opened
        opened = []
        for (const slot of slots)
            turn(slot)
    }
    Connections {
        target: motions.fan
        function onCame(slot: int): void {
            if (motions.unopened[slot] === undefined)
                return
            motions.fan.expect(slot, !Style.reduced)
            if (Style.reduced) {
                delete motions.unopened[slot]
            } else {
                motions.opened.push(slot)
                Qt.callLater(motions.turnOpened)
            }
        }
    }
    function lay(from: rect, cards: var, open: bool): void {
        if (Style.reduced || from.width <= 0)
            return
        piles.flying += 1
        air.fly(cards[0], from, piles.discardPlace(), open, true, 0, () => { piles.flying = Math.max(0, piles.flying - 1) })
    }
    function swap(from: int, to: int, many: int): void {
        const place = seat => seat === mySeat && fan ? fan.middlePlace() : placeOf(seat)
        for (let i = 0; i < Math.min(5, Math.max(1, many)); i++)
            air.fly(null, place(from), place(to), false, false, i * Style.ms(50), null)
    }
    function say(seat: int, text: string, symbol: string, mood: string): void {
        const spot = spotOf(seat)
        if (spot.x >= 0)
            sayAt(spot, text, symbol, mood)
    }
    /// Show a word. Words at the same place and time are stacked downwards, in the middle of the
    /// table upwards, because the prompt is below.
    function sayAt(place: point, text: string, symbol: string, mood: string): void {
        const at = mapFromItem(null, place.x, place.y)
        const middle = spotOf(-1)
        const up = place.x === middle.x && place.y === middle.y
        let y = at.y
        for (const one of words.children)
            if (Math.abs(one.x - at.x) < Style.size(120) && Math.abs(one.y - y) < Style.size(34))
                y = one.y + Style.size(up ? -36 : 36)
        word.createObject(words, { x: at.x, y: y, text: text, symbol: symbol, mood: mood })
    }

    FlyingCards { id: air; anchors.fill: parent }
    Item { id: words; anchors.fill: parent }
    Component { id: word; Flash {} }
}
