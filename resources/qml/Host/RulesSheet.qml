// What is played at a table: its rulebook, and everything that is changed about it.
import QtQuick
import "../Parts"

Sheet {
    id: sheet

    property var sentences: []
    /// What else can be done: more buttons, in front of the one that closes.
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
            // With the keyboard from one to the next: so a long list is scrolled, and read aloud.
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
