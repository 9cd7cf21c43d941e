// The print of one card: its body, the sign of its colour with the rank in it, and the index in two
// corners, narrow enough for the 24 pixels that an overlapped card shows. No behaviour. Only
// visible items are created, because there may be many cards.
import QtQuick
import QtQuick.Shapes
import "../Style"

Item {
    id: face

    /// 0 to 3 as in the rules, -1 for wild cards.
    property int colour: 0
    /// The rank as in the rules: the index of its entry in `CardStyle.ranks`.
    property int rank: 0
    /// The colour that was named with a wild card on the discard pile; -1 for none.
    property int named: -1

    readonly property var entry: CardStyle.ranks[rank] ?? ({ text: "", icon: "", wild: false })
    readonly property bool wild: entry.wild
    readonly property string word: entry.text
    readonly property string symbol: entry.icon
    /// Whether there is a text or an icon, for which the four signs of a wild card make room.
    readonly property bool marked: word !== "" || symbol !== ""
    /// The width of the border in the named colour, as a share of that of the card.
    readonly property real frame: wild && named >= 0 ? 0.05 : 0
    readonly property int suit: wild ? -1 : colour
    readonly property color paint: CardStyle.body(suit)

    implicitWidth: 96
    implicitHeight: implicitWidth * CardStyle.ratio

    component Index: Item {
        x: face.width * (0.015 + face.frame)
        y: face.width * (0.035 + face.frame)
        width: face.width * 0.25
        height: face.width * 0.5

        Text {
            id: letter
            visible: face.word !== ""
            anchors.horizontalCenter: parent.horizontalCenter
            y: face.width * (face.word.length > 1 ? 0.04 : 0)
            text: face.word
            textFormat: Text.PlainText
            color: CardStyle.index(face.suit)
            font.family: Style.family
            font.weight: Style.weightHeavy
            font.pixelSize: Math.max(1, face.width * (face.word.length > 1 ? 0.15 : 0.235))
            lineHeight: face.width * (face.word.length > 1 ? 0.2 : 0.27)
            lineHeightMode: Text.FixedHeight
        }
        Loader {
            active: face.symbol !== ""
            width: face.width * 0.2
            height: width
            anchors.horizontalCenter: parent.horizontalCenter
            y: face.width * 0.05
            sourceComponent: Icon {
                name: face.symbol
                color: CardStyle.index(face.suit)
                weight: 3
            }
        }
        Loader {
            active: !face.wild
            width: face.width * 0.135
            height: width
            anchors.horizontalCenter: parent.horizontalCenter
            y: face.width * 0.275
            sourceComponent: Sign {
                kind: face.suit
                color: CardStyle.index(face.suit)
            }
        }
        Loader {
            active: face.wild
            width: face.width * (face.marked ? 0.185 : 0.2)
            height: width
            anchors.horizontalCenter: parent.horizontalCenter
            y: face.width * (face.marked ? 0.25 : 0.04)
            sourceComponent: FourSigns { named: face.named }
        }
    }

    Rectangle {
        anchors.fill: parent
        radius: width * 0.1
        antialiasing: true
        border.width: Math.max(1, width * 0.014)
        border.color: CardStyle.edge(face.suit)
        gradient: Gradient {
            GradientStop { position: 0; color: Qt.lighter(face.paint, 1.07) }
            GradientStop { position: 1; color: Qt.darker(face.paint, 1.05) }
        }
    }
    // A wild card on the discard pile has a border in the colour named with it.
    Rectangle {
        visible: face.wild && face.named >= 0
        anchors.fill: parent
        radius: width * 0.1
        color: "transparent"
        antialiasing: true
        border.width: Math.max(2, face.width * face.frame)
        border.color: face.named < 0 ? "transparent" : CardStyle.wildSigns[face.named]
    }

    // The middle of a coloured card.
    Loader {
        id: middle
        active: !face.wild
        width: face.width * [0.92, 0.82, 0.7, 0.84, 0][face.suit < 0 ? 4 : face.suit]
        height: width
        anchors.centerIn: parent
        sourceComponent: Sign {
            kind: face.suit
            color: CardStyle.paper
        }
    }
    Text {
        visible: !face.wild && face.word !== ""
        anchors.horizontalCenter: parent.horizontalCenter
        y: (parent.height - height) / 2 + (face.suit === 3 ? middle.height * 0.1 : 0)
        text: face.word
        textFormat: Text.PlainText
        color: CardStyle.ink(face.suit)
        font.family: Style.family
        font.weight: Style.weightHeavy
        font.pixelSize: Math.max(1, face.width * (face.word.length > 1 ? 0.34 : 0.46))
        // A line that shows which way up a 6 or a 9 is.
        Rectangle {
            visible: face.word === "6" || face.word === "9"
            width: parent.width * 0.78
            height: Math.max(1, face.width * 0.028)
            radius: height / 2
            color: parent.color
            anchors.horizontalCenter: parent.horizontalCenter
            y: parent.baselineOffset + face.width * 0.035
        }
    }
    Loader {
        active: !face.wild && face.symbol !== ""
        width: face.width * 0.4
        height: width
        anchors.horizontalCenter: parent.horizontalCenter
        y: (parent.height - height) / 2 + (face.suit === 3 ? middle.height * 0.1 : 0)
        sourceComponent: Icon {
            name: face.symbol
            color: CardStyle.ink(face.suit)
            weight: 2.7
        }
    }

    // The middle of a wild card.
    Loader {
        active: face.wild
        width: face.width * (0.86 - 1.6 * face.frame)
        height: width
        anchors.centerIn: parent
        sourceComponent: FourSigns {
            named: face.named
            share: face.marked ? 0.27 : 0.39
        }
    }
    Text {
        visible: face.wild && face.word !== ""
        anchors.centerIn: parent
        text: face.word
        textFormat: Text.PlainText
        color: CardStyle.paper
        font.family: Style.family
        font.weight: Style.weightHeavy
        font.pixelSize: Math.max(1, face.width * 0.23)
    }
    Loader {
        active: face.wild && face.symbol !== ""
        width: face.width * 0.27
        height: width
        anchors.centerIn: parent
        sourceComponent: Icon {
            name: face.symbol
            color: CardStyle.paper
            weight: 3
        }
    }

    Index {}
    Index {
        x: face.width * (0.985 - face.frame) - width
        y: face.height - face.width * (0.035 + face.frame) - height
        rotation: 180
    }
}
