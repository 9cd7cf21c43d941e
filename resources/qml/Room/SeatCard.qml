// A seat at a table that has not begun: its player, whether they are ready, and the actions that
// are possible.
import QtQuick
import "../Style"
import "../Parts"

Item {
    id: place

    required property var model
    property bool hosting: false
    property bool botsAllowed: false
    property string teamName
    signal sentAway(string key, string name)
    signal muted(string key, bool on)
    signal movedUp(string key)
    signal satDown()
    signal botAdded()

    readonly property bool free: !model.taken
    readonly property color team: model.team >= 0 ? Style.teams[model.team % Style.teams.length] : Style.line

    implicitHeight: Math.max(Style.size(64), words.height + 2 * Style.gap2)
    Accessible.role: Accessible.ListItem
    Accessible.name: model.accessibleName

    Panel {
        anchors.fill: parent
        color: place.free ? "transparent" : place.model.me ? Style.accentSoft : Style.raised
        border.width: place.model.team >= 0 || place.model.me ? 2 : Style.hair
        border.color: place.model.team >= 0 ? place.team : place.model.me ? Style.accent : place.free ? Style.edge : Style.line
        opacity: place.free ? 0.75 : 1
    }

    // A free seat: only the outline of a person.
    Rectangle {
        visible: place.free
        anchors.fill: face
        radius: width / 2
        antialiasing: true
        color: "transparent"
        border.width: 2
        border.color: Style.edge
        Icon {
            anchors.centerIn: parent
            name: "person"
            color: Style.edge
        }
    }
    Avatar {
        id: face
        visible: !place.free
        x: Style.gap3
        anchors.verticalCenter: parent.verticalCenter
        width: Style.size(40)
        height: width
        name: place.model.name
        colour: place.model.avatar
        bot: place.model.bot
    }
    Rectangle {
        visible: place.model.ready && !place.free
        x: face.x + face.width - width * 0.75
        y: face.y + face.height - height * 0.8
        width: Style.size(20)
        height: width
        radius: width / 2
        antialiasing: true
        color: Style.good
        border.width: 2
        border.color: place.model.me ? Style.accentSoft : Style.raised
        Icon {
            anchors.fill: parent
            anchors.margins: Style.gap1
            name: "check"
            color: Style.goodInk
            weight: 4
        }
        scale: visible ? 1 : 0
        Behavior on scale { NumberAnimation { duration: Style.ms(180); easing.type: Easing.OutBack } }
    }
    Column {
        id: words
        x: face.x + face.width + Style.gap3
        width: parent.width - x - buttons.width - Style.gap2
        anchors.verticalCenter: parent.verticalCenter
        spacing: Style.hair
        Line {
            width: parent.width
            text: place.free ? qsTr("Free seat") : place.model.name
            strong: !place.free
            color: place.free ? Style.inkSoft : place.model.me ? Style.accentSoftInk : Style.ink
        }
        Paragraph {
            visible: text !== ""
            width: parent.width
            maximumLineCount: 2
            elide: Text.ElideRight
            text: place.free ? place.teamName
                : [place.teamName,
                   place.model.host ? qsTr("host") : "",
                   place.model.bot ? (place.model.owner !== "" ? qsTr("bot of %1").arg("\u2068" + place.model.owner + "\u2069") : qsTr("bot")) : "",
                   place.model.me ? qsTr("you") : "",
                   place.model.slow ? qsTr("twice the time") : "",
                   place.model.muted ? qsTr("muted") : "",
                   place.model.bot || (place.model.host && !place.model.ready) ? "" : place.model.ready ? qsTr("ready") : place.model.back ? qsTr("is back") : qsTr("not ready yet")
                  ].filter(each => each !== "").join(" · ")
            size: Style.small
            color: place.model.me ? Style.accentSoftInk : Style.inkSoft
        }
        Paragraph {
            objectName: "warning"
            visible: text !== ""
            width: parent.width
            text: place.model.warning
            size: Style.small
            color: Style.danger
            Accessible.ignored: true
        }
    }
    Row {
        id: buttons
        anchors.right: parent.right
        anchors.rightMargin: Style.gap1
        anchors.verticalCenter: parent.verticalCenter
        PushButton {
            objectName: "addBot"
            visible: place.free && place.botsAllowed
            kind: "plain"
            symbol: "plus"
            text: qsTr("Bot")
            Accessible.name: qsTr("Let a bot sit down")
            onClicked: place.botAdded()
        }
        MenuButton {
            objectName: "seatMenu"
            visible: entries.length > 0
            label: qsTr("What to do about %1").arg(place.model.name)
            entries: {
                const found = []
                if (place.free)
                    return found
                // The person of now, also if somebody else sits here when an entry is chosen.
                const key = place.model.key, name = place.model.name
                if (place.model.canSit)
                    found.push({ text: qsTr("Sit here instead"), symbol: "person", danger: false, act: () => place.satDown() })
                if (place.hosting && place.model.seat > 0)
                    found.push({ text: qsTr("Move one seat up"), symbol: "up", danger: false, act: () => place.movedUp(key) })
                if (!place.model.me && !place.model.bot)
                    found.push(place.model.muted
                        ? { text: qsTr("Show messages again"), symbol: "chat", danger: false, act: () => place.muted(key, false) }
                        : { text: qsTr("Hide messages"), symbol: "mute", danger: false, act: () => place.muted(key, true) })
                if (place.hosting && !place.model.me)
                    found.push({ text: qsTr("Send %1 away").arg(name), symbol: "close", danger: true,
                                 act: () => place.sentAway(key, name) })
                return found
            }
        }
    }
}
