// The facts of the round that are always shown: its number, the target, the dealer, the last mover.
import QtQuick
import "../Style"
import "../Parts"

Item {
    id: bar

    property string tableName
    property int round: 0
    property int target: 0
    /// How many of the rounds that were agreed on have been played; "" for a whole match.
    property string agreed
    property string dealer
    property string last
    property alias actions: right.data

    implicitHeight: Style.target + Style.gap2

    /// Only the icons, because there is no room for the words.
    readonly property bool tight: facts.full > width - right.width - 2 * Style.gap4 - Math.min(name.implicitWidth, Style.size(96))

    /// The name of the table needs the room more than the last move, and beside the agreed rounds more
    /// than the dealer: their plates show both.
    readonly property bool narrow: width - right.width < Style.size(500)

    component Fact: Row {
        id: fact
        property string symbol
        property string label
        property string value
        visible: value !== ""
        spacing: Style.gap1 + 1
        readonly property real full: Style.size(15) + Math.ceil(word.implicitWidth) + content.width + 2 * spacing
        height: parent.height
        Accessible.role: Accessible.StaticText
        Accessible.name: label + ": " + value
        Icon {
            name: fact.symbol
            color: Style.inkSoft
            width: Style.size(15)
            height: width
            anchors.verticalCenter: parent.verticalCenter
        }
        Line {
            id: word
            visible: !bar.tight
            text: fact.label + ":"
            size: Style.small
            soft: true
            height: parent.height
            Accessible.ignored: true
        }
        Line {
            id: content
            text: fact.value
            size: Style.small
            strong: true
            width: Math.min(Math.ceil(implicitWidth), Style.size(96))
            height: parent.height
            Accessible.ignored: true
        }
    }

    Line {
        id: name
        objectName: "tableName"
        anchors.verticalCenter: parent.verticalCenter
        width: Math.min(Math.ceil(implicitWidth), Math.max(0, bar.width - right.width - facts.width - 2 * Style.gap4))
        text: bar.tableName
        size: Style.lead
        heavy: true
        visible: width >= Math.min(Math.ceil(implicitWidth), Style.size(60))
    }
    Row {
        id: facts
        readonly property real full: {
            let sum = -spacing
            for (const one of children)
                if (one.visible)
                    sum += one.full + spacing
            return sum
        }
        x: name.visible ? name.width + Style.gap4 : 0
        height: parent.height
        spacing: Style.gap3 + 2
        Fact { symbol: "refresh"; label: qsTr("Round"); value: bar.round > 0 ? String(bar.round) : "" }
        Fact { symbol: "check"; label: qsTr("Rounds played"); value: bar.agreed }
        Fact { symbol: "trophy"; label: qsTr("Target"); value: bar.target > 0 ? String(bar.target) : "" }
        Fact { symbol: "cards"; label: qsTr("Dealer"); value: bar.narrow && bar.agreed !== "" ? "" : bar.dealer }
        Fact { symbol: "flag"; label: qsTr("Last move"); value: bar.narrow ? "" : bar.last }
    }
    Row {
        id: right
        anchors.right: parent.right
        anchors.verticalCenter: parent.verticalCenter
        spacing: Style.gap1
    }
}
