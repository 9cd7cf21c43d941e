// The name and the colour under which the others see one.
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

    /// app.settings: what can be a name.
    property var settings: null
    /// Enter, with a name that can be kept.
    signal entered()

    /// Take what stands in the field, if it is another name. Whether it could be one.
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
