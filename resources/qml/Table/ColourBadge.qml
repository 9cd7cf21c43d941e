// The current colour: its sign and its name.
import QtQuick
import "../Style"
import "../Parts"

Item {
    id: badge

    /// -1 while no colour is chosen.
    property int colour: -1
    property real side: 72
    readonly property var names: [qsTr("Red"), qsTr("Yellow"), qsTr("Green"), qsTr("Blue")]
    readonly property string word: colour < 0 ? qsTr("No colour yet") : names[colour]

    /// As wide as the longest name needs, so that nothing moves when the colour changes.
    readonly property real longest: Math.max(label.implicitWidth, ...names.map(each => metrics.advanceWidth(each)))
    implicitWidth: Math.max(side, Math.ceil(longest))
    readonly property real wordHeight: label.implicitHeight + Style.gap1
    implicitHeight: side + wordHeight
    Accessible.role: Accessible.StaticText
    Accessible.name: qsTr("Colour: %1").arg(word)

    FontMetrics {
        id: metrics
        font: label.font
    }
    Rectangle {
        width: badge.side
        height: badge.side
        radius: width / 2
        antialiasing: true
        anchors.horizontalCenter: parent.horizontalCenter
        color: badge.colour < 0 ? CardStyle.wildBody : CardStyle.bodies[badge.colour]
        border.width: 3
        border.color: badge.colour < 0 ? CardStyle.wildEdge : CardStyle.edges[badge.colour]
        Behavior on color { ColorAnimation { duration: Style.fade(200) } }
        Sign {
            visible: badge.colour >= 0
            kind: badge.colour
            color: CardStyle.paper
            anchors.centerIn: parent
            width: parent.width * 0.56
            height: width
        }
        FourSigns {
            visible: badge.colour < 0
            anchors.centerIn: parent
            width: parent.width * 0.66
            height: width
        }
    }
    Line {
        id: label
        anchors.horizontalCenter: parent.horizontalCenter
        y: badge.side + Style.gap1
        text: badge.word
        size: Style.body
        heavy: true
    }
}
