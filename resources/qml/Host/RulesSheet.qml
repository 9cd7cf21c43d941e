// What is played at a table: its rulebook, and everything that is changed about it.
import QtQuick
import "../Style"
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
        Item {
            id: point
            required property string modelData
            required property int index
            width: parent ? parent.width : 0
            height: words.height
            // With the keyboard from one to the next: so a long list is scrolled, and read aloud.
            activeFocusOnTab: true
            Accessible.role: Accessible.ListItem
            Accessible.name: modelData
            Accessible.focusable: true
            FocusRing { shown: point.activeFocus; around: Style.radius1 }
            Rectangle {
                width: Style.size(9)
                height: width
                radius: width / 2
                antialiasing: true
                color: Style.sign[point.index % 4]
                y: Style.size(6)
            }
            Paragraph {
                id: words
                x: Style.size(9) + Style.gap3
                width: parent.width - x
                text: point.modelData
                Accessible.ignored: true
            }
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
