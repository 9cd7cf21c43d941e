// A question or a form over everything else. Esc and a click outside close it, unless `staysOpen`:
// then Esc only emits `escaped`, if no item in the sheet handles the key.
import QtQuick
import QtQuick.Templates as T
import "../Style"

T.Popup {
    id: sheet

    property string title
    property string text
    property bool staysOpen: false
    property real wide: 440
    /// The item that has the keyboard focus from the first moment on. The focus is not moved later:
    /// a quick key press would trigger another button than the one that the user saw.
    property Item first: null
    /// Whether it has the keyboard focus: from the start of opening to the start of closing.
    /// `opened` is true only between the two animations.
    property bool holding: false
    signal escaped()
    default property alias content: body.data
    property alias actions: row.data

    parent: T.Overlay.overlay
    x: parent ? Math.round((parent.width - width) / 2) : 0
    y: parent ? Math.round((parent.height - height) / 2) : 0
    width: parent ? Math.min(wide * Math.max(1, Style.textScale * 0.9), parent.width - 2 * Style.gap4) : wide
    height: parent ? Math.min(implicitHeight, parent.height - 2 * Style.gap4) : implicitHeight
    implicitHeight: contentItem.implicitHeight + topPadding + bottomPadding
    padding: Style.gap5
    modal: true
    focus: true
    dim: true
    onAboutToHide: holding = false
    onAboutToShow: {
        holding = true
        if (first)
            first.forceActiveFocus(Qt.TabFocusReason)
    }
    closePolicy: staysOpen ? T.Popup.NoAutoClose : T.Popup.CloseOnEscape | T.Popup.CloseOnPressOutside

    enter: Transition { NumberAnimation { property: "opacity"; from: 0; to: 1; duration: Style.fade(120) } }
    exit: Transition { NumberAnimation { property: "opacity"; from: 1; to: 0; duration: Style.fade(90) } }
    T.Overlay.modal: Rectangle { color: Style.veil }
    background: Panel { color: Style.surface; radius: Style.radius4; shadow: true }

    contentItem: FocusScope {
        implicitHeight: head.height + scroll.contentHeight + foot.height
            + (head.height > 0 && scroll.contentHeight > 0 ? Style.gap3 : 0) + (foot.visible ? Style.gap5 : 0)
        Accessible.role: Accessible.Dialog
        Accessible.name: sheet.title
        Accessible.description: sheet.text
        Keys.onEscapePressed: event => {
            event.accepted = sheet.staysOpen
            if (sheet.staysOpen)
                sheet.escaped()
        }
        // Scrolling keys also work while a button below the scrolling part has the focus.
        Keys.forwardTo: scroll
        Column {
            id: head
            width: parent.width
            spacing: Style.gap2
            Paragraph {
                visible: text !== ""
                width: parent.width
                text: sheet.title
                size: Style.title
                font.weight: Style.weightHeavy
            }
            Paragraph {
                visible: text !== ""
                width: parent.width
                text: sheet.text
                soft: true
            }
        }
        ScrollArea {
            id: scroll
            objectName: "sheetArea"
            width: parent.width + Style.gap3
            anchors.top: head.bottom
            anchors.topMargin: head.height > 0 && contentHeight > 0 ? Style.gap3 : 0
            anchors.bottom: foot.top
            anchors.bottomMargin: foot.visible ? Style.gap5 : 0
            Column {
                id: body
                width: parent.width
                spacing: Style.gap3
            }
        }
        Item {
            id: foot
            visible: row.children.length > 0
            width: parent.width
            height: visible ? row.height : 0
            anchors.bottom: parent.bottom
            Flow {
                id: row
                width: parent.width
                layoutDirection: Qt.RightToLeft
                spacing: Style.gap2
            }
        }
    }
}
