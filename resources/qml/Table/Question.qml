// A question of the game with two answers and their consequences: the +4 challenge, or a vote.
import QtQuick
import "../Style"
import "../Parts"

Panel {
    id: question

    property string title
    /// The colour that the question is about, shown by its sign beside the title; -1 without one.
    property int colour: -1
    property string text
    property string acceptText
    property string acceptKey
    property string otherText
    property string otherNote
    property string otherKey
    property bool otherPossible: true
    /// Whether this player is asked, or only sees what is being decided.
    property bool answerable: true

    signal accepted()
    signal othered()

    shadow: true
    implicitWidth: Style.size(440)
    implicitHeight: column.height + 2 * Style.gap3
    Accessible.role: Accessible.Dialog
    Accessible.name: title
    Accessible.description: text

    /// Without room for both buttons in a row, the names of their keys are hidden.
    readonly property bool tight: width - 2 * Style.gap4 < Style.size(265)

    function take(): void { accept.forceActiveFocus(Qt.TabFocusReason) }

    // Clicks do not pass through to items below.
    TapHandler { gesturePolicy: TapHandler.ReleaseWithinBounds }
    HoverHandler { blocking: true }

    Column {
        id: column
        x: Style.gap4
        y: Style.gap3
        width: parent.width - 2 * Style.gap4
        spacing: Style.gap2
        Row {
            visible: question.title !== ""
            width: parent.width
            spacing: Style.gap2
            Sign {
                id: sign
                objectName: "questionSign"
                visible: kind >= 0
                kind: question.colour
                width: Style.size(24)
                height: width
            }
            Paragraph {
                width: parent.width - (sign.visible ? sign.width + parent.spacing : 0)
                text: question.title
                size: Style.lead
                font.weight: Style.weightHeavy
                lineHeight: 1
            }
        }
        Paragraph {
            visible: text !== ""
            width: parent.width
            text: question.text
        }
        Paragraph {
            visible: text !== ""
            width: parent.width
            text: question.otherPossible ? question.otherNote : ""
            soft: true
            size: Style.small
        }
        Flow {
            visible: question.answerable
            width: parent.width
            spacing: Style.gap2
            PushButton {
                id: accept
                objectName: "accept"
                kind: "primary"
                text: question.acceptText
                shortcut: question.tight ? "" : question.acceptKey
                onClicked: question.accepted()
                KeyNavigation.right: other
            }
            PushButton {
                id: other
                objectName: "other"
                visible: question.otherPossible && question.otherText !== ""
                text: question.otherText
                shortcut: question.tight ? "" : question.otherKey
                onClicked: question.othered()
                KeyNavigation.left: accept
            }
        }
    }
}
