// The table: the opponents around the mat, this player's hand below, and the questions of the game.
// Only binds the parts in Table/ to the app, and handles the keys of the game.
import QtQuick
import "../Style"
import "../Parts"
import "../Table"

FocusScope {
    id: screen
    objectName: "tableScreen"
    focus: true

    readonly property var table: app.table
    readonly property bool wide: width >= 1360
    readonly property bool seated: table.seated
    /// The panel beside the table: "moves", "chat", or "" for none.
    property string beside: wide ? "moves" : ""
    property bool accusing: false
    /// The last move in words.
    property var newest: ({})
    readonly property bool accusable: table.canAccuse
    onAccusableChanged: if (!accusable) accusing = false
    readonly property bool catching: table.catchSeats.length > 0
    /// The question to ask now, if any; the first one counts.
    readonly property string wanted: table.shown.open ? "shown" : table.challengeQuestion.open ? "challenge"
        : table.voteQuestion.open ? "vote" : table.colourWanted ? "colour" : ""
    readonly property real edge: Style.gap4

    onWideChanged: beside = wide ? (beside === "" ? "moves" : beside) : (beside === "moves" ? "" : beside)
    onBesideChanged: app.chat.open = beside === "chat"
    /// The question that is open. One about a card opens once that card has landed.
    property string question: ""
    onWantedChanged: {
        if (question !== wanted)
            question = ""
        Qt.callLater(ask)
    }
    function ask(): void {
        // The card is still in this player's hand, so no flight has to end first.
        const own = wanted === "colour" && table.colourSlot >= 0
        if (question !== wanted && (own || deck.cardsMissing === 0))
            question = wanted
    }
    Connections {
        target: deck
        function onCardsMissingChanged(): void { Qt.callLater(screen.ask) }
    }
    onQuestionChanged: Qt.callLater(takeQuestion)
    Component.onCompleted: {
        takeNewest()
        app.chat.open = beside === "chat"
        app.settings.lookForSound()
        rest()
    }
    Component.onDestruction: app.chat.open = false

    /// Whether something covers the whole window. If not, the hand has the keyboard focus.
    readonly property bool veiled: help.holding || safety.holding || app.leaveQuestion !== "" || app.crash !== ""
    onVeiledChanged: if (!veiled) Qt.callLater(takeQuestion)
    function rest(): void {
        if (veiled)
            hand.focus = true
        else
            hand.rest()
    }
    function takeNewest(): void { newest = table.moves.get(table.moves.count - 1) }
    function takeQuestion(): void {
        if (side.typing || veiled)
            return
        if (ended.item)
            ended.item.take()
        else if (strip.asked)
            strip.asked.take()
        else
            rest()
    }
    function chat(shown: bool): void {
        beside = shown ? "chat" : wide ? "moves" : ""
        if (shown)
            side.take()
        else
            rest()
    }
    function showMoves(): void {
        beside = beside === "moves" ? "" : "moves"
        rest()
    }
    /// Handle Esc within the page. Returns whether it did anything; if not, Esc means "back".
    function stepBack(): bool {
        if (side.typing)
            rest()
        else if (ended.active)
            table.closeRoundEnd()
        else if (table.colourWanted && table.colourSlot >= 0)
            table.cancelColour()
        else if (accusing)
            accusing = false
        else if (table.shown.open)
            table.closeShown()
        else
            return false
        return true
    }
    function jumpIn(): void {
        const at = table.hand.get(hand.current)
        if (hand.keyboard && at.playable) {
            table.play(at.slot)
            return
        }
        for (let i = 0; i < table.hand.count; i++)
            if (table.hand.get(i).playable) {
                table.play(table.hand.get(i).slot)
                return
            }
        app.announce(qsTr("No card to jump in with."))
    }
    function pressSeat(seat: int): void {
        if (table.swapSeats.length > 0) {
            table.swapWith(seat)
        } else if (accusing) {
            accusing = false
            table.accuse(seat)
        }
    }
    function placeOf(seat: int): rect {
        for (let i = 0; i < plates.count; i++) {
            const plate = plates.itemAt(i)
            if (plate && plate.seat === seat)
                return plate.cardsPlace()
        }
        return seat === table.mySeat && strip.plate.visible ? strip.plate.cardsPlace() : Qt.rect(0, 0, 0, 0)
    }

    /// Every visible plate, this player's included.
    function allPlates(): var {
        const found = strip.plate.visible ? [strip.plate] : []
        for (let i = 0; i < plates.count; i++)
            if (plates.itemAt(i))
                found.push(plates.itemAt(i))
        return found
    }
    /// The middle of a bubble of this size about a seat, in scene coordinates: clear of the plates,
    /// the piles and the rectangles in `taken`, or else over the name, but never over a figure.
    function bubblePlace(seat: int, wide: real, high: real, taken: var): point {
        const all = allPlates()
        const own = all.find(one => one.seat === seat)
        if (!own)
            return Qt.point(-1, -1)
        const placeOf = item => item.mapToItem(screen, 0, 0, item.width, item.height)
        const meets = (one, other) => one.x < other.x + other.width && other.x < one.x + one.width
            && one.y < other.y + other.height && other.y < one.y + one.height
        const inside = one => one.x >= 0 && one.y >= 0 && one.x + one.width <= width && one.y + one.height <= height
        const figures = all.map(placeOf).map(one => Qt.rect(one.x, one.y + one.height / 2, one.width, one.height / 2))
        const home = placeOf(own)
        const gap = Style.gap1
        const middle = Math.max(gap, Math.min(width - wide - gap, home.x + (home.width - wide) / 2))
        const level = home.y + (home.height - high) / 2
        const inward = home.x + home.width / 2 > width / 2 ? home.x - wide - gap : home.x + home.width + gap
        const around = [Qt.rect(middle, home.y + home.height + gap, wide, high), Qt.rect(inward, level, wide, high),
            Qt.rect(middle, home.y - high - gap, wide, high)]
        const further = [Qt.rect(middle, home.y + home.height + high + 2 * gap, wide, high),
            Qt.rect(middle, home.y - 2 * (high + gap), wide, high),
            Qt.rect(middle + (home.x + home.width / 2 > width / 2 ? -1 : 1) * (wide + gap), home.y + home.height + gap, wide, high)]
        const blocks = [...all.map(placeOf), ...taken, placeOf(strip)]
        if (deck.laid)
            blocks.push(placeOf(deck.piles))
        const name = Qt.rect(middle, home.y + home.height / 2 - high, wide, high)
        const kept = [...figures, ...taken]
        const found = around.find(one => inside(one) && !blocks.some(other => meets(one, other)))
            ?? [name, ...around, ...further].find(one => inside(one) && !kept.some(other => meets(one, other))) ?? around[1]
        return screen.mapToItem(null, found.x + wide / 2, found.y + high / 2)
    }

    Keys.onPressed: event => {
        if (side.typing || event.modifiers & (Qt.ControlModifier | Qt.AltModifier | Qt.MetaModifier))
            return
        event.accepted = true
        switch (event.key) {
        case Qt.Key_D: table.draw(); break
        case Qt.Key_K: table.keep(); break
        case Qt.Key_U: table.uno(); break
        case Qt.Key_C: table.catchSeat(-1); break
        case Qt.Key_A: table.accept(); break
        case Qt.Key_H: table.challenge(); break
        case Qt.Key_O: table.object(); break
        case Qt.Key_J: jumpIn(); break
        case Qt.Key_S: table.sortNext(); break
        case Qt.Key_M: app.settings.toggleSound(); break
        case Qt.Key_T: chat(beside !== "chat"); break
        case Qt.Key_L: showMoves(); break
        case Qt.Key_E: if (react.visible) react.clicked(); break
        case Qt.Key_R: table.tellAgain(); break
        case Qt.Key_F1: case Qt.Key_Question: help.open(); break
        case Qt.Key_1: case Qt.Key_2: case Qt.Key_3: case Qt.Key_4:
            if (table.colourWanted)
                table.chooseColour(event.key - Qt.Key_1)
            break
        case Qt.Key_Left: hand.go(hand.current); break
        case Qt.Key_Right: hand.go(hand.current); break
        default: event.accepted = false
        }
    }

    ScoreBar {
        id: bar
        x: screen.edge
        y: Style.gap1
        width: parent.width - 2 * screen.edge
        tableName: screen.table.tableName
        round: screen.table.roundNumber
        target: screen.table.target
        agreed: screen.table.agreed
        dealer: screen.table.dealerName
        last: screen.table.lastName
        actions: [
            IconButton {
                objectName: "sort"
                visible: screen.seated
                symbol: "sort"
                label: qsTr("Sort the hand")
                key: "S"
                onClicked: screen.table.sortNext()
            },
            IconButton {
                objectName: "log"
                symbol: "log"
                label: qsTr("Moves")
                key: "L"
                checked: screen.beside === "moves"
                onClicked: screen.showMoves()
            },
            IconButton {
                objectName: "chat"
                symbol: "chat"
                label: app.chat.unread > 0 ? qsTr("Chat, unread: %1").arg(app.chat.unread) : qsTr("Chat")
                key: "T"
                checked: screen.beside === "chat"
                count: app.chat.unread
                onClicked: screen.chat(screen.beside !== "chat")
            },
            MenuButton {
                id: react
                objectName: "react"
                visible: screen.seated && app.settings.reactions
                symbol: "laugh"
                label: qsTr("React")
                key: "E"
                listWidth: Style.size(208)
                numbered: true
                entries: app.chat.reactions.map((one, index) => ({
                    text: one.text, symbol: one.symbol, danger: false, act: () => {
                        app.chat.react(index)
                        Qt.callLater(screen.rest)
                    }
                }))
            },
            IconButton {
                objectName: "safety"
                visible: app.room.safetyHand.length > 0
                symbol: "shield"
                label: qsTr("Safety hand")
                named: screen.width >= Style.size(1000)
                tip: qsTr("Safety hand: do you all see the same cards?")
                onClicked: safety.open()
            },
            IconButton {
                objectName: "sound"
                readonly property string now: app.settings.soundState
                symbol: now === "on" ? "sound" : now === "muted" ? "mute" : "nosound"
                label: now === "on" ? qsTr("Sound is on") : now === "muted" ? qsTr("Sound is off")
                    : qsTr("Sound is on, but no sound device works now")
                key: "M"
                onClicked: app.settings.toggleSound()
            },
            IconButton {
                objectName: "help"
                symbol: "help"
                label: qsTr("Keys")
                key: "F1"
                onClicked: help.open()
            },
            IconButton {
                objectName: "leave"
                symbol: "exit"
                label: qsTr("Leave the table")
                key: "Esc"
                onClicked: app.back()
            }
        ]
    }

    SidePanel {
        id: side
        objectName: "side"
        visible: screen.beside !== ""
        y: bar.y + bar.height
        width: Math.min(Style.size(screen.wide ? 300 : 260), screen.width * 0.3)
        height: (screen.wide ? screen.height - Style.gap3 : area.y + area.height) - y
        x: screen.width - width - screen.edge
        chatShown: screen.beside === "chat"
        moves: screen.table.moves
        lines: app.chat.lines
        unread: app.chat.unread
        longest: app.chat.longest
        people: app.chat.people
        talk: app.chat
        onShowChat: shown => {
            if (shown)
                screen.chat(true)
            else
                screen.beside = "moves"
        }
        onSaid: text => app.chat.say(text)
        onFinished: screen.rest()
    }

    readonly property real free: side.visible ? side.x - screen.edge : width - screen.edge
    readonly property real below: wide ? free : width - screen.edge
    /// Spectators have no hand, but sheets and banners need its room.
    readonly property real handHeight: Math.max(Style.length(118), Math.min(244, height * 0.236)) * (seated ? 1 : 0.6)
    /// The lower end of sheets and banners: below it enough of each card stays visible.
    readonly property real bottomMost: height - (!seated ? Style.gap2 : notice.visible && question !== "" ? Style.length(52) : Style.length(76))
    readonly property real sheetMost: bottomMost - strip.y - (notice.visible ? notice.least + Style.gap1 : 0)

    Item {
        id: area
        x: screen.edge
        y: bar.y + bar.height
        width: screen.free - x
        height: screen.height - y - screen.handHeight - strip.low - 2 * Style.gap2

        Seating {
            id: seating
            anchors.fill: parent
            // From the model, which reports a change once for all of them.
            count: screen.table.opponents.count
            wantedWidth: Style.size(screen.wide && screen.height > 800 ? 196 : 168)
            wantedHeight: Math.max(Style.target + Style.gap3, Style.size(screen.wide && screen.height > 800 ? 72 : 60))
        }
        Deck {
            id: deck
            objectName: "deck"
            readonly property rect room: seating.middle
            x: room.x + Style.gap1
            y: room.y
            width: room.width - 2 * Style.gap1
            height: room.height
            phase: screen.table.phase
            clockwise: screen.table.clockwise
            turn: screen.table.turnSeat
            calm: screen.table.paused
            colour: screen.table.colour
            penalty: screen.table.penalty
            drawPile: screen.table.drawPile
            discardPile: screen.table.discardPile
            discards: screen.table.discards
            topText: screen.table.topText
            canDraw: screen.table.canDraw
            dealing: screen.table.dealing
            dealingText: screen.table.dealingText
            chosen: screen.table.chosen
            dealer: screen.table.dealerSeat
            moves: screen.table.moves
            movesShown: screen.beside !== "moves"
            onDrawPressed: screen.table.draw()
        }
        Repeater {
            id: plates
            model: screen.table.opponents
            Opponent {
                id: other
                required property int index
                required property var model
                readonly property point place: { seating.shares; return seating.placeOf(index) }
                objectName: "seat" + model.seat
                x: place.x
                y: place.y
                width: seating.plateWidth
                height: seating.plateHeight
                seat: model.seat
                name: model.name
                count: model.count
                points: model.points
                avatar: model.avatar
                team: model.team
                turn: model.turn
                bot: model.bot
                uno: model.uno
                owesUno: model.owesUno
                catchable: model.catchable
                asleep: model.asleep
                dropped: model.dropped
                hasLeft: model.hasLeft
                waiting: model.waiting
                partner: model.partner
                dealer: model.dealer
                last: model.last
                out: model.out
                expelled: model.expelled
                host: model.host
                counted: strip.counted
                accessibleName: model.accessibleName
                offer: screen.table.swapSeats.length > 0 ? (screen.table.swapSeats.includes(model.seat) ? qsTr("Take") : "")
                    : screen.accusing ? qsTr("Accuse") : ""
                onCatchPressed: screen.table.catchSeat(seat)
                onOfferPressed: screen.pressSeat(seat)
                property bool seated: false
                Component.onCompleted: Qt.callLater(sit)
                function sit(): void { seated = true }
                Behavior on x { enabled: other.seated; NumberAnimation { duration: Style.rearrange } }
                Behavior on y { enabled: other.seated; NumberAnimation { duration: Style.rearrange } }
            }
        }
    }

    Component {
        id: challenge
        Question {
            readonly property var asked: screen.table.challengeQuestion
            objectName: "challenge"
            most: screen.sheetMost
            title: asked.title ?? ""
            colour: asked.colour ?? -1
            text: asked.text ?? ""
            acceptText: asked.acceptText ?? ""
            acceptKey: "A"
            otherText: qsTr("Challenge")
            otherKey: "H"
            otherPossible: asked.canChallenge ?? false
            onAccepted: screen.table.accept()
            onOthered: screen.table.challenge()
        }
    }
    Component {
        id: vote
        Question {
            readonly property var asked: screen.table.voteQuestion
            objectName: "vote"
            most: screen.sheetMost
            title: qsTr("The table votes")
            text: asked.text ?? ""
            answerable: asked.canVote ?? false
            acceptText: qsTr("It did not happen")
            otherText: qsTr("It happened")
            otherNote: qsTr("If a majority says that it happened, the accused player draws a penalty.")
            onAccepted: screen.table.vote(false)
            onOthered: screen.table.vote(true)
        }
    }
    Component {
        id: colours
        ColourPicker {
            objectName: "colours"
            cancellable: screen.table.colourSlot >= 0
            onChosen: colour => screen.table.chooseColour(colour)
            onCancelled: screen.table.cancelColour()
        }
    }
    Component {
        id: shown
        ShownHand {
            readonly property var looked: screen.table.shown
            objectName: "shown"
            most: screen.sheetMost
            title: looked.title ?? ""
            verdict: looked.verdict ?? ""
            cards: looked.cards ?? []
            onClosed: screen.table.closeShown()
        }
    }

    TurnStrip {
        id: strip
        objectName: "turn"
        x: screen.edge
        y: area.y + area.height + Style.gap2
        width: screen.below - x
        sheet: ({ shown: shown, challenge: challenge, vote: vote, colour: colours })[screen.question] ?? null
        seated: screen.seated
        me: screen.table.me
        // The text for the end of a round is shown there.
        prompt: ended.active ? "" : screen.table.prompt
        myTurn: screen.table.myTurn
        whyNot: hand.whyNot
        lastMove: ended.active || screen.beside === "moves" || deck.logShown ? "" : screen.newest.text ?? ""
        lastColour: screen.newest.colour ?? -1
        since: screen.table.since
        counted: deck.laid
        clockTotal: screen.table.clockTotal
        clockLeft: screen.table.clockLeft
        waits: screen.table.paused
        unoArmed: screen.table.unoArmed
        canDraw: screen.table.canDraw
        drawPasses: screen.table.drawPasses
        canKeep: screen.table.canKeep
        canUno: screen.table.canUno
        canObject: screen.table.canObject
        canAccuse: screen.table.canAccuse
        accusing: screen.accusing
        canCatch: screen.catching
        botPlays: screen.table.botPlays
        onTakeOverPressed: screen.table.takeOver()
        onDrawPressed: screen.table.draw()
        onKeepPressed: screen.table.keep()
        onUnoPressed: screen.table.uno()
        onObjectPressed: screen.table.object()
        onAccusePressed: screen.accusing = !screen.accusing
        onCatchPressed: screen.table.catchSeat(-1)
    }

    TableNotice {
        id: notice
        objectName: "notice"
        readonly property bool held: screen.table.paused
        x: strip.x
        y: strip.y + strip.height + Style.gap1
        width: strip.width
        height: implicitHeight
        most: Math.max(least, screen.bottomMost - y)
        symbol: screen.table.hostAway ? "offline" : held ? (screen.table.anyoneAway ? "offline" : "pause") : "warn"
        text: held ? screen.table.pausedText : screen.table.voidText
        offer: screen.table.canClaim ? qsTr("Stop waiting") : ""
        onTaken: screen.table.claim()
    }

    HandFan {
        id: hand
        objectName: "hand"
        focus: true
        visible: screen.seated
        // Thirty cards need all the width of the smallest window.
        x: Style.gap1
        // A sheet or a banner pushes the hand down a little, so that it covers no card.
        property real pushed: strip.height - strip.low + (notice.visible ? notice.height + Style.gap1 : 0)
        Behavior on pushed { NumberAnimation { duration: Style.rearrange; easing.type: Easing.OutCubic } }
        readonly property real home: strip.y + strip.low + Style.gap1
        y: home + pushed
        width: screen.below + screen.edge - 2 * x
        height: screen.height - home - Style.gap3
        largest: 132
        model: screen.table.hand
        choosing: app.settings.hints && (screen.table.myTurn || screen.table.canJumpIn)
        onChosen: slot => screen.table.play(slot)
    }

    Motions {
        id: motions
        objectName: "motions"
        anchors.fill: parent
        fan: screen.seated ? hand : null
        piles: deck.piles
        mySeat: screen.table.mySeat
        laid: deck.laid
        placeOf: screen.placeOf
        bubblePlace: (seat, wide, high, taken) => screen.bubblePlace(seat, wide, high, [...taken, ...reactions.places()])
        middle: deck.spot
    }
    // Shown once the last card has landed, until the end of the round is closed.
    Loader {
        id: ended
        readonly property var end: screen.table.roundEnd
        active: (end.open ?? false) && deck.cardsMissing === 0
        y: area.y
        width: screen.free
        height: screen.height - y
        z: 2
        onActiveChanged: Qt.callLater(screen.takeQuestion)
        sourceComponent: RoundEnd {
            objectName: "roundEnd"
            text: ended.end.text ?? ""
            name: ended.end.name ?? ""
            avatar: ended.end.avatar ?? 0
            bot: ended.end.bot ?? false
            won: (ended.end.seat ?? -1) >= 0
            source: deck.lastCard()
            room: Qt.rect(area.x + deck.x, deck.y, deck.width, deck.height)
            place: Qt.rect(strip.x + strip.promptPlace.x, strip.y - area.y, strip.promptPlace.width, strip.height)
            onDone: screen.table.closeRoundEnd()
        }
    }
    Connections {
        target: screen.table
        function onMoved(kind: string, from: int, to: int, cards: var): void {
            // The cards that choose the dealer appear without a flight.
            if (screen.table.phase !== "choosing-dealer")
                motions.moved(kind, from, to, cards)
        }
        function onJumped(): void {
            motions.clear()
            reactions.clear()
        }
    }

    Reactions {
        id: reactions
        objectName: "reactions"
        anchors.fill: parent
        bubblePlace: (seat, wide, high, taken) => screen.bubblePlace(seat, wide, high, [...taken, ...motions.places()])
    }
    Connections {
        target: app.chat
        function onReacted(seat: int, symbol: string, text: string): void { reactions.show(seat, symbol, text) }
    }

    Connections {
        target: screen.table.moves
        function onRowsInserted(): void { screen.takeNewest() }
        function onRowsRemoved(): void { screen.takeNewest() }
        function onDataChanged(): void { screen.takeNewest() }
    }

    Later {
        id: help
        sourceComponent: KeyHelp { onClosed: screen.rest() }
    }
    Later {
        id: safety
        sourceComponent: Sheet {
            id: sheet
            title: qsTr("Safety hand")
            wide: 600
            first: safetyClose
            onClosed: screen.rest()
            SafetyHand {
                width: parent.width
                color: Style.sunken
                border.width: 0
                cards: app.room.safetyHand
                text: app.room.safetyText
            }
            actions: PushButton {
                id: safetyClose
                objectName: "safetyClose"
                kind: "primary"
                text: qsTr("Close")
                onClicked: sheet.close()
            }
        }
    }
}
