// Turns events into motions: which cards fly where, and which words appear over which seat. The
// models show the new state already; a card in flight is hidden at its place. Motions follow one
// another in the order of the events: each waits until the cards before it have landed.
import QtQuick
import "../Style"
import "../Parts"

Item {
    id: motions

    property Item fan
    property Item piles
    property int mySeat: -1
    /// Whether the piles are visible. Until then, all motions wait.
    property bool laid: true
    /// The motions that wait, [kind, from, to, cards].
    property var waiting: []
    /// The slot of this player's card that flies to the pile, or lies there, but is not in the log
    /// yet; -1 if there is none.
    property int sent: -1
    /// Whether that card is in the log by now.
    property bool taken: false
    /// Whether the last motion that began is a deal.
    property bool dealing: false
    property var names: [qsTr("Red"), qsTr("Yellow"), qsTr("Green"), qsTr("Blue")]
    /// seat -> the place of that seat's cards, in scene coordinates.
    property var placeOf: seat => Qt.rect(0, 0, 0, 0)
    /// (seat, width, height, taken) -> the middle of words about it, in scene coordinates.
    property var bubblePlace: (seat, wide, high, taken) => Qt.point(-1, -1)
    /// () -> the place for words about everybody, in scene coordinates.
    property var middle: () => Qt.point(-1, -1)
    /// This player's cards that flew before they were opened: slot -> whether they have landed.
    property var unopened: ({})
    /// Cards that have just been opened; their places are known a moment later.
    property var opened: []
    readonly property int most: 3
    readonly property alias flying: air.flying
    /// The number of words that are shown.
    readonly property int saying: words.children.length

    function moved(kind: string, from: int, to: int, cards: var): void {
        // What this player does is shown at once, so everything before it ends.
        if (kind === "mine") {
            if (sent < 0)
                finish()
        } else if (kind === "lay") {
            cards.forEach(send)
        } else if (kind === "back") {
            takeBack()
        } else if (kind === "play" && cards[0].slot === sent) {
            take()
        } else {
            wait(kind, from, to, cards)
        }
        proceed()
    }
    /// Fly this player's card to the pile, where it lies until it is in the log.
    function send(card: var): void {
        if (!fan || !laid || sent >= 0)
            return
        finish()
        const from = fan.placeOf(card.slot)
        sent = card.slot
        fan.expect(sent, true)
        air.fly(card, from, piles.discardPlace(), true, true, 0, () => sentLanded(card))
    }
    function sentLanded(card: var): void {
        if (sent !== card.slot)
            return
        if (taken) {
            forgetSent()
            return
        }
        const place = piles.discardPlace()
        const at = mapFromItem(null, place.x, place.y)
        resting.x = at.x
        resting.y = at.y
        resting.width = place.width
        resting.colour = card.colour
        resting.rank = card.rank
        resting.visible = true
    }
    /// The card is in the log, so the pile shows it, once it has landed.
    function take(): void {
        if (resting.visible) {
            forgetSent()
        } else {
            taken = true
            piles.flying += 1
        }
    }
    function forgetSent(): void {
        if (taken)
            piles.flying = Math.max(0, piles.flying - 1)
        fan.expect(sent, false)
        endSent()
    }
    function endSent(): void {
        resting.visible = false
        taken = false
        sent = -1
    }
    function takeBack(): void {
        const slot = sent
        if (slot < 0)
            return
        endSent()
        air.clear()
        fan.expect(slot, false)
    }
    /// Let a motion wait. Its cards are not visible at their places yet.
    function wait(kind: string, from: int, to: int, cards: var): void {
        waiting.push([kind, from, to, cards])
        if (kind === "play" || kind === "start")
            piles.flying += 1
        if ((kind === "draw" || kind === "deal") && to === mySeat && fan && !Style.reduced)
            for (const card of cards)
                if (card.rank >= 0)
                    fan.expect(card.slot, true)
                else
                    unopened[card.slot] = false
    }
    onLaidChanged: proceed()
    onFlyingChanged: Qt.callLater(proceed)
    function proceed(): void {
        // The cards of all players are dealt together.
        while (laid && waiting.length > 0 && (flying === 0 || (dealing && waiting[0][0] === "deal"))) {
            dealing = waiting[0][0] === "deal"
            begin(...waiting.shift())
        }
    }
    function begin(kind: string, from: int, to: int, cards: var): void {
        switch (kind) {
        case "deal": deal(to, cards); break
        case "draw": draw(to, cards); break
        case "start": lay(piles.drawPlace(), cards, false); break
        case "play": lay(from === mySeat && fan ? fan.placeOf(cards[0].slot) : placeOf(from), cards, from === mySeat); break
        case "swap": swap(from, to, cards.length); break
        case "shuffle": for (let i = 0; i < most; i++)
                air.fly(null, piles.discardPlace(), piles.drawPlace(), false, false, i * Style.ms(60), null)
            break
        case "skip": say(to, cards.length > 0 ? qsTr("+%1, skipped").arg(cards.length) : qsTr("Skipped"), "skip", "warn"); break
        case "reverse": sayToAll(qsTr("Reverse!"), "reverse", "accent"); break
        case "uno": say(to, qsTr("UNO!"), "", "loud"); break
        case "catch": say(to, qsTr("Caught!"), "hand", "danger"); break
        case "challenge": say(from, qsTr("Challenge!"), "eye", "danger"); break
        case "colour": sayToAll(names[cards[0].colour], "", "accent"); break
        case "out": if (to >= 0) say(to, qsTr("Out!"), "trophy", "good"); break
        case "left": say(to, qsTr("Has left"), "exit", "warn"); break
        case "drop": say(to, qsTr("Is gone"), "exit", "warn"); break
        case "return": say(to, qsTr("Is back"), "check", "good"); break
        case "host": say(to, qsTr("Is the host now"), "crown", "accent"); break
        }
    }
    /// End all motions: cards lie at their places, and words that wait are shown.
    function finish(): void {
        const rest = waiting
        settle()
        for (const one of rest)
            if (one[3].length === 0 || one[0] === "skip" || one[0] === "colour")
                begin(...one)
    }
    /// Show the true state, without the words either.
    function clear(): void {
        settle()
        for (const one of [...words.children])
            one.destroy()
    }
    function settle(): void {
        waiting = []
        endSent()
        unopened = ({})
        air.clear()
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
            else
                delete unopened[card.slot]
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
        air.fly(cards[0], from, piles.discardPlace(), open, true, 0, () => { piles.flying = Math.max(0, piles.flying - 1) })
    }
    function swap(from: int, to: int, many: int): void {
        const place = seat => seat === mySeat && fan ? fan.middlePlace() : placeOf(seat)
        for (let i = 0; i < Math.min(5, Math.max(1, many)); i++)
            air.fly(null, place(from), place(to), false, false, i * Style.ms(50), null)
    }
    /// The places of all words, in the coordinates of this item.
    function places(): var { return [...words.children].map(each => each.place()) }
    /// Show a word about a seat.
    function say(seat: int, text: string, symbol: string, mood: string): void {
        const taken = places()
        const one = word.createObject(words, { text: text, symbol: symbol, mood: mood })
        const spot = bubblePlace(seat, one.wide, one.high, taken)
        if (spot.x < 0)
            one.destroy()
        else
            one.put(mapFromItem(null, spot.x, spot.y))
    }
    /// Show a word about everybody. Words at the same time are stacked upwards: the prompt is below.
    function sayToAll(text: string, symbol: string, mood: string): void {
        const spot = middle()
        const at = mapFromItem(null, spot.x, spot.y)
        for (const one of words.children)
            if (Math.abs(one.x - at.x) < Style.size(120) && Math.abs(one.y - at.y) < Style.size(34))
                at.y = one.y - Style.size(36)
        word.createObject(words, { text: text, symbol: symbol, mood: mood }).put(at)
    }

    Card {
        id: resting
        objectName: "resting"
        visible: false
        height: width * CardStyle.ratio
    }
    FlyingCards { id: air; anchors.fill: parent }
    Item { id: words; anchors.fill: parent }
    Component { id: word; Flash {} }
}
