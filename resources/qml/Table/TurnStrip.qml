// Between table and hand: oneself, what is to be done and how long there is, and the buttons for it.
import QtQuick
import "../Style"
import "../Parts"

Item {
    id: strip

    property bool seated: true
    property var me: ({})
    property string prompt
    property bool myTurn: false
    /// Why the card that is looked at cannot be played.
    property string whyNot
    property string lastMove
    property int lastColour: -1
    /// What happened since the player's last turn, in words.
    property string since
    property bool counted: true
    property real clockTotal: 0
    property real clockLeft: 0
    /// Whether the clock is that of somebody who is waited for, and not of the turn.
    property bool waits: false
    property bool unoArmed: false
    property bool canDraw: false
    property bool canKeep: false
    property bool canUno: false
    property bool canObject: false
    property bool canAccuse: false
    property bool accusing: false
    property bool canCatch: false
    readonly property alias plate: plate

    signal drawPressed()
    signal keepPressed()
    signal unoPressed()
    signal objectPressed()
    signal accusePressed()
    signal catchPressed()

    implicitHeight: Math.max(Style.size(60), Style.target + Style.gap3)

    Opponent {
        id: plate
        visible: strip.seated
        objectName: "me"
        width: Style.size(172)
        height: parent.height
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
        accessibleName: qsTr("You: %1, cards: %2, points: %3").arg(name).arg(count).arg(points)
    }
    Badge {
        id: watching
        visible: !strip.seated
        anchors.verticalCenter: parent.verticalCenter
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
        color: strip.myTurn ? Style.accentSoft : Style.alpha(Style.accentSoft, 0)
        border.width: strip.myTurn ? 2 : 0
        border.color: Style.accent
        Behavior on color { ColorAnimation { duration: Style.fade(160) } }
        Accessible.role: Accessible.StaticText
        Accessible.name: strip.prompt

        // Heard instead of seen: the list of moves is beside it, or one key away.
        Item {
            id: since
            objectName: "since"
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
        Column {
            readonly property real before: clock.visible ? clock.x + clock.width + Style.gap3 : Style.gap4
            x: before
            width: parent.width - before - Style.gap3
            anchors.verticalCenter: parent.verticalCenter
            spacing: 1
            Paragraph {
                id: prompt
                objectName: "prompt"
                width: parent.width
                text: strip.prompt
                size: strip.whyNot === "" ? Style.lead : Style.body
                font.weight: strip.myTurn ? Style.weightHeavy : Style.weightStrong
                color: strip.myTurn ? Style.accentSoftInk : Style.ink
                maximumLineCount: strip.whyNot === "" ? 2 : 1
                elide: Text.ElideRight
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
                    objectName: "whyNot"
                    width: parent.width - (sign.visible ? sign.width + parent.spacing : 0)
                    text: strip.whyNot !== "" ? strip.whyNot : strip.lastMove
                    size: Style.small
                    strong: true
                    color: strip.myTurn ? Style.accentSoftInk : Style.inkSoft
                    maximumLineCount: strip.whyNot !== "" ? 2 : 1
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
        anchors.verticalCenter: parent.verticalCenter
        spacing: Style.gap2
        PushButton {
            objectName: "object"
            visible: strip.canObject
            text: qsTr("Object")
            symbol: "warn"
            shortcut: "O"
            onClicked: strip.objectPressed()
        }
        PushButton {
            objectName: "accuse"
            visible: strip.canAccuse
            text: strip.accusing ? qsTr("Whom?") : qsTr("Accuse")
            symbol: "warn"
            kind: strip.accusing ? "primary" : "quiet"
            onClicked: strip.accusePressed()
        }
        PushButton {
            objectName: "catch"
            visible: strip.canCatch
            kind: "danger"
            big: true
            text: qsTr("Catch!")
            symbol: "hand"
            shortcut: "C"
            onClicked: strip.catchPressed()
        }
        PushButton {
            objectName: "keep"
            visible: strip.canKeep
            big: true
            text: qsTr("Keep")
            shortcut: "K"
            onClicked: strip.keepPressed()
        }
        PushButton {
            objectName: "draw"
            visible: strip.canDraw
            big: true
            text: qsTr("Draw")
            symbol: "draw"
            shortcut: "D"
            onClicked: strip.drawPressed()
        }
        UnoButton {
            objectName: "uno"
            anchors.verticalCenter: parent.verticalCenter
            enabled: strip.canUno
            owed: strip.me.owesUno ?? false
            armed: strip.unoArmed
            onClicked: strip.unoPressed()
        }
    }
}
