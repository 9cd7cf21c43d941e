// Asks before a table is left, and says what that means for the other players.
import QtQuick
import "../Style"
import "../Parts"

Sheet {
    id: sheet

    property string question
    property bool closing: false
    /// Whether a bot may play on instead.
    property bool botOffered: false
    signal left()
    signal botWanted()
    signal stayed()

    title: qsTr("Leave the table?")
    text: question
    objectName: "leaveSheet"
    first: stay
    onClosed: {
        if (question !== "")
            stayed()
    }
    onQuestionChanged: question !== "" ? open() : close()

    actions: [
        PushButton {
            objectName: "confirmLeave"
            kind: "danger"
            symbol: "exit"
            text: qsTr("Leave")
            onClicked: sheet.left()
        },
        PushButton {
            id: stay
            objectName: "cancelLeave"
            text: qsTr("Stay")
            onClicked: sheet.stayed()
        },
        PushButton {
            objectName: "letBotPlay"
            visible: sheet.botOffered
            symbol: "bot"
            text: qsTr("Let a bot play for me")
            onClicked: sheet.botWanted()
        }
    ]

    Paragraph {
        visible: sheet.botOffered
        width: parent.width
        text: qsTr("Or let a bot play for you while this window stays open. The chat tells everybody, and you can take over again.")
        size: Style.small
        soft: true
    }
}
