// All keys of the table, on one sheet.
import QtQuick
import "../Style"
import "../Parts"

Sheet {
    id: help

    title: qsTr("Keys")
    first: closing
    wide: 700

    /// The sign on the key, its action, and the name of the key where its sign cannot be used.
    readonly property var keys: [
        ["← →", qsTr("Choose a card"), qsTr("Left and right arrow")],
        ["⏎", qsTr("Play the card, press the button"), qsTr("Enter")],
        ["D", qsTr("Draw")], ["K", qsTr("Keep the card drawn")],
        ["U", qsTr("Say “UNO”")], ["C", qsTr("Catch somebody")],
        ["A", qsTr("Accept a penalty")], ["H", qsTr("Challenge")],
        ["O", qsTr("Object")], ["J", qsTr("Jump in")],
        ["1 – 4", qsTr("Red, yellow, green, blue")], ["Tab", qsTr("Next player, pile or button")],
        ["S", qsTr("Sort the hand")], ["M", qsTr("Sound on and off")],
        ["T", qsTr("Chat")], ["L", qsTr("List of moves")],
        ["E", qsTr("React without words")], ["1 – 6", qsTr("After E: choose a reaction")],
        ["R", qsTr("Hear what has happened")], ["F1  ?", qsTr("These keys")],
        ["F11", qsTr("Full screen")], ["Esc", qsTr("Back")],
        [qsTr("Home  End"), qsTr("First and last card")], ["Ctrl Q", qsTr("Quit")]
    ]

    Grid {
        columns: 2
        columnSpacing: Style.gap5
        rowSpacing: Style.gap2
        width: parent.width
        Repeater {
            model: help.keys
            Row {
                id: one
                required property var modelData
                width: (parent.width - Style.gap5) / 2
                Accessible.role: Accessible.StaticText
                Accessible.name: (modelData[2] ?? modelData[0]) + ": " + modelData[1]
                spacing: Style.gap2
                Item {
                    width: Style.size(76)
                    height: cap.height
                    anchors.verticalCenter: parent.verticalCenter
                    KeyCap {
                        id: cap
                        text: one.modelData[0]
                        color: Style.ink
                    }
                }
                Paragraph {
                    width: parent.width - Style.size(76) - Style.gap2
                    text: one.modelData[1]
                    Accessible.ignored: true
                    anchors.verticalCenter: parent.verticalCenter
                }
            }
        }
    }
    actions: PushButton {
        id: closing
        objectName: "closeKeys"
        text: qsTr("Close")
        kind: "primary"
        onClicked: help.close()
    }
}
