// A scrolling area, moved by the wheel, the bar, and the arrow and page keys.
import QtQuick
import QtQuick.Templates as T
import "../Style"

Flickable {
    id: area

    default property alias content: holder.data
    property real padding: 0

    contentWidth: width
    contentHeight: holder.childrenRect.height + 2 * padding
    clip: true
    boundsBehavior: Flickable.StopAtBounds
    T.ScrollBar.vertical: ThinBar { id: bar }

    function reveal(item: Item): void {
        const top = item.mapToItem(contentItem, 0, 0).y
        const most = Math.max(0, contentHeight - height)
        if (top < contentY)
            contentY = Math.max(0, top - Style.gap2)
        else if (top + item.height > contentY + height)
            // An item that is taller than the area is shown from its beginning.
            contentY = Math.min(most, top, top + item.height - height + Style.gap2)
    }
    function page(by: real): void {
        contentY = Math.max(0, Math.min(Math.max(0, contentHeight - height), contentY + by))
    }
    Keys.onUpPressed: page(-Style.target)
    Keys.onDownPressed: page(Style.target)
    Keys.onPressed: event => {
        if (event.key === Qt.Key_PageUp || event.key === Qt.Key_PageDown) {
            page((event.key === Qt.Key_PageUp ? -0.9 : 0.9) * height)
            event.accepted = true
        }
    }
    /// The item that has the keyboard focus. While the window is inactive, none has it: when the
    /// window becomes active again, nothing may move under the pointer.
    property Item followed: null
    // Scroll to the item that gets the keyboard focus.
    Connections {
        target: area.Window.window
        ignoreUnknownSignals: true
        function onActiveFocusItemChanged() {
            const item = area.Window.activeFocusItem
            if (!item || item === area.followed)
                return
            area.followed = item
            for (let up = item; up; up = up.parent)
                if (up === holder) {
                    area.reveal(item)
                    return
                }
        }
    }

    OutOfSight { area: area }

    Item {
        id: holder
        x: area.padding
        y: area.padding
        // Room for the bar is always reserved, so that content does not move when it appears.
        width: area.width - 2 * area.padding - bar.width
        height: childrenRect.height
    }
}
