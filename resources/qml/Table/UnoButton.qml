// The button to say "UNO". Prominent while it is owed, lit while the next card will say it.
import QtQuick
import QtQuick.Templates as T
import "../Style"
import "../Parts"

T.Button {
    id: button

    property bool owed: false
    property bool armed: false

    implicitWidth: Math.max(Style.size(92), word.implicitWidth + Style.gap5)
    implicitHeight: Style.size(52)
    focusPolicy: Qt.StrongFocus
    activeFocusOnTab: true
    hoverEnabled: true
    Accessible.role: Accessible.Button
    Accessible.name: armed ? qsTr("UNO: will be said with the next card") : qsTr("Say UNO")
    Accessible.onPressAction: button.clicked()
    Keys.onReturnPressed: button.clicked()
    Keys.onEnterPressed: button.clicked()

    background: Rectangle {
        radius: height / 2
        antialiasing: true
        color: !button.enabled ? Style.sunken : button.owed ? Style.danger : button.armed ? Style.accent
            : button.hovered ? Style.accentSoft : Style.raised
        border.width: button.owed || button.armed ? 0 : 2
        border.color: button.enabled ? Style.accent : Style.line
        FocusRing { shown: button.visualFocus; around: parent.radius }
        SequentialAnimation on scale {
            running: button.owed && !Style.reduced
            loops: Style.repeats
            alwaysRunToEnd: true
            NumberAnimation { to: 1.06; duration: 320; easing.type: Easing.InOutQuad }
            NumberAnimation { to: 1; duration: 320; easing.type: Easing.InOutQuad }
        }
    }
    contentItem: Item {
        Line {
            id: word
            anchors.centerIn: parent
            text: "UNO!"
            size: Style.title
            heavy: true
            color: !button.enabled ? Style.inkOff : button.owed ? Style.dangerInk : button.armed ? Style.accentInk : Style.accentSoftInk
        }
    }
}
