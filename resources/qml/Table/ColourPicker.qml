// Choosing the colour that a wild card names: four big signs, keys 1 to 4.
import QtQuick
import QtQuick.Templates as T
import "../Style"
import "../Parts"

Panel {
    id: picker

    property bool cancellable: true
    /// With little height: smaller signs, and the way back beside the title.
    property bool low: false
    signal chosen(int colour)
    signal cancelled()

    readonly property var names: [qsTr("Red"), qsTr("Yellow"), qsTr("Green"), qsTr("Blue")]

    shadow: true
    implicitWidth: column.width + 2 * Style.gap4
    implicitHeight: column.height + 2 * Style.gap4 + (cancellable && !low ? back.implicitHeight + column.spacing : 0)
    Accessible.role: Accessible.Dialog
    Accessible.name: title.text

    function take(): void { choices.itemAt(0).forceActiveFocus(Qt.TabFocusReason) }
    Keys.onPressed: event => {
        if (event.key >= Qt.Key_1 && event.key <= Qt.Key_4) {
            picker.chosen(event.key - Qt.Key_1)
            event.accepted = true
        } else if (event.key === Qt.Key_Escape && picker.cancellable) {
            picker.cancelled()
            event.accepted = true
        }
    }

    // Clicks do not pass through to items below.
    TapHandler { gesturePolicy: TapHandler.ReleaseWithinBounds }
    HoverHandler { blocking: true }

    Column {
        id: column
        x: Style.gap4
        y: Style.gap4
        spacing: Style.gap3
        Item {
            width: row.width
            height: picker.low && picker.cancellable ? back.implicitHeight : title.implicitHeight
            Line {
                id: title
                x: picker.low && picker.cancellable ? Style.gap1 : (parent.width - width) / 2
                anchors.verticalCenter: picker.low ? parent.verticalCenter : undefined
                text: qsTr("Which colour?")
                size: Style.title
                heavy: true
            }
        }
        Row {
            id: row
            spacing: Style.gap2
            Repeater {
                id: choices
                model: 4
                T.Button {
                    id: choice
                    required property int index
                    width: Style.size(88)
                    height: Style.size(picker.low ? 70 : 92)
                    focusPolicy: Qt.StrongFocus
                    activeFocusOnTab: true
                    hoverEnabled: true
                    Accessible.role: Accessible.Button
                    Accessible.name: picker.names[index]
                    Accessible.onPressAction: picker.chosen(index)
                    onClicked: picker.chosen(index)
                    Keys.onReturnPressed: picker.chosen(index)
                    Keys.onEnterPressed: picker.chosen(index)
                    Keys.onLeftPressed: choices.itemAt((index + 3) % 4).forceActiveFocus(Qt.TabFocusReason)
                    Keys.onRightPressed: choices.itemAt((index + 1) % 4).forceActiveFocus(Qt.TabFocusReason)
                    background: Rectangle {
                        radius: Style.radius3
                        antialiasing: true
                        color: choice.hovered ? Qt.lighter(CardStyle.bodies[choice.index], 1.08) : CardStyle.bodies[choice.index]
                        border.width: 2
                        border.color: CardStyle.edges[choice.index]
                        FocusRing { shown: choice.visualFocus; around: Style.radius3 }
                    }
                    contentItem: Item {
                        Sign {
                            kind: choice.index
                            color: CardStyle.paper
                            width: Style.size(picker.low ? 30 : 44)
                            height: width
                            anchors.horizontalCenter: parent.horizontalCenter
                            y: Style.size(9)
                        }
                        Line {
                            anchors.horizontalCenter: parent.horizontalCenter
                            y: parent.height - height - Style.size(picker.low ? 4 : 10)
                            width: Math.min(implicitWidth, parent.width - Style.gap1)
                            text: picker.names[choice.index]
                            strong: true
                            color: CardStyle.indexes[choice.index]
                        }
                        KeyCap {
                            x: parent.width - width - Style.gap1
                            y: Style.gap1
                            text: String(choice.index + 1)
                            color: CardStyle.indexes[choice.index]
                        }
                    }
                }
            }
        }
    }
    // After the colours in the order of the Tab key and of screen readers, wherever it is drawn.
    PushButton {
        id: back
        visible: picker.cancellable
        x: column.x + (picker.low ? column.width - width : (column.width - width) / 2)
        y: picker.low ? column.y : column.y + column.height + column.spacing
        text: qsTr("Take back")
        kind: "plain"
        onClicked: picker.cancelled()
    }
}
