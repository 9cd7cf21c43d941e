// This player's avatar and name. A click leads to where both are changed.
import QtQuick
import QtQuick.Templates as T
import "../Style"
import "../Parts"

T.Button {
    id: chip

    property string name
    property int avatar: 0

    implicitWidth: Math.min(Style.size(220), label.implicitWidth + face.width + pen.width + Style.gap2 * 4)
    implicitHeight: Style.target
    focusPolicy: Qt.StrongFocus
    activeFocusOnTab: true
    hoverEnabled: true
    Accessible.role: Accessible.Button
    Accessible.name: qsTr("You are %1: change your name or colour").arg("\u2068" + name + "\u2069")
    Accessible.onPressAction: chip.clicked()
    Keys.onReturnPressed: chip.clicked()
    Keys.onEnterPressed: chip.clicked()

    contentItem: Item {
        Avatar {
            id: face
            x: Style.gap1 + 2
            width: chip.height - 2 * x
            height: width
            anchors.verticalCenter: parent.verticalCenter
            name: chip.name
            colour: chip.avatar
        }
        Line {
            id: label
            x: face.x + face.width + Style.gap2
            width: parent.width - x - pen.width - 2 * Style.gap2
            height: parent.height
            text: chip.name
            strong: true
        }
        Icon {
            id: pen
            name: "down"
            color: Style.inkSoft
            width: Style.size(16)
            height: width
            anchors.right: parent.right
            anchors.rightMargin: Style.gap2 + 2
            anchors.verticalCenter: parent.verticalCenter
        }
    }
    background: Rectangle {
        radius: height / 2
        antialiasing: true
        color: chip.down || chip.hovered ? Style.mix(Style.raised, Style.ink, 0.06) : Style.raised
        border.width: Style.hair
        border.color: Style.edge
        FocusRing { shown: chip.visualFocus; around: chip.height / 2 }
    }
}
