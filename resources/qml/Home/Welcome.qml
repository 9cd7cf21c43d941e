// The first start: the player's name and avatar, which may be changed but need not be.
import QtQuick
import "../Style"
import "../Parts"

Panel {
    id: welcome

    property alias name: identity.name
    property alias avatar: identity.avatar
    property alias avatars: identity.avatars
    property alias settings: identity.settings
    signal renamed(string name)
    signal recoloured(int avatar)
    signal done()

    height: column.height + 2 * Style.gap4
    color: Style.raised

    Column {
        id: column
        x: Style.gap4
        y: Style.gap4
        width: parent.width - 2 * Style.gap4
        spacing: Style.gap3

        Item {
            width: parent.width
            height: Math.max(words.height, ok.height)
            Column {
                id: words
                width: parent.width - ok.width - Style.gap3
                anchors.verticalCenter: parent.verticalCenter
                Paragraph {
                    width: parent.width
                    text: qsTr("Welcome!")
                    size: Style.title
                    font.weight: Style.weightHeavy
                    Accessible.role: Accessible.Heading
                    Accessible.name: text
                }
                Paragraph {
                    width: parent.width
                    text: qsTr("This is how the others see you.")
                    soft: true
                }
            }
            PushButton {
                id: ok
                objectName: "welcomeDone"
                anchors.right: parent.right
                anchors.verticalCenter: parent.verticalCenter
                kind: "primary"
                symbol: "check"
                text: qsTr("That’s me")
                onClicked: if (identity.commit()) welcome.done()
            }
        }
        Identity {
            id: identity
            width: parent.width
            onRenamed: name => welcome.renamed(name)
            onRecoloured: avatar => welcome.recoloured(avatar)
            onEntered: welcome.done()
        }
    }
}
