// The presets, one below the other; arrows move between them.
import QtQuick
import QtQuick.Templates as T
import "../Style"
import "../Parts"

ScrollArea {
    id: list

    property var presets: null
    property string current
    signal chosen(string preset)

    Column {
        width: parent.width
        Repeater {
            model: list.presets
            T.RadioButton {
                id: entry
                required property string id
                required property string name
                required property int index
                objectName: "preset-" + entry.id
                width: parent.width
                implicitHeight: Style.target
                text: name
                checked: list.current === entry.id
                focusPolicy: Qt.StrongFocus
                activeFocusOnTab: true
                hoverEnabled: true
                Accessible.role: Accessible.RadioButton
                Accessible.name: name
                Accessible.checkable: true
                Accessible.checked: checked
                Accessible.onPressAction: list.chosen(entry.id)
                onClicked: list.chosen(entry.id)
                Keys.onReturnPressed: list.chosen(entry.id)
                Keys.onEnterPressed: list.chosen(entry.id)
                Keys.onDownPressed: nextItemInFocusChain(true).forceActiveFocus(Qt.TabFocusReason)
                Keys.onUpPressed: nextItemInFocusChain(false).forceActiveFocus(Qt.BacktabFocusReason)
                indicator: null
                contentItem: Line {
                    leftPadding: Style.gap3
                    rightPadding: Style.gap2
                    text: entry.text
                    strong: entry.checked
                    color: entry.checked ? Style.accentSoftInk : Style.ink
                }
                background: Rectangle {
                    radius: Style.radius2
                    antialiasing: true
                    color: entry.checked ? Style.accentSoft
                        : entry.down || entry.hovered ? Style.alpha(Style.ink, 0.07) : "transparent"
                    Rectangle {
                        visible: entry.checked
                        x: Style.gap1
                        width: Style.focusWidth
                        radius: width / 2
                        height: parent.height * 0.5
                        anchors.verticalCenter: parent.verticalCenter
                        color: Style.accent
                    }
                    FocusRing { anchors.margins: 0; shown: entry.visualFocus; around: Style.radius2 - Style.focusWidth }
                }
            }
        }
    }
}
