// The rules of a table: the rulebook, and all changes to it.
import QtQuick
import "../Parts"

Sheet {
    id: sheet

    property var sentences: []
    /// The texts of two more buttons, shown if they are not empty.
    property string changeText
    signal changeWanted()
    property string readText
    signal readWanted()

    objectName: "rulesSheet"
    wide: 520
    first: done

    Repeater {
        model: sheet.sentences
        Point {
            // Tab moves from one sentence to the next, so a long list is scrolled and read aloud.
            activeFocusOnTab: true
            Accessible.focusable: true
        }
    }
    actions: [
        PushButton {
            id: done
            objectName: "closeRules"
            kind: "primary"
            text: qsTr("Close")
            onClicked: sheet.close()
        },
        PushButton {
            objectName: "changeRules"
            visible: sheet.changeText !== ""
            symbol: "settings"
            text: sheet.changeText
            onClicked: {
                sheet.close()
                sheet.changeWanted()
            }
        },
        PushButton {
            objectName: "readRules"
            visible: sheet.readText !== ""
            symbol: "book"
            text: sheet.readText
            onClicked: {
                sheet.close()
                sheet.readWanted()
            }
        }
    ]
}
