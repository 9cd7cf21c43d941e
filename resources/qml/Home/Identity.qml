// The name and the colour under which the other players see this player.
import QtQuick
import "../Style"
import "../Parts"

Column {
    id: identity

    property string name
    property int avatar: 0
    property int avatars: 10
    property alias input: field.input
    readonly property string typed: field.text
    signal renamed(string name)
    signal recoloured(int avatar)

    /// app.settings: checks names.
    property var settings: null
    /// Enter was pressed, with a valid name.
    signal entered()

    /// Store the typed name, if it is a new one. Returns whether it is valid.
    function commit(): bool { return field.commit() }

    spacing: Style.gap3

    NameField {
        id: field
        objectName: "playerName"
        width: parent.width
        label: qsTr("Your name")
        name: identity.name
        settings: identity.settings
        onRenamed: name => identity.renamed(name)
        onEntered: identity.entered()
    }
    AvatarPicker {
        objectName: "avatarPicker"
        width: parent.width
        name: identity.name
        count: identity.avatars
        current: identity.avatar
        onChosen: index => identity.recoloured(index)
    }
}
