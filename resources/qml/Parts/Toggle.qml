// A switch, with a label and, below it, an explanation.
import QtQuick
import QtQuick.Templates as T
import "../Style"

T.Switch {
    id: toggle

    property string note

    implicitWidth: 320
    implicitHeight: Math.max(Style.target, words.implicitHeight + Style.gap2 * 2)
    spacing: Style.gap3
    focusPolicy: Qt.StrongFocus
    activeFocusOnTab: true
    hoverEnabled: true
    Accessible.role: Accessible.CheckBox
    Accessible.name: text
    Accessible.description: note
    Accessible.checkable: true
    Accessible.checked: checked
    Accessible.onToggleAction: { toggle.toggle(); toggle.toggled() }
    Accessible.onPressAction: { toggle.toggle(); toggle.toggled() }
    Keys.onReturnPressed: { toggle.toggle(); toggle.toggled() }

    indicator: Rectangle {
        x: toggle.width - width
        y: (toggle.height - height) / 2
        width: Style.size(46)
        height: Style.size(26)
        radius: height / 2
        antialiasing: true
        color: !toggle.enabled ? Style.sunken : toggle.checked ? Style.accent : Style.sunken
        border.width: toggle.checked && toggle.enabled ? 0 : 2
        border.color: toggle.enabled ? Style.edge : Style.line
        Behavior on color { ColorAnimation { duration: Style.fade(120) } }
        Rectangle {
            readonly property real gap: parent.height * 0.16
            width: parent.height - 2 * gap
            height: width
            radius: width / 2
            antialiasing: true
            y: gap
            x: toggle.checked ? parent.width - width - gap : gap
            color: !toggle.enabled ? Style.inkOff : toggle.checked ? Style.accentInk : Style.edge
            Behavior on x { NumberAnimation { duration: Style.ms(120); easing.type: Easing.OutCubic } }
        }
        FocusRing { shown: toggle.visualFocus; around: parent.radius }
    }
    contentItem: Item {
        Column {
            id: words
            width: parent.width - Style.size(46) - toggle.spacing
            anchors.verticalCenter: parent.verticalCenter
            Paragraph {
                width: parent.width
                text: toggle.text
                strong: true
                color: toggle.enabled ? Style.ink : Style.inkOff
            }
            Paragraph {
                visible: toggle.note !== ""
                width: parent.width
                text: toggle.note
                size: Style.small
                soft: true
            }
        }
    }
}
