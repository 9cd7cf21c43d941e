// What has just been said: lines that go by themselves, errors only when they were seen.
import QtQuick
import "../Style"
import "../Parts"

Column {
    id: notices

    /// Rows with id, kind and text.
    property var model
    /// Milliseconds after which what is no error goes by itself.
    property int lasts: 5000
    signal seen(int id)

    spacing: Style.gap2

    Repeater {
        model: notices.model
        Panel {
            id: one
            required property var model
            readonly property bool bad: model.kind === "error"
            readonly property color words: bad ? Style.dangerSoftInk : model.kind === "good" ? Style.goodSoftInk : Style.ink
            width: notices.width
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
            Timer {
                running: !one.bad && !close.activeFocus && !close.hovered
                interval: notices.lasts
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
