// Asks before a table is left, and says what that means for the other players.
import QtQuick
import "../Style"
import "../Parts"

Sheet {
    id: sheet

    property string question
    property bool closing: false
    signal left()
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
        }
    ]
}
