// A button that leads to another page: an icon with a word below.
import QtQuick
import QtQuick.Templates as T
import "../Style"
import "../Parts"

T.Button {
    id: tile

    property string symbol
    property Item above

    implicitWidth: Style.size(92)
    implicitHeight: Style.size(66)
    focusPolicy: Qt.StrongFocus
    activeFocusOnTab: true
    hoverEnabled: true
    Accessible.role: Accessible.Button
    Accessible.name: text
    Accessible.onPressAction: tile.clicked()
    Keys.onReturnPressed: tile.clicked()
    Keys.onEnterPressed: tile.clicked()
    Keys.onUpPressed: above.forceActiveFocus(Qt.TabFocusReason)
    Keys.onLeftPressed: nextItemInFocusChain(false).forceActiveFocus(Qt.TabFocusReason)
    Keys.onRightPressed: nextItemInFocusChain(true).forceActiveFocus(Qt.TabFocusReason)

    contentItem: Item {
        Column {
            anchors.centerIn: parent
            width: parent.width - Style.gap1
            spacing: Style.gap1
            Icon {
                name: tile.symbol
                color: tile.enabled ? Style.ink : Style.inkOff
                anchors.horizontalCenter: parent.horizontalCenter
            }
            Line {
                width: parent.width
                horizontalAlignment: Text.AlignHCenter
                text: tile.text
                size: Style.small
                fontSizeMode: Text.HorizontalFit
                minimumPixelSize: Style.size(9)
                strong: true
                color: tile.enabled ? Style.ink : Style.inkOff
            }
        }
    }
    background: Rectangle {
        radius: Style.radius3
        antialiasing: true
        color: tile.down ? Style.alpha(Style.ink, 0.14) : tile.hovered ? Style.alpha(Style.ink, 0.07) : Style.alpha(Style.ink, 0.035)
        FocusRing { shown: tile.visualFocus; around: Style.radius3 }
    }
}
