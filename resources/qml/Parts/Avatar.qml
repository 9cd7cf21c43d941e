// A player at a glance: a coloured disc with the first letter of the name, or a bot's face.
import QtQuick
import "../Style"

Item {
    id: avatar

    property string name
    /// Index of the colour, any number; -1 if it is unknown.
    property int colour: 0
    property bool bot: false
    property bool faded: false

    /// The first character, whole and in capitals; none if no text font draws it (emoji).
    readonly property string letter: {
        const code = (name.trim() || "?").codePointAt(0)
        return code > 0xffff || (code >= 0x2000 && code < 0x2e80) ? "" : String.fromCodePoint(code).toLocaleUpperCase()
    }
    readonly property color paint: colour === -1 ? Style.avatarUnknown : Style.avatars[((colour % Style.avatars.length) + Style.avatars.length) % Style.avatars.length]

    implicitWidth: Style.size(40)
    implicitHeight: implicitWidth
    Accessible.ignored: true

    Rectangle {
        anchors.fill: parent
        radius: avatar.bot ? width * 0.3 : width / 2
        antialiasing: true
        opacity: avatar.faded ? 0.45 : 1
        color: avatar.paint
    }
    Loader {
        active: avatar.bot || avatar.letter === ""
        anchors.centerIn: parent
        width: parent.width * 0.58
        height: width
        sourceComponent: Icon {
            name: avatar.bot ? "bot" : "person"
            color: avatar.faded ? Style.ink : Style.avatarInk
        }
    }
    Text {
        visible: !avatar.bot
        anchors.centerIn: parent
        text: avatar.letter
        textFormat: Text.PlainText
        clip: true
        color: avatar.faded ? Style.ink : Style.avatarInk
        font.family: Style.family
        font.weight: Style.weightHeavy
        font.pixelSize: Math.max(1, avatar.width * 0.48)
    }
}
