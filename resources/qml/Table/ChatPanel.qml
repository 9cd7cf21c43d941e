// What people say at the table, and the line to say something.
import QtQuick
import QtQuick.Templates as T
import "../Style"
import "../Parts"

FocusScope {
    id: chat

    /// Roles: name, text, mine.
    property var model
    property int longest: 200
    property bool enabledToSay: true
    /// [{seat, name, muted}]: whose messages can be hidden from here.
    property var people: []
    readonly property bool typing: field.input.activeFocus

    signal said(string text)
    signal finished()
    signal muted(int seat, bool on)

    function take(): void { field.input.forceActiveFocus(Qt.TabFocusReason) }
    function send(): void {
        if (field.text.trim() === "")
            return
        said(field.text)
        field.text = ""
    }

    ListView {
        id: lines
        anchors.top: parent.top
        anchors.bottom: foot.top
        anchors.bottomMargin: Style.gap2
        width: parent.width
        clip: true
        model: chat.model
        spacing: Style.gap2
        boundsBehavior: Flickable.StopAtBounds
        onCountChanged: Qt.callLater(positionViewAtEnd)
        onHeightChanged: Qt.callLater(positionViewAtEnd)
        activeFocusOnTab: count > 0
        Accessible.role: Accessible.List
        Accessible.name: qsTr("Chat")
        T.ScrollBar.vertical: ThinBar { visible: size < 0.995 }
        FocusRing { shown: lines.activeFocus; around: Style.radius1 }

        delegate: Item {
            id: one
            required property string name
            required property string text
            required property bool mine
            width: lines.width - Style.gap3
            height: bubble.height
            Accessible.role: Accessible.ListItem
            Accessible.name: name + ": " + text
            Rectangle {
                id: bubble
                x: one.mine ? one.width - width : 0
                width: Math.min(one.width, Math.max(who.visible ? who.implicitWidth : 0, words.implicitWidth) + 2 * Style.gap2 + 2)
                height: column.height + 2 * Style.gap1 + 2
                radius: Style.radius2
                antialiasing: true
                color: one.mine ? Style.accentSoft : Style.sunken
                Column {
                    id: column
                    x: Style.gap2
                    y: Style.gap1 + 1
                    width: parent.width - 2 * Style.gap2
                    Line {
                        id: who
                        visible: !one.mine
                        width: parent.width
                        text: one.name
                        size: Style.tiny
                        strong: true
                        soft: true
                    }
                    Paragraph {
                        id: words
                        width: parent.width
                        text: one.text
                        color: one.mine ? Style.accentSoftInk : Style.ink
                    }
                }
            }
        }
    }
    Paragraph {
        visible: lines.count === 0
        anchors.centerIn: lines
        width: lines.width - Style.gap4
        horizontalAlignment: Text.AlignHCenter
        text: qsTr("Nobody has said anything yet.")
        soft: true
    }
    Item {
        id: foot
        anchors.bottom: parent.bottom
        width: parent.width
        height: field.height
        Field {
            id: field
            objectName: "say"
            width: parent.width - send.width - Style.gap1 - (hide.visible ? hide.width : 0)
            placeholder: qsTr("Say something")
            maximumLength: chat.longest
            enabled: chat.enabledToSay
            onAccepted: chat.send()
            input.Keys.onEscapePressed: chat.finished()
        }
        MenuButton {
            id: hide
            objectName: "hideMessages"
            visible: chat.people.length > 0
            anchors.right: send.left
            symbol: "mute"
            label: qsTr("Whose messages are hidden")
            checked: chat.people.some(one => one.muted)
            entries: chat.people.map(one => ({
                text: one.muted ? qsTr("Show messages of %1").arg(one.name) : qsTr("Hide messages of %1").arg(one.name),
                symbol: one.muted ? "chat" : "mute", danger: false, act: () => chat.muted(one.seat, !one.muted)
            }))
        }
        IconButton {
            id: send
            anchors.right: parent.right
            symbol: "forward"
            label: qsTr("Send")
            enabled: field.text.trim() !== ""
            onClicked: chat.send()
        }
    }
}
