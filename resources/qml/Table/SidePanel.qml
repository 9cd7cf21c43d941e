// The panel beside the table: the moves in words, or the chat.
import QtQuick
import "../Style"
import "../Parts"

Panel {
    id: side

    property var moves
    property var lines
    property var people: []
    property var talk: null
    property int unread: 0
    property int longest: 200
    property bool chatShown: false
    readonly property alias typing: chat.typing

    signal showChat(bool shown)
    signal said(string text)
    signal finished()

    function take(): void { chat.take() }

    TabStrip {
        id: tabs
        x: Style.gap2
        y: Style.gap2
        width: parent.width - 2 * Style.gap2
        model: [qsTr("Moves"), side.unread > 0 ? qsTr("Chat (%1)").arg(side.unread) : qsTr("Chat")]
        current: side.chatShown ? 1 : 0
        onChosen: index => {
            side.showChat(index === 1)
            current = Qt.binding(() => side.chatShown ? 1 : 0)
        }
    }
    Item {
        anchors.fill: moves
        z: 1
        FocusRing { shown: moves.visible && moves.activeFocus; around: Style.radius1 }
    }
    MovesLog {
        id: moves
        visible: !side.chatShown
        anchors.top: tabs.bottom
        anchors.topMargin: Style.gap3
        anchors.bottom: parent.bottom
        anchors.bottomMargin: Style.gap3
        x: Style.gap3
        width: parent.width - x - Style.gap1
        model: side.moves
    }
    ChatPanel {
        id: chat
        visible: side.chatShown
        anchors.top: tabs.bottom
        anchors.topMargin: Style.gap3
        anchors.bottom: parent.bottom
        anchors.bottomMargin: Style.gap2
        x: Style.gap2
        width: parent.width - 2 * Style.gap2
        model: side.lines
        longest: side.longest
        people: side.people
        talk: side.talk
        onSaid: text => side.said(text)
        onFinished: side.finished()
    }
}
