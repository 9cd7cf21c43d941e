// A button with only an icon; `label` is its name for a screen reader.
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
    /// Whether the label is beside the icon.
    property bool named: false
    /// Additional text, shown while the pointer rests here or the button has the keyboard focus.
    property string tip

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
        Line {
            id: word
            visible: button.named
            x: icon.x + icon.width + Style.gap1
            anchors.verticalCenter: parent.verticalCenter
            text: button.named ? button.label : ""
            size: Style.small
            strong: true
            Accessible.ignored: true
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
    Loader {
        active: button.tip !== "" && (button.hovered || button.visualFocus)
        sourceComponent: T.ToolTip {
            objectName: "tip"
            parent: button
            visible: true
            x: button.width - width
            y: button.height + Style.gap1
            margins: Style.gap2
            padding: 0
            implicitWidth: hint.implicitWidth
            implicitHeight: hint.implicitHeight
            closePolicy: T.Popup.NoAutoClose
            contentItem: Hint { id: hint; text: button.tip; symbol: "" }
        }
    }
    Badge {
        visible: button.count > 0
        text: button.count > 99 ? "99+" : String(button.count)
        mood: "loud"
        anchors.right: parent.right
        anchors.top: parent.top
    }
}
