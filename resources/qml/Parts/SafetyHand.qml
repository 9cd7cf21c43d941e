// The safety hand: eight cards that people compare. On all screens of one table they are the same.
// Before the table begins they lie face down, and as long as they are not `turned`.
import QtQuick
import "../Style"

Panel {
    id: safety

    property var cards: []
    property string text
    property string title

    property bool turned: true
    property real cardWidth: Style.size(30)

    /// Little width: the words are below the cards.
    readonly property bool stacked: width - row.width < Style.size(230)

    implicitHeight: (stacked ? row.height + words.height + Style.gap2 : Math.max(row.height, words.height)) + 2 * Style.gap3

    Row {
        id: row
        objectName: "safetyHand"
        x: Style.gap3
        y: safety.stacked ? Style.gap3 : (parent.height - height) / 2
        spacing: Style.gap1 / 2
        Repeater {
            model: 8
            Card {
                required property int index
                readonly property var face: safety.cards[index] ?? null
                width: safety.cardWidth
                height: width * CardStyle.ratio
                shadow: false
                faceUp: face !== null && safety.turned
                colour: face ? face.colour : 0
                rank: face ? face.rank : 0
            }
        }
    }
    Column {
        id: words
        x: safety.stacked ? Style.gap3 : row.x + row.width + Style.gap3
        y: safety.stacked ? row.y + row.height + Style.gap2 : (parent.height - height) / 2
        width: parent.width - x - Style.gap3
        Row {
            visible: safety.title !== ""
            spacing: Style.gap1
            Icon {
                name: "shield"
                color: Style.accent
                width: Style.size(17)
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
        Paragraph {
            width: parent.width
            text: safety.text + (safety.cards.length > 0 ? "" : " " + qsTr("They turn over when the game begins."))
            size: Style.small
            soft: true
        }
    }
}
