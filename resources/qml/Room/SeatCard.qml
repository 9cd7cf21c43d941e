// A place at a table that has not begun: who sits there, whether they are ready, and what can be
// done about it.
import QtQuick
import "../Style"
import "../Parts"

Item {
    id: place

    required property var model
    property bool hosting: false
    property string teamName
    signal kicked()
    signal muted(bool on)
    signal movedUp()

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

    // A free place: only the outline of somebody.
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
        Line {
            visible: text !== ""
            width: parent.width
            text: place.free ? place.teamName
                : [place.teamName,
                   place.model.host ? qsTr("host") : "",
                   place.model.bot ? (place.model.owner !== "" ? qsTr("bot of %1").arg(place.model.owner) : qsTr("bot")) : "",
                   place.model.me ? qsTr("you") : "",
                   place.model.bot ? "" : place.model.ready ? qsTr("ready") : qsTr("not ready yet")
                  ].filter(each => each !== "").join(" · ")
            size: Style.small
            color: place.model.me ? Style.accentSoftInk : Style.inkSoft
        }
    }
    Row {
        id: buttons
        anchors.right: parent.right
        anchors.rightMargin: Style.gap1
        anchors.verticalCenter: parent.verticalCenter
        IconButton {
            objectName: "moveUp"
            visible: place.hosting && !place.free && place.model.seat > 0
            symbol: "up"
            label: qsTr("Move %1 one seat up").arg(place.model.name)
            onClicked: place.movedUp()
        }
        IconButton {
            objectName: "mute"
            visible: !place.free && !place.model.me && !place.model.bot
            symbol: place.model.muted ? "mute" : "chat"
            checked: place.model.muted
            label: place.model.muted ? qsTr("Hear %1 again").arg(place.model.name) : qsTr("Do not show what %1 says").arg(place.model.name)
            onClicked: place.muted(!place.model.muted)
        }
        IconButton {
            objectName: "kick"
            visible: place.hosting && !place.free && !place.model.me
            symbol: "close"
            label: qsTr("Send %1 away").arg(place.model.name)
            onClicked: place.kicked()
        }
    }
}
