// A button with only an icon; `label` is its name for a screen reader, and in its tip.
import QtQuick
import QtQuick.Templates as T
import "../Style"

T.Button {
    id: button

    property string symbol
    property string label
    property bool loud: false
    /// A small number in the corner (unread messages); 0 shows nothing.
    property int count: 0
    /// The key for the same action.
    property string key
    property string tip: key === "" ? label : label + " (" + key + ")"
    /// Whether its list is open, so that no tip is shown.
    property bool opened: false
    /// Whether the label is beside the icon.
    property bool named: false

    implicitWidth: named ? Style.target + Style.gap1 + word.implicitWidth : Style.target
    implicitHeight: Style.target
    focusPolicy: Qt.StrongFocus
    activeFocusOnTab: true
    hoverEnabled: true
    Accessible.role: Accessible.Button
    Accessible.name: label
    Accessible.onPressAction: button.clicked()
    Keys.onReturnPressed: button.clicked()
    Keys.onEnterPressed: button.clicked()

    contentItem: Item {
        Icon {
            id: icon
            x: button.named ? Style.gap2 : (parent.width - width) / 2
            anchors.verticalCenter: parent.verticalCenter
            name: button.symbol
            color: !button.enabled ? Style.inkOff : button.loud ? Style.accentInk
                : button.checked ? Style.accentSoftInk : Style.ink
        }
        Loader {
            id: word
            active: button.named
            x: icon.x + icon.width + Style.gap1
            anchors.verticalCenter: parent.verticalCenter
            sourceComponent: Line {
                text: button.label
                size: Style.small
                strong: true
                Accessible.ignored: true
            }
        }
    }
    background: Rectangle {
        radius: Style.radius2
        antialiasing: true
        color: button.loud ? (button.down || button.hovered ? Style.accentStrong : Style.accent)
            : button.checked ? Style.accentSoft
            : button.down ? Style.alpha(Style.ink, 0.16) : button.hovered ? Style.alpha(Style.ink, 0.08) : "transparent"
        FocusRing { shown: button.visualFocus; around: Style.radius2 }
    }
    Tip {
        button: button
        text: button.opened ? "" : button.tip
    }
    Loader {
        active: button.count > 0
        anchors.right: parent.right
        anchors.top: parent.top
        sourceComponent: Badge {
            text: button.count > 99 ? "99+" : String(button.count)
            mood: "loud"
        }
    }
}
