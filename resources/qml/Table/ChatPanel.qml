// The chat of the table, and the field for a new line.
import QtQuick
import QtQuick.Templates as T
import "../Style"
import "../Parts"

FocusScope {
    id: chat

    /// Roles: name, text, mine, watching.
    property var model
    property int longest: 200
    property bool enabledToSay: true
    /// [{key, name, muted}]: the people whose lines can be hidden.
    property var people: []
    /// app.chat: the spectators, and the actions on them.
    property var talk: null
    readonly property var spectators: talk ? talk.spectators : []
    readonly property bool hosting: talk ? talk.hosting : false
    readonly property bool watchable: talk ? talk.watchable : true
    readonly property bool typing: field.input.activeFocus

    signal said(string text)
    signal finished()

    /// The menu entries for everybody who may write.
    readonly property var deeds: {
        const found = people.map(one => deed(one, one.name))
        for (const one of spectators)
            found.push(deed(one, qsTr("%1 (watching)").arg(one.name)))
        if (!hosting)
            return found
        for (const one of spectators)
            if (one.here)
                found.push({ text: qsTr("Send %1 away").arg(one.name), symbol: "close", danger: true, act: () => talk.sendAway(one.key, one.name) })
        if (!watchable)
            found.push({ text: qsTr("Let people watch"), symbol: "eye", danger: false, act: () => talk.allowSpectators(true) })
        else if (spectators.length > 0)
            found.push({ text: qsTr("Let nobody watch"), symbol: "close", danger: true, act: () => talk.allowSpectators(false) })
        for (const one of talk.sentAway)
            found.push({ text: qsTr("Let %1 in again").arg(one.name), symbol: "person", danger: false, act: () => talk.letIn(one.key) })
        return found
    }

    function deed(one: var, name: string): var {
        return {
            text: one.muted ? qsTr("Show messages of %1").arg(name) : qsTr("Hide messages of %1").arg(name),
            symbol: one.muted ? "chat" : "mute", danger: false, act: () => talk.setMuted(one.key, !one.muted)
        }
    }

    function take(): void { field.input.forceActiveFocus(Qt.TabFocusReason) }
    function send(): void {
        if (field.text.trim() === "")
            return
        said(field.text)
        field.text = ""
    }

    ListView {
        id: lines
        objectName: "chatLines"
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
            objectName: "chatLine"
            required property string name
            required property string text
            required property bool mine
            required property bool watching
            readonly property string title: watching ? qsTr("%1 (watching)").arg(name) : name
            width: lines.width - Style.gap3
            height: bubble.height
            Accessible.role: Accessible.ListItem
            Accessible.name: title + ": " + text
            Rectangle {
                id: bubble
                x: one.mine ? one.width - width : 0
                width: Math.min(one.width, Math.max(head.visible ? head.implicitWidth : 0, words.implicitWidth) + 2 * Style.gap2 + 2)
                height: column.height + 2 * Style.gap1 + 2
                radius: Style.radius2
                antialiasing: true
                color: one.mine ? Style.accentSoft : Style.sunken
                Column {
                    id: column
                    x: Style.gap2
                    y: Style.gap1 + 1
                    width: parent.width - 2 * Style.gap2
                    Item {
                        id: head
                        visible: !one.mine || one.watching
                        width: parent.width
                        height: who.height
                        implicitWidth: who.implicitWidth + label.space
                        Line {
                            id: who
                            width: Math.min(implicitWidth, parent.width - label.space)
                            text: one.name
                            size: Style.tiny
                            strong: true
                            soft: true
                        }
                        // A long name is cut, this is not: no spectator can pass for a player.
                        Line {
                            id: label
                            readonly property real space: visible ? implicitWidth + Style.gap1 : 0
                            objectName: "watching"
                            visible: one.watching
                            x: who.width + Style.gap1
                            text: qsTr("(watching)")
                            size: Style.tiny
                            soft: true
                        }
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
            visible: chat.deeds.length > 0
            anchors.right: send.left
            symbol: "mute"
            label: chat.hosting ? qsTr("Hide messages, send spectators away") : qsTr("Hide somebody's messages")
            checked: chat.people.some(one => one.muted) || chat.spectators.some(one => one.muted)
            listWidth: Style.size(344)
            entries: chat.deeds
        }
        IconButton {
            id: send
            anchors.right: parent.right
            symbol: "forward"
            label: qsTr("Send")
            key: "⏎"
            enabled: field.text.trim() !== ""
            onClicked: chat.send()
        }
    }
}
