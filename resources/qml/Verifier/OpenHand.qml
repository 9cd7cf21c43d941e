// A player's hand at the moment that is shown, face up. A card can be chosen.
import QtQuick
import "../Style"
import "../Parts"

Rectangle {
    id: hand

    required property var model
    property real cardWidth: 36
    property int followed: -1
    signal cardChosen(int card)

    readonly property var cards: model.cards
    readonly property real room: width - name.width - 3 * Style.gap3
    readonly property int strip: 24
    readonly property int perRow: Math.max(1, Math.floor((room - cardWidth) / strip) + 1)
    readonly property int rows: Math.max(1, Math.ceil(cards.length / perRow))
    readonly property int each: Math.max(1, Math.ceil(cards.length / rows))
    readonly property real step: each < 2 ? cardWidth + Style.gap1
        : Math.min(cardWidth + Style.gap1, (room - cardWidth) / (each - 1))
    readonly property int cardHeight: Math.round(cardWidth * CardStyle.ratio)

    implicitHeight: cardHeight * (1 + (rows - 1) * 0.5) + 2 * Style.gap2
    radius: Style.radius2
    color: model.turn ? Style.accentSoft : Style.surface
    border.width: Style.hair
    border.color: model.turn ? Style.accent : Style.line
    Accessible.role: Accessible.Grouping
    Accessible.name: model.accessibleName

    Row {
        id: name
        x: Style.gap3
        width: Style.size(148)
        spacing: Style.gap2
        anchors.verticalCenter: parent.verticalCenter
        Avatar {
            id: face
            width: Style.size(30)
            height: width
            name: hand.model.name
            colour: hand.model.avatar
            bot: hand.model.bot
        }
        Column {
            anchors.verticalCenter: parent.verticalCenter
            width: parent.width - face.width - Style.gap2
            Line {
                width: parent.width
                text: hand.model.name
                strong: true
                color: hand.model.turn ? Style.accentSoftInk : Style.ink
            }
            Line {
                width: parent.width
                visible: hand.model.mine
                text: qsTr("you")
                size: Style.small
                color: hand.model.turn ? Style.accentSoftInk : Style.inkSoft
            }
        }
    }

    Repeater {
        model: hand.cards
        Item {
            id: place
            required property var modelData
            required property int index
            readonly property bool known: modelData.rank >= -1 && modelData.colour >= -1
            readonly property int slot: modelData.card
            readonly property int rank: modelData.rank
            x: name.x + name.width + Style.gap3 + (index % hand.each) * hand.step
            y: Style.gap2 + Math.floor(index / hand.each) * hand.cardHeight * 0.5
            width: hand.cardWidth
            height: hand.cardHeight
            activeFocusOnTab: known
            Accessible.role: Accessible.Button
            Accessible.name: qsTr("Follow card %1 of %2").arg(index + 1).arg(hand.cards.length)
            Accessible.ignored: !known
            Accessible.onPressAction: hand.cardChosen(modelData.card)
            Keys.onReturnPressed: hand.cardChosen(modelData.card)
            Keys.onSpacePressed: hand.cardChosen(modelData.card)
            Card {
                anchors.fill: parent
                faceUp: place.known
                colour: place.known ? place.modelData.colour : 0
                rank: place.known ? place.modelData.rank : 0
                shadow: false
                focused: place.activeFocus || (place.known && place.modelData.card === hand.followed)
            }
            TapHandler {
                enabled: place.known
                gesturePolicy: TapHandler.ReleaseWithinBounds
                onTapped: hand.cardChosen(place.modelData.card)
            }
            HoverHandler { enabled: place.known; cursorShape: Qt.PointingHandCursor }
        }
    }
}
