// A button with words, and an icon if it has a `symbol`. `kind`: "primary", "quiet", "plain",
// "danger".
import QtQuick
import QtQuick.Templates as T
import "../Style"

T.Button {
    id: button

    property string kind: "quiet"
    property string symbol
    /// The key for the same action, shown after the words.
    property string shortcut
    property bool big: false
    /// Its name and key for when it shows only an icon.
    property string tip

    readonly property bool loud: kind === "primary" || kind === "danger"
    readonly property color paint: kind === "primary" ? Style.accent
        : kind === "danger" ? Style.danger
        : kind === "plain" ? "transparent" : Style.raised
    readonly property color words: !enabled ? Style.inkOff
        : kind === "primary" ? Style.accentInk
        : kind === "danger" ? Style.dangerInk
        : kind === "plain" ? Style.accentSoftInk : Style.ink

    implicitWidth: Math.max(Style.target, implicitContentWidth + leftPadding + rightPadding)
    implicitHeight: Math.max(big ? Style.size(52) : Style.target, implicitContentHeight + topPadding + bottomPadding)
    leftPadding: kind === "plain" ? Style.gap3 : Style.gap4
    rightPadding: leftPadding
    topPadding: Style.gap2
    bottomPadding: Style.gap2
    focusPolicy: Qt.StrongFocus
    activeFocusOnTab: true
    hoverEnabled: true
    font.family: Style.family
    font.pixelSize: big ? Style.lead : Style.body
    font.weight: Style.weightStrong
    Accessible.role: Accessible.Button
    Accessible.name: text
    Accessible.onPressAction: button.clicked()
    Keys.onReturnPressed: button.clicked()
    Keys.onEnterPressed: button.clicked()

    readonly property real extras: (symbol !== "" ? icon.width + (text !== "" ? row.spacing : 0) : 0)
        + (shortcut !== "" ? key.width + row.spacing : 0)

    contentItem: Item {
        implicitWidth: label.implicitWidth + button.extras
        implicitHeight: label.implicitHeight
        Row {
            id: row
            spacing: Style.gap2
            anchors.centerIn: parent
            Icon {
                id: icon
                visible: button.symbol !== ""
                name: button.symbol
                color: button.words
                width: Style.size(button.big ? 22 : 19)
                height: width
                anchors.verticalCenter: parent.verticalCenter
            }
            Text {
                id: label
                visible: text !== ""
                text: button.text
                textFormat: Text.PlainText
                clip: true
                font: button.font
                color: button.words
                elide: Text.ElideRight
                width: Math.min(Math.ceil(implicitWidth), Math.max(0, button.availableWidth - button.extras))
                anchors.verticalCenter: parent.verticalCenter
            }
            KeyCap {
                id: key
                visible: button.shortcut !== ""
                text: button.shortcut
                color: button.words
                anchors.verticalCenter: parent.verticalCenter
            }
        }
    }

    Tip {
        button: button
        text: button.text === "" ? button.tip : ""
    }
    background: Rectangle {
        radius: Style.radius2
        antialiasing: true
        color: !button.enabled ? Style.sunken
            : button.down ? Style.mix(button.kind === "plain" ? Style.accentSoft : button.paint, Style.ink, 0.14)
            : button.hovered ? (button.kind === "plain" ? Style.accentSoft : Style.mix(button.paint, Style.ink, 0.07))
            : button.paint
        border.width: button.loud || button.kind === "plain" ? 0 : Style.hair
        border.color: button.enabled ? Style.edge : Style.line
        Behavior on color { ColorAnimation { duration: Style.fade(90) } }
        FocusRing { shown: button.visualFocus; around: Style.radius2 }
    }
}
