// Between table and hand: this player, the prompt with the clock, and the buttons of the game. A
// question takes the place of the prompt, and as much height below it as it needs.
import QtQuick
import "../Style"
import "../Parts"

Item {
    id: strip

    property bool seated: true
    property var me: ({})
    property string prompt
    property bool myTurn: false
    /// Why the card under the mouse or the focus cannot be played.
    property string whyNot
    property string lastMove
    property int lastColour: -1
    /// The moves since the player's last turn, in words.
    property string since
    property bool counted: true
    property real clockTotal: 0
    property real clockLeft: 0
    /// Whether the clock counts the wait for a missing player instead of the turn.
    property bool waits: false
    property bool unoArmed: false
    property bool canDraw: false
    /// Whether no card is left, so that a draw is a pass.
    property bool drawPasses: false
    property bool canKeep: false
    property bool canUno: false
    property bool canObject: false
    property bool canAccuse: false
    property bool accusing: false
    property bool canCatch: false
    /// The question in the place of the prompt, if any.
    property alias sheet: asked.sourceComponent
    readonly property alias asked: asked.item
    readonly property bool asking: asked.item !== null
    /// Whether a bot plays on for this player.
    property bool botPlays: false
    readonly property alias plate: plate
    /// The place of the prompt.
    readonly property alias promptPlace: turn

    signal drawPressed()
    signal keepPressed()
    signal unoPressed()
    signal objectPressed()
    signal accusePressed()
    signal catchPressed()
    signal takeOverPressed()

    /// What is hidden to make room for the prompt. 0: nothing; 1: the names of the keys, and icons
    /// beside words; 2: also words that an icon replaces, and the cards beside this player's count.
    readonly property int squeezed: {
        for (let level = 0; level < 2; level++)
            if (roomAt(level) >= Style.size(asking ? 430 : 170))
                return level
        return 2
    }
    /// The width that is left for the prompt. It follows from what the buttons would show at this
    /// level, not from what they show now, so that nothing flickers.
    function roomAt(level: int): real {
        let used = plateWidthAt(level) + (clock.visible ? Style.target + 2 * Style.gap3 : Style.gap4) + 3 * Style.gap3
        for (const one of [[canObject, object_], [canAccuse, accuse], [canCatch, catch_], [botPlays, takeOver], [canKeep && !asking, keep], [canDraw && !asking, draw]])
            if (one[0])
                used += widthAt(one[1], level) + Style.gap2
        return width - used - (uno.visible ? uno.implicitWidth : 0)
    }
    function widthAt(button: Item, level: int): real {
        const words = measure.advanceWidth(button.caption) * (button.big ? Style.lead : Style.body) / measure.font.pixelSize
        const cap = button.key === "" ? 0 : Style.size(22) + Style.gap2
        const sign = button.sign === "" ? 0 : Style.size(button.big ? 22 : 19) + Style.gap2
        if (level >= 2 && sign > 0 && button.signEnough)
            return sign + 2 * Style.gap4
        return words + 2 * Style.gap4 + (level < 1 ? sign + cap : 0)
    }
    function plateWidthAt(level: int): real { return seated ? Style.size(level < 2 ? 172 : 128) : watching.width }
    FontMetrics {
        id: measure
        font.family: Style.family
        font.pixelSize: 100
        font.weight: Style.weightStrong
    }
    /// The width of a text on one line, with a reserve for its heaviest weight.
    function advance(text: string, size: int): real {
        return 1.08 * measure.advanceWidth(text) * size / measure.font.pixelSize
    }

    /// A button that hides parts of itself if there is little room.
    component StripButton: PushButton {
        property string caption
        property string sign
        property string key
        /// Whether the icon alone is clear enough where there is no room for the words.
        property bool signEnough: false
        readonly property bool signOnly: signEnough && strip.squeezed >= 2
        Accessible.name: caption
        tip: key === "" ? caption : caption + " (" + key + ")"
        text: signOnly ? "" : caption
        symbol: signOnly || strip.squeezed < 1 ? sign : ""
        shortcut: strip.squeezed < 1 ? key : ""
    }

    readonly property real low: Math.max(Style.size(60), Style.target + Style.gap3)
    implicitHeight: Math.max(low, asked.item ? asked.item.implicitHeight : 0)

    Opponent {
        id: plate
        visible: strip.seated
        objectName: "me"
        width: strip.plateWidthAt(strip.squeezed)
        height: strip.low
        mine: true
        counted: strip.counted
        seat: strip.me.seat ?? -1
        name: strip.me.name ?? ""
        count: strip.me.count ?? 0
        points: strip.me.points ?? 0
        avatar: strip.me.avatar ?? 0
        team: strip.me.team ?? -1
        turn: strip.me.turn ?? false
        uno: strip.me.uno ?? false
        owesUno: strip.me.owesUno ?? false
        dealer: strip.me.dealer ?? false
        last: strip.me.last ?? false
        host: strip.me.host ?? false
        out: strip.me.out ?? false
        expelled: strip.me.expelled ?? false
        accessibleName: qsTr("You: %1, cards: %2, points: %3").arg(name).arg(count).arg(points)
    }
    Badge {
        id: watching
        visible: !strip.seated
        y: (strip.low - height) / 2
        symbol: "eye"
        text: qsTr("You are watching")
        mood: "accent"
        size: Style.body
    }
    Rectangle {
        id: turn
        readonly property real from: (strip.seated ? plate.width : watching.width) + Style.gap3
        x: from
        width: strip.width - from - buttons.width - (buttons.width > 0 ? Style.gap3 : 0)
        height: parent.height
        radius: Style.radius3
        antialiasing: true
        color: strip.asking ? Style.surface : strip.myTurn ? Style.accentSoft : Style.alpha(Style.accentSoft, 0)
        border.width: strip.myTurn || strip.asking ? 2 : 0
        border.color: Style.accent
        Behavior on color { ColorAnimation { duration: Style.fade(160) } }
        Accessible.role: Accessible.StaticText
        Accessible.name: strip.prompt
        Accessible.ignored: strip.prompt === ""

        // For screen readers only: the visible list of moves is beside it, or one key away.
        Item {
            id: since
            objectName: "since"
            visible: strip.since !== ""
            anchors.fill: parent
            activeFocusOnTab: true
            Accessible.role: Accessible.StaticText
            Accessible.name: strip.since
            Accessible.focusable: true
            FocusRing { shown: since.activeFocus; around: turn.radius }
        }
        TurnClock {
            id: clock
            objectName: "clock"
            x: Style.gap2
            anchors.verticalCenter: parent.verticalCenter
            total: strip.clockTotal
            remaining: strip.clockLeft
            few: strip.waits ? 0 : 10
            width: Style.target
            height: width
        }
        readonly property real before: clock.visible ? clock.x + clock.width + Style.gap3 : Style.gap4
        // Created on demand: most rounds ask no question.
        Loader {
            id: asked
            x: turn.before
            width: parent.width - x - Style.gap3
            height: parent.height
        }
        Column {
            visible: !strip.asking
            x: turn.before
            width: parent.width - x - Style.gap3
            anchors.verticalCenter: parent.verticalCenter
            spacing: 1
            Paragraph {
                id: prompt
                objectName: "prompt"
                visible: !reason.alone
                width: parent.width
                text: strip.prompt
                // With little room the text shrinks before it is cut.
                readonly property bool crowded: gauge.lineCount > 2
                size: strip.whyNot !== "" ? Style.body : crowded ? Style.small : Style.lead
                font.weight: strip.myTurn ? Style.weightHeavy : Style.weightStrong
                color: strip.myTurn ? Style.accentSoftInk : Style.ink
                maximumLineCount: strip.whyNot !== "" ? 1 : crowded ? 3 : 2
                elide: Text.ElideRight
                lineHeight: 1
                Accessible.ignored: true
            }
            Paragraph {
                id: gauge
                visible: false
                width: parent.width
                text: strip.prompt
                size: Style.lead
                font.weight: prompt.font.weight
                lineHeight: 1
                Accessible.ignored: true
            }
            Row {
                visible: strip.whyNot !== "" || (strip.lastMove !== "" && prompt.lineCount < 2)
                width: parent.width
                spacing: Style.gap1 + 2
                Sign {
                    id: sign
                    visible: kind >= 0 && strip.whyNot === ""
                    kind: strip.lastColour
                    width: Style.size(12)
                    height: width
                    y: Style.size(3)
                }
                Paragraph {
                    id: reason
                    objectName: "whyNot"
                    /// Whether there is room for the reason only: one line of the prompt and two of
                    /// the reason are too little.
                    readonly property bool alone: strip.whyNot !== ""
                        && (strip.advance(strip.prompt, Style.body) > width || strip.advance(strip.whyNot, Style.small) > 1.8 * width)
                    width: parent.width - (sign.visible ? sign.width + parent.spacing : 0)
                    height: alone ? strip.low - Style.gap2 : implicitHeight
                    verticalAlignment: Text.AlignVCenter
                    fontSizeMode: alone ? Text.Fit : Text.FixedSize
                    minimumPixelSize: Style.size(9)
                    text: strip.whyNot !== "" ? strip.whyNot : strip.lastMove
                    size: alone ? Style.body : Style.small
                    strong: true
                    color: strip.myTurn ? Style.accentSoftInk : Style.inkSoft
                    maximumLineCount: alone ? 6 : strip.whyNot !== "" ? 2 : 1
                    elide: Text.ElideRight
                    lineHeight: 1
                }
            }
        }
    }
    Row {
        id: buttons
        visible: strip.seated
        anchors.right: parent.right
        y: (strip.low - height) / 2
        spacing: Style.gap2
        StripButton {
            id: takeOver
            objectName: "takeOver"
            visible: strip.botPlays
            kind: "primary"
            big: true
            caption: qsTr("Take over")
            onClicked: strip.takeOverPressed()
        }
        StripButton {
            id: object_
            objectName: "object"
            visible: strip.canObject
            caption: qsTr("Object")
            sign: "warn"
            key: "O"
            onClicked: strip.objectPressed()
        }
        StripButton {
            id: accuse
            objectName: "accuse"
            visible: strip.canAccuse
            caption: strip.accusing ? qsTr("Whom?") : qsTr("Accuse")
            sign: "warn"
            signEnough: true
            kind: strip.accusing ? "primary" : "quiet"
            onClicked: strip.accusePressed()
        }
        StripButton {
            id: catch_
            objectName: "catch"
            visible: strip.canCatch
            kind: "danger"
            big: true
            caption: qsTr("Catch!")
            sign: "hand"
            signEnough: true
            key: "C"
            onClicked: strip.catchPressed()
        }
        StripButton {
            id: keep
            objectName: "keep"
            visible: strip.canKeep && !strip.asking
            big: true
            caption: qsTr("Keep")
            key: "K"
            onClicked: strip.keepPressed()
        }
        StripButton {
            id: draw
            objectName: "draw"
            visible: strip.canDraw && !strip.asking
            big: true
            caption: strip.drawPasses ? qsTr("Pass") : qsTr("Draw")
            sign: strip.drawPasses ? "" : "draw"
            key: "D"
            onClicked: strip.drawPressed()
        }
        UnoButton {
            id: uno
            objectName: "uno"
            anchors.verticalCenter: parent.verticalCenter
            visible: strip.canUno || !strip.asking
            enabled: strip.canUno
            owed: strip.me.owesUno ?? false
            armed: strip.unoArmed
            onClicked: strip.unoPressed()
        }
    }
}
