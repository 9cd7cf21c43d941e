// Eight cards that are the same on every screen of the table, or nobody is where they should be.
// Before the table begins they lie face down.
import QtQuick
import "../Style"
import "../Parts"

Panel {
    id: safety

    property var cards: []
    property string text
    property string title

    readonly property real room: width - 2 * Style.gap4
    readonly property real cardWidth: Math.min(Style.size(40), (room - 7 * Style.gap1) / 8)

    implicitHeight: column.height + 2 * Style.gap3

    Column {
        id: column
        x: Style.gap4
        y: Style.gap3
        width: safety.room
        spacing: Style.gap2
        Row {
            spacing: Style.gap2
            Icon {
                name: "shield"
                color: Style.accent
                width: Style.size(20)
                height: width
                anchors.verticalCenter: parent.verticalCenter
            }
            Line {
                text: safety.title
                strong: true
                anchors.verticalCenter: parent.verticalCenter
                Accessible.role: Accessible.Heading
                Accessible.name: text
            }
        }
        Row {
            objectName: "safetyHand"
            spacing: Style.gap1
            Repeater {
                model: 8
                Card {
                    required property int index
                    readonly property var face: safety.cards[index] ?? null
                    width: safety.cardWidth
                    height: width * CardStyle.ratio
                    shadow: false
                    faceUp: face !== null
                    colour: face ? face.colour : 0
                    rank: face ? face.rank : 0
                }
            }
        }
        Paragraph {
            width: parent.width
            text: safety.text
            size: Style.small
            soft: true
        }
    }
}
