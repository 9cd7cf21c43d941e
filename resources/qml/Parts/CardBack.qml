// The back of every card: the four signs woven over violet. No behaviour.
import QtQuick
import "../Style"

Item {
    id: back

    implicitWidth: 96
    implicitHeight: implicitWidth * CardStyle.ratio

    Rectangle {
        anchors.fill: parent
        radius: width * 0.1
        antialiasing: true
        border.width: Math.max(1, width * 0.014)
        border.color: CardStyle.backEdge
        gradient: Gradient {
            GradientStop { position: 0; color: Qt.lighter(CardStyle.backBody, 1.14) }
            GradientStop { position: 1; color: Qt.darker(CardStyle.backBody, 1.08) }
        }
    }
    Rectangle {
        visible: back.width >= 30
        anchors.fill: parent
        anchors.margins: back.width * 0.07
        radius: back.width * 0.055
        color: "transparent"
        antialiasing: true
        border.width: Math.max(1, back.width * 0.012)
        border.color: Style.alpha(CardStyle.backMark, 0.55)
    }
    Repeater {
        model: back.width >= 60 ? 12 : 0
        Sign {
            required property int index
            readonly property int column: index % 3
            readonly property int row: Math.floor(index / 3)
            visible: !(column === 1 && (row === 1 || row === 2))
            kind: (column + row) % 4
            color: Style.alpha(CardStyle.backMark, 0.3)
            width: back.width * 0.13
            height: width
            x: back.width * (0.22 + 0.28 * column) - width / 2
            y: back.height * (0.165 + 0.2233 * row) - height / 2
        }
    }
    FourSigns {
        visible: back.width >= 18
        width: back.width * (back.width >= 60 ? 0.4 : 0.56)
        height: width
        anchors.centerIn: parent
        colors: [CardStyle.backMark, CardStyle.backMark, CardStyle.backMark, CardStyle.backMark]
    }
}
