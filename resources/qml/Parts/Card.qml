// One card as an object: face up or down, turning over, lifted, outlined when it may be played,
// dimmed when not. Its owner handles clicks and decides where it lies.
import QtQuick
import "../Style"

Item {
    id: card

    property int colour: 0
    property int rank: 0
    property int named: -1
    property bool faceUp: true
    /// Outlined: it may be played now.
    property bool playable: false
    /// Dimmed: it may not be played now.
    property bool dimmed: false
    property bool focused: false
    property bool shadow: true

    /// 1 = face, -1 = back; in between, the card is turning over.
    property real turned: faceUp ? 1 : -1
    Behavior on turned { NumberAnimation { duration: Style.flip; easing.type: Easing.InOutQuad } }

    implicitWidth: 96
    implicitHeight: Math.round(width * CardStyle.ratio)

    readonly property real spread: Math.max(2, Math.ceil(width * 0.05))

    Item {
        anchors.fill: parent
        transform: Scale { origin.x: card.width / 2; xScale: Math.max(0.02, Math.abs(card.turned)) }

        // Drawn once, as an image with its shadow: a hand may have thirty cards, and moves.
        Item {
            anchors.fill: parent
            anchors.margins: -2 * card.spread
            layer.enabled: true
            layer.smooth: true

            Item {
                anchors.fill: parent
                anchors.margins: 2 * card.spread

                SoftShadow {
                    visible: card.shadow
                    radius: card.width * 0.1
                    spread: card.spread
                }
                Loader {
                    anchors.fill: parent
                    active: card.turned >= 0
                    sourceComponent: CardFace { colour: card.colour; rank: card.rank; named: card.named }
                }
                Loader {
                    anchors.fill: parent
                    active: card.turned < 0
                    sourceComponent: CardBack {}
                }
            }
        }
        Rectangle {
            anchors.fill: parent
            radius: card.width * 0.1
            color: Style.dark ? Style.alpha(Style.ground, 0.46) : Style.alpha(Style.ink, 0.3)
            antialiasing: true
            opacity: card.dimmed ? 1 : 0
            visible: opacity > 0
            Behavior on opacity { NumberAnimation { duration: Style.fade(120) } }
        }
    }

    // Rings around the card, with a gap, so that they are visible against every colour. The one of
    // the keyboard focus is outside the other, and in another colour.
    component Ring: Rectangle {
        property real out: 4
        anchors.fill: parent
        anchors.margins: -out
        radius: card.width * 0.1 + out
        color: "transparent"
        antialiasing: true
    }
    Ring {
        visible: card.playable
        border.width: 3
        border.color: Style.accent
    }
    Ring {
        objectName: "focusRing"
        visible: card.focused
        out: 8
        border.width: 4
        border.color: Style.ink
    }
}
