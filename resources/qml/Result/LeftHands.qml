// The cards that each player still held when the round ended, and their points.
import QtQuick
import QtQuick.Templates as T
import "../Style"
import "../Parts"

ListView {
    id: hands

    /// seat -> avatar
    property var avatars: ({})
    readonly property real cardWidth: Style.size(38)

    /// Roles: seat, name, cards, points.
    clip: true
    spacing: Style.gap2
    boundsBehavior: Flickable.StopAtBounds
    activeFocusOnTab: true
    Accessible.role: Accessible.List
    Accessible.name: qsTr("Open hands")
    T.ScrollBar.vertical: ThinBar { visible: size < 0.995 }
    FocusRing { shown: hands.activeFocus; around: Style.radius1 }

    OutOfSight { area: hands }
    delegate: Item {
        id: hand
        required property int seat
        required property string name
        required property var cards
        required property int points
        width: hands.width - Style.gap3
        height: hands.cardWidth * CardStyle.ratio
        Accessible.role: Accessible.ListItem
        Accessible.name: qsTr("%1, cards: %2, points: %3").arg(name).arg(cards.length).arg(points)

        Avatar {
            id: face
            width: Style.size(30)
            height: width
            anchors.verticalCenter: parent.verticalCenter
            name: hand.name
            colour: hands.avatars[hand.seat] ?? hand.seat
        }
        Line {
            id: who
            x: face.width + Style.gap2
            width: Style.size(110)
            height: parent.height
            text: hand.name
            strong: true
        }
        Item {
            id: place
            x: who.x + who.width + Style.gap2
            width: worth.x - x - Style.gap2
            height: parent.height
            readonly property real step: hand.cards.length < 2 ? 0
                : Math.min(hands.cardWidth + Style.gap1, (width - hands.cardWidth) / (hand.cards.length - 1))
            Repeater {
                model: hand.cards
                Card {
                    required property var modelData
                    required property int index
                    x: index * place.step
                    width: hands.cardWidth
                    height: place.height
                    colour: modelData.colour
                    rank: modelData.rank
                    shadow: false
                }
            }
            Line {
                visible: hand.cards.length === 0
                height: parent.height
                text: qsTr("went out")
                soft: true
            }
        }
        Line {
            id: worth
            anchors.right: parent.right
            width: Style.size(48)
            height: parent.height
            horizontalAlignment: Text.AlignRight
            text: String(hand.points)
            size: Style.lead
            heavy: true
        }
    }
}
