// A question of the game with two answers and their consequences: the +4 challenge, or a vote.
import QtQuick
import "../Style"
import "../Parts"

Item {
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
    /// The greatest height. The text shrinks before it is cut.
    property real most: 200

    signal accepted()
    signal othered()

    implicitHeight: Math.min(most, Math.max(words.wanted, answerable ? answers.height : 0) + 2 * pad)
    /// With little height everything moves closer together.
    readonly property bool low: most < 2 * Style.target + Style.gap2 + 2 * Style.gap2
    readonly property real pad: low ? Style.gap1 : Style.gap2
    Accessible.role: Accessible.Dialog
    Accessible.name: title
    Accessible.description: text

    readonly property bool two: otherPossible && otherText !== ""
    /// Whether both answers have room side by side, left of a readable text.
    readonly property bool abreast: !two || width - accept.full - other.full - Style.gap2 - Style.gap3 >= Style.size(300)

    function take(): void { accept.forceActiveFocus(Qt.TabFocusReason) }

    /// An answer. Without room its key is not named.
    component Answer: PushButton {
        property string key
        readonly property real full: implicitWidth
        shortcut: question.width >= Style.size(620) ? key : ""
    }

    Item {
        id: words
        readonly property real space: question.most - 2 * question.pad - head.height
        readonly property real wanted: head.height + (gauge.text === "" ? 0 : gauge.implicitHeight + Style.gap1)
        width: parent.width - (question.answerable ? answers.width + Style.gap3 : 0)
        height: parent.height
        Row {
            id: head
            y: Math.max(Style.gap1, Math.round((parent.height - Math.min(words.wanted, parent.height - 2 * Style.gap1)) / 2))
            width: parent.width
            spacing: Style.gap2
            Sign {
                id: sign
                objectName: "questionSign"
                visible: kind >= 0
                kind: question.colour
                width: Style.size(18)
                height: width
            }
            Paragraph {
                width: parent.width - (sign.visible ? sign.width + parent.spacing : 0)
                text: question.title
                font.weight: Style.weightHeavy
                lineHeight: 1
            }
        }
        Paragraph {
            id: gauge
            visible: false
            width: parent.width
            text: [question.text, question.two ? question.otherNote : ""].filter(one => one !== "").join(" ")
            size: Style.small
            lineHeight: 1
            Accessible.ignored: true
        }
        Paragraph {
            readonly property bool crowded: gauge.implicitHeight > words.space - Style.gap1
            visible: text !== ""
            y: head.y + head.height + Style.gap1
            width: parent.width
            height: crowded ? words.space - Style.gap1 : gauge.implicitHeight
            fontSizeMode: crowded ? Text.Fit : Text.FixedSize
            minimumPixelSize: 8
            text: gauge.text
            size: Style.small
            lineHeight: 1
        }
    }
    Grid {
        id: answers
        visible: question.answerable
        anchors.right: parent.right
        anchors.verticalCenter: parent.verticalCenter
        columns: question.abreast ? 2 : 1
        spacing: question.pad
        horizontalItemAlignment: Grid.AlignRight
        Answer {
            id: accept
            objectName: "accept"
            kind: "primary"
            text: question.acceptText
            key: question.acceptKey
            onClicked: question.accepted()
            KeyNavigation.right: other
            KeyNavigation.down: other
        }
        Answer {
            id: other
            objectName: "other"
            visible: question.two
            text: question.otherText
            key: question.otherKey
            onClicked: question.othered()
            KeyNavigation.left: accept
            KeyNavigation.up: accept
        }
    }
}
