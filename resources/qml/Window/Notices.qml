// The notices: lines that disappear after the time it takes to read them, errors later. A line
// stays while the pointer is over it, while it has the focus, and while the window is inactive.
import QtQuick
import QtQuick.Window
import "../Style"
import "../Parts"

Column {
    id: notices

    /// Rows with id, kind and text.
    property var model
    /// Milliseconds until a line disappears: a base time, and the time per character.
    property int lasts: 3000
    property int perCharacter: 60
    /// How many times longer an error stays.
    property int patience: 3
    /// Whether the window is active.
    property bool watched: Window.active
    signal seen(int id)

    spacing: Style.gap2

    Repeater {
        model: notices.model
        Panel {
            id: one
            required property var model
            readonly property bool bad: model.kind === "error"
            readonly property bool held: !notices.watched || hover.hovered || close.activeFocus
            readonly property int time: (notices.lasts + notices.perCharacter * text.text.length) * (bad ? notices.patience : 1)
            readonly property color words: bad ? Style.dangerSoftInk : model.kind === "good" ? Style.goodSoftInk : Style.ink
            /// One line if it fits, so that it covers no more of the page than it must.
            width: Math.min(notices.width, Math.ceil(text.x + text.implicitWidth + close.width + Style.gap3))
            anchors.horizontalCenter: parent.horizontalCenter
            height: Math.max(text.height + 2 * Style.gap3, Style.target + Style.gap1)
            color: bad ? Style.dangerSoft : model.kind === "good" ? Style.goodSoft : Style.raised
            border.color: Style.alpha(words, 0.4)
            shadow: true
            Accessible.role: Accessible.AlertMessage
            Accessible.name: model.text

            Icon {
                id: icon
                x: Style.gap4
                anchors.verticalCenter: parent.verticalCenter
                name: one.bad ? "warn" : one.model.kind === "good" ? "check" : "info"
                color: one.words
            }
            Paragraph {
                id: text
                x: icon.x + icon.width + Style.gap3
                width: parent.width - x - close.width - Style.gap2
                anchors.verticalCenter: parent.verticalCenter
                text: one.model.text
                color: one.words
                strong: true
                maximumLineCount: 5
                elide: Text.ElideRight
            }
            IconButton {
                id: close
                objectName: "dismiss"
                anchors.right: parent.right
                anchors.rightMargin: Style.hair
                anchors.verticalCenter: parent.verticalCenter
                symbol: "close"
                label: qsTr("Close this message")
                onClicked: notices.seen(one.model.id)
            }
            HoverHandler { id: hover }
            Timer {
                objectName: "noticeTimer"
                running: !one.held
                interval: one.time
                onTriggered: notices.seen(one.model.id)
            }
            NumberAnimation on opacity {
                running: !Style.still
                from: 0
                to: 1
                duration: Style.fade(180)
                onStopped: one.opacity = 1
            }
        }
    }
}
