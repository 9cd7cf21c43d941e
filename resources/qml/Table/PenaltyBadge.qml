// The penalty that is pending.
import QtQuick
import "../Style"
import "../Parts"

Rectangle {
    id: penalty

    property int cards: 0

    visible: cards > 0
    implicitWidth: row.width + Style.gap4
    implicitHeight: Style.size(34)
    radius: height / 2
    antialiasing: true
    color: Style.dangerSoft
    Accessible.role: Accessible.StaticText
    Accessible.name: qsTr("Pending penalty: %1").arg(cards)

    Row {
        id: row
        anchors.centerIn: parent
        spacing: Style.gap1
        MiniFan {
            count: Math.min(3, penalty.cards)
            cardWidth: Style.size(13)
            anchors.verticalCenter: parent.verticalCenter
        }
        Line {
            text: "+" + penalty.cards
            size: Style.lead
            heavy: true
            color: Style.dangerSoftInk
            anchors.verticalCenter: parent.verticalCenter
        }
    }
}
