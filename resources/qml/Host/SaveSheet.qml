// Asks for the name of a rule set: a new one, or one that is renamed.
import QtQuick
import "../Style"
import "../Parts"

Sheet {
    id: sheet

    property var host
    /// The rule set that gets another name; "" for a new one.
    property string renamed
    readonly property string fault: name.text === "" ? "" : host.savedProblem(name.text, renamed)
    readonly property bool replaces: renamed === "" && name.text !== "" && host.isSaved(name.text)

    function save(): void {
        if (name.text.trim() === "" || fault !== "")
            return
        if (renamed !== "")
            host.renameSaved(renamed, name.text)
        else
            host.saveRules(name.text)
        close()
    }

    objectName: "saveSheet"
    title: renamed !== "" ? qsTr("Another name for these rules") : qsTr("Save these rules")
    text: renamed !== "" ? "" : host.rulesTitle
    wide: 460
    first: name.input
    onAboutToShow: {
        name.text = renamed !== "" ? renamed : host.savedName
        name.input.selectAll()
    }

    Field {
        id: name
        objectName: "rulesName"
        width: parent.width
        label: qsTr("Name")
        maximumLength: 32
        fault: sheet.fault
        hint: sheet.replaces ? qsTr("The rules saved under this name are replaced.") : ""
        onAccepted: sheet.save()
    }
    actions: [
        PushButton {
            objectName: "saveRules"
            kind: "primary"
            text: sheet.replaces ? qsTr("Replace") : qsTr("Save")
            enabled: name.text.trim() !== "" && sheet.fault === ""
            onClicked: sheet.save()
        },
        PushButton {
            text: qsTr("Cancel")
            onClicked: sheet.close()
        }
    ]
}
