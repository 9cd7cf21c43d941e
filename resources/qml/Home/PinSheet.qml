// Asks for the PIN of a table.
import QtQuick
import "../Style"
import "../Parts"

Sheet {
    id: sheet

    property string fault
    property string warning
    property bool watching: false
    signal given(string pin)

    title: qsTr("This table has a PIN")
    text: qsTr("Ask the host for it.")
    onAboutToShow: field.text = ""
    first: field.input

    Notice {
        objectName: "pinWarning"
        visible: sheet.warning !== ""
        width: parent.width
        mood: "warn"
        text: sheet.warning
    }
    Field {
        id: field
        objectName: "pin"
        width: parent.width
        label: qsTr("PIN")
        fault: sheet.fault
        maximumLength: 32
        inputMethodHints: Qt.ImhNoPredictiveText | Qt.ImhNoAutoUppercase
        onAccepted: {
            if (text !== "")
                sheet.given(text)
        }
    }
    actions: [
        PushButton {
            objectName: "givePin"
            kind: "primary"
            text: sheet.watching ? qsTr("Watch") : qsTr("Join")
            enabled: field.text !== ""
            onClicked: sheet.given(field.text)
        },
        PushButton {
            text: qsTr("Cancel")
            onClicked: sheet.close()
        }
    ]
}
