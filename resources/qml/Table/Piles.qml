// The draw pile and the discard pile. The draw pile is a button while the player may draw.
import QtQuick
import "../Style"
import "../Parts"

Item {
    id: piles

    property int drawPile: 0
    property int discardPile: 0
    /// [{slot, colour, rank}], the last one on top.
    property var discards: []
    /// The top card and the current colour, in words.
    property string topText
    /// The colour named with the wild card on top.
    property int colour: -1
    property bool canDraw: false
    /// The number of top cards that are still flying to the pile.
    property int flying: 0
    property real cardWidth: 92
    readonly property real cardHeight: cardWidth * CardStyle.ratio
    readonly property var lying: flying > 0 ? discards.slice(0, Math.max(0, discards.length - flying)) : discards

    signal drawPressed()

    function drawPlace(): rect {
        const at = deck.mapToItem(null, 0, 0)
        return Qt.rect(at.x, at.y, cardWidth, cardHeight)
    }
    function discardPlace(): rect {
        const at = heap.mapToItem(null, 0, 0)
        return Qt.rect(at.x, at.y, cardWidth, cardHeight)
    }

    implicitWidth: 2 * cardWidth + Math.round(cardWidth * 0.42)
    implicitHeight: cardHeight + Style.gap1 + Style.size(22)

    FocusScope {
        id: deck
        objectName: "draws"
        width: piles.cardWidth
        height: piles.cardHeight
        activeFocusOnTab: true
        Accessible.role: piles.canDraw ? Accessible.Button : Accessible.StaticText
        Accessible.name: piles.canDraw ? qsTr("Draw a card; cards left: %1").arg(piles.drawPile) : qsTr("Draw pile, cards left: %1").arg(piles.drawPile)
        Accessible.focusable: true
        Accessible.onPressAction: if (piles.canDraw) piles.drawPressed()
        Keys.onReturnPressed: if (piles.canDraw) piles.drawPressed()
        Keys.onEnterPressed: if (piles.canDraw) piles.drawPressed()
        Keys.onSpacePressed: if (piles.canDraw) piles.drawPressed()

        Rectangle {
            anchors.fill: parent
            radius: width * 0.1
            color: "transparent"
            antialiasing: true
            border.width: 2
            border.color: Style.edge
            opacity: 0.5
        }
        // Only the edges of the cards below the top are created.
        Repeater {
            model: Math.max(0, Math.min(4, Math.ceil(piles.drawPile / 12)) - 1)
            Rectangle {
                required property int index
                readonly property int below: Math.min(4, Math.ceil(piles.drawPile / 12)) - 1 - index
                x: -below * 2
                y: below * 3
                width: piles.cardWidth
                height: piles.cardHeight
                radius: width * 0.1
                antialiasing: true
                color: CardStyle.backBody
                border.width: Math.max(1, width * 0.014)
                border.color: CardStyle.backEdge
                SoftShadow {
                    visible: parent.index === 0
                    radius: parent.radius
                    spread: Math.max(2, parent.width * 0.05)
                }
            }
        }
        Card {
            visible: piles.drawPile > 0
            y: hover.hovered && piles.canDraw ? -6 : 0
            width: piles.cardWidth
            height: piles.cardHeight
            faceUp: false
            shadow: piles.drawPile <= 12
            playable: piles.canDraw
            focused: deck.activeFocus
            Behavior on y { NumberAnimation { duration: Style.ms(90) } }
        }
        HoverHandler {
            id: hover
            enabled: piles.canDraw
            cursorShape: Qt.PointingHandCursor
        }
        TapHandler {
            enabled: piles.canDraw
            gesturePolicy: TapHandler.ReleaseWithinBounds
            onTapped: piles.drawPressed()
        }
    }
    Line {
        anchors.horizontalCenter: deck.horizontalCenter
        y: deck.height + Style.gap2
        text: String(piles.drawPile)
        size: Style.small
        strong: true
        Accessible.ignored: true
    }

    FocusScope {
        id: heap
        objectName: "discards"
        x: piles.width - piles.cardWidth
        width: piles.cardWidth
        height: piles.cardHeight
        activeFocusOnTab: true
        Accessible.role: Accessible.StaticText
        Accessible.name: piles.topText
        Accessible.focusable: true
        Rectangle {
            anchors.fill: parent
            radius: width * 0.1
            color: "transparent"
            antialiasing: true
            border.width: 2
            border.color: Style.edge
            opacity: 0.5
        }
        Repeater {
            model: piles.discards.length > 0 ? 5 : 0
            Card {
                id: lain
                required property int index
                readonly property bool upmost: index === piles.lying.length - 1
                readonly property var face: piles.lying[index] ?? ({ slot: -1, colour: 0, rank: 0 })
                // The position of a card follows from its face, so it stays when others come.
                readonly property int seed: ((face.colour + 1) * 7 + face.rank * 11 + 5) % 17
                visible: index < piles.lying.length
                width: piles.cardWidth
                height: piles.cardHeight
                colour: face.colour
                rank: face.rank
                named: upmost && face.colour < 0 ? piles.colour : -1
                x: upmost ? 0 : (seed - 8) * 0.9
                y: upmost ? 0 : ((seed * 5) % 17 - 8) * 0.5
                rotation: upmost ? 0 : (seed - 8) * 1.4
            }
        }
        FocusRing { shown: heap.activeFocus; around: width * 0.1 }
    }
    Line {
        anchors.horizontalCenter: heap.horizontalCenter
        y: heap.height + Style.gap2
        text: String(piles.discardPile)
        size: Style.small
        strong: true
        Accessible.ignored: true
    }
}
