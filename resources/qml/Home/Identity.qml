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

    /// Take what stands in the field, if it is another name.
    function commit(): void {
        if (field.text.trim() !== "" && field.text !== name)
            renamed(field.text)
        field.text = Qt.binding(() => identity.name)
    }

    spacing: Style.gap3

    Field {
        id: field
        objectName: "playerName"
        width: parent.width
        label: qsTr("Your name")
        text: identity.name
        maximumLength: 32
        onAccepted: identity.commit()
        Connections {
            target: field.input
            function onEditingFinished(): void { identity.commit() }
        }
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
