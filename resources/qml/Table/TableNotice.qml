// A message that the table is paused or its round void: what, why, and that nothing is lost.
import QtQuick
import "../Style"
import "../Parts"

Panel {
    id: notice

    property string symbol: "pause"
    property string title
    property string text
    property string mood: "warn"
    /// The action that the player can take, if any.
    property string offer

    signal taken()

    visible: text !== ""
    shadow: true
    implicitWidth: Style.size(420)
    implicitHeight: column.height + 2 * Style.gap4
    color: mood === "danger" ? Style.dangerSoft : mood === "warn" ? Style.warnSoft : Style.surface
    border.width: 0
    readonly property color words: mood === "danger" ? Style.dangerSoftInk : mood === "warn" ? Style.warnSoftInk : Style.ink
    Accessible.role: Accessible.AlertMessage
    Accessible.name: title + ". " + text

    // Clicks do not pass through to items below.
    TapHandler { gesturePolicy: TapHandler.ReleaseWithinBounds }
    HoverHandler { blocking: true }

    Column {
        id: column
        x: Style.gap4
        y: Style.gap4
        width: parent.width - 2 * Style.gap4
        spacing: Style.gap2
        Row {
            spacing: Style.gap2
            Icon {
                name: notice.symbol
                color: notice.words
                width: Style.size(24)
                height: width
                anchors.verticalCenter: parent.verticalCenter
            }
            Line {
                text: notice.title
                size: Style.lead
                heavy: true
                color: notice.words
                width: Math.min(Math.ceil(implicitWidth), column.width - Style.size(24) - Style.gap2)
            }
        }
        Paragraph {
            width: parent.width
            text: notice.text
            color: notice.words
        }
        PushButton {
            objectName: "noticeOffer"
            visible: notice.offer !== ""
            anchors.right: parent.right
            text: notice.offer
            onClicked: notice.taken()
        }
    }
}
