// Choosing the colour that a wild card names: four big signs, keys 1 to 4.
import QtQuick
import QtQuick.Templates as T
import "../Style"
import "../Parts"

Item {
    id: picker

    property bool cancellable: true
    signal chosen(int colour)
    signal cancelled()

    readonly property var names: [qsTr("Red"), qsTr("Yellow"), qsTr("Green"), qsTr("Blue")]
    readonly property real space: width - (cancellable ? back.width + Style.gap2 : 0)
    readonly property real each: Math.min(Style.size(120), Math.floor((space - 3 * Style.gap2) / 4))

    implicitHeight: title.height + Style.gap1 + row.height + 2 * Style.gap2
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

    Line {
        id: title
        y: Style.gap2
        width: parent.width
        text: qsTr("Which colour?")
        heavy: true
    }
    Row {
        id: row
        y: title.y + title.height + Style.gap1
        spacing: Style.gap2
        Repeater {
            id: choices
            model: 4
            T.Button {
                id: choice
                required property int index
                width: picker.each
                height: Math.max(Style.target, Style.size(52))
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
                    radius: Style.radius2
                    antialiasing: true
                    color: choice.hovered ? Qt.lighter(CardStyle.bodies[choice.index], 1.08) : CardStyle.bodies[choice.index]
                    border.width: 2
                    border.color: CardStyle.edges[choice.index]
                    FocusRing { shown: choice.visualFocus; around: Style.radius2 }
                }
                contentItem: Item {
                    Sign {
                        kind: choice.index
                        color: CardStyle.paper
                        width: Style.size(22)
                        height: width
                        anchors.horizontalCenter: parent.horizontalCenter
                        y: Style.gap1
                    }
                    Line {
                        anchors.horizontalCenter: parent.horizontalCenter
                        y: parent.height - height - 3
                        width: Math.min(implicitWidth, parent.width - Style.gap1)
                        fontSizeMode: Text.HorizontalFit
                        minimumPixelSize: Style.length(11)
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
    // After the colours in the order of the Tab key and of screen readers.
    PushButton {
        id: back
        visible: picker.cancellable
        anchors.right: parent.right
        anchors.verticalCenter: row.verticalCenter
        text: qsTr("Take back")
        kind: "plain"
        onClicked: picker.cancelled()
    }
}
