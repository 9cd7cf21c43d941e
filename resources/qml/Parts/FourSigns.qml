// The four colour signs around one point: the mark of wild cards and of the game itself. With
// `named` 0 to 3 that sign stands out and the others are dimmed.
import QtQuick
import "../Style"

Item {
    id: four

    property int named: -1
    property list<color> colors: CardStyle.wildSigns
    /// The share of the side that one sign takes.
    property real share: 0.44

    implicitWidth: Style.gap6
    implicitHeight: Style.gap6

    Repeater {
        model: 4
        Sign {
            required property int index
            readonly property real spread: (1 - four.share) / 2
            kind: index
            color: four.colors[index]
            width: four.width * four.share
            height: width
            x: (four.width - width) / 2 + four.width * spread * [0, 1, 0, -1][index]
            y: (four.height - height) / 2 + four.height * spread * [-1, 0, 1, 0][index]
            opacity: four.named < 0 || four.named === index ? 1 : 0.22
            scale: four.named === index ? 1.3 : 1
        }
    }
}
