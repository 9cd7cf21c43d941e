// A button with more actions, in a list that opens below it.
import QtQuick
import QtQuick.Templates as T
import "../Style"

IconButton {
    id: button

    /// [{text, symbol, danger, act}]: `act` is called when the entry is chosen.
    property var entries: []
    /// The entries when the button was pressed: what happens meanwhile does not change what a click means.
    property var taken: null
    /// Whether the digit keys choose entries, and are shown beside them.
    property bool numbered: false
    /// The minimum width of the list: a longer entry makes it wider.
    property real listWidth: Style.size(232)

    symbol: "dots"
    checked: list.visible
    opened: list.visible
    Accessible.role: Accessible.ButtonMenu
    onPressed: if (!list.visible)
        taken = entries
    onCanceled: if (!list.visible)
        taken = null
    onClicked: {
        if (list.visible) {
            list.close()
            return
        }
        taken = taken ?? entries
        list.open()
    }

    T.Popup {
        id: list
        objectName: "menu"
        x: button.width - width
        y: button.height + Style.gap1
        width: Math.min(Math.max(button.listWidth, column.widest + 2 * padding),
            (button.Window.width || 640) - 2 * Style.gap2)
        /// A longer list scrolls.
        height: Math.min(column.height + 2 * padding, (button.Window.height || 480) - 2 * Style.gap2)
        padding: Style.gap1
        margins: Style.gap2
        focus: true
        // So that Esc closes the list instead of leaving the page.
        modal: true
        dim: false
        closePolicy: T.Popup.CloseOnEscape | T.Popup.CloseOnPressOutside
        onOpened: rows.count > 0 && rows.itemAt(0).forceActiveFocus(Qt.TabFocusReason)
        onClosed: {
            button.taken = null
            button.forceActiveFocus()
        }
        background: Panel { color: Style.raised; radius: Style.radius2; shadow: true }
        contentItem: Flickable {
            id: area
            clip: true
            contentHeight: column.height
            boundsBehavior: Flickable.StopAtBounds
            T.ScrollBar.vertical: ThinBar { visible: size < 0.995 }
            Column {
                id: column
                readonly property real widest: {
                    let most = 0
                    for (let place = 0; place < rows.count; place++)
                        most = Math.max(most, rows.itemAt(place)?.wanted ?? 0)
                    return most
                }
                width: area.width
                Repeater {
                    id: rows
                    model: list.visible ? button.taken : []
                    T.Button {
                        id: entry
                        objectName: "entry" + index
                        required property var modelData
                        required property int index
                        readonly property color words: modelData.danger ? Style.danger : Style.ink
                        readonly property real wanted: name.x + Math.ceil(name.implicitWidth) + name.behind
                        width: column.width
                        height: Style.target
                        focusPolicy: Qt.StrongFocus
                        activeFocusOnTab: true
                        hoverEnabled: true
                        Accessible.role: Accessible.MenuItem
                        Accessible.name: modelData.text
                        Accessible.onPressAction: entry.clicked()
                        onActiveFocusChanged: if (activeFocus)
                            area.contentY = Math.max(Math.min(area.contentY, y), y + height - area.height)
                        Keys.onReturnPressed: entry.clicked()
                        Keys.onEnterPressed: entry.clicked()
                        Keys.onDownPressed: rows.itemAt((index + 1) % rows.count).forceActiveFocus(Qt.TabFocusReason)
                        Keys.onUpPressed: rows.itemAt((index + rows.count - 1) % rows.count).forceActiveFocus(Qt.TabFocusReason)
                        Keys.onPressed: event => {
                            const chosen = event.key - Qt.Key_1
                            if (!button.numbered || chosen < 0 || chosen >= rows.count)
                                return
                            event.accepted = true
                            rows.itemAt(chosen).clicked()
                        }
                        onClicked: {
                            const act = modelData.act
                            list.close()
                            act()
                        }
                        contentItem: Item {
                            Icon {
                                id: icon
                                x: Style.gap2
                                anchors.verticalCenter: parent.verticalCenter
                                name: entry.modelData.symbol
                                color: entry.words
                                width: Style.size(18)
                                height: width
                            }
                            Line {
                                id: name
                                readonly property real behind: Style.gap2 + (digit.visible ? digit.width + Style.gap2 : 0)
                                x: icon.x + icon.width + Style.gap3
                                width: parent.width - x - behind
                                height: parent.height
                                text: entry.modelData.text
                                strong: true
                                color: entry.words
                            }
                            KeyCap {
                                id: digit
                                visible: button.numbered
                                anchors.right: parent.right
                                anchors.rightMargin: Style.gap2
                                anchors.verticalCenter: parent.verticalCenter
                                text: String(entry.index + 1)
                            }
                        }
                        background: Rectangle {
                            radius: Style.radius1
                            color: entry.hovered || entry.down || entry.visualFocus ? Style.alpha(Style.ink, 0.08) : "transparent"
                            border.width: entry.visualFocus ? 2 : 0
                            border.color: Style.accentStrong
                        }
                    }
                }
            }
        }
    }
}
