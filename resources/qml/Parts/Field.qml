// A text field of one line. `fault` is shown below it, and says what is wrong with the text.
import QtQuick
import QtQuick.Templates as T
import "../Style"

Column {
    id: field

    property string label
    property string fault
    property string hint
    /// Lines of text for which there is room below, so that a message moves nothing.
    property int room: 0
    property alias text: input.text
    property alias placeholder: input.placeholderText
    property alias maximumLength: input.maximumLength
    property alias validator: input.validator
    property alias echoMode: input.echoMode
    property alias readOnly: input.readOnly
    property alias inputMethodHints: input.inputMethodHints
    property alias input: input
    signal accepted()
    signal edited(string text)

    spacing: Style.gap1
    width: 240

    Line {
        visible: field.label !== ""
        width: parent.width
        text: field.label
        size: Style.small
        strong: true
        color: input.enabled ? Style.inkSoft : Style.inkOff
    }
    T.TextField {
        id: input
        clip: true
        /// Set by `OutOfSight`. Unlike an invisible field, it keeps the keyboard focus.
        property bool outOfSight: false
        opacity: outOfSight ? 0 : 1
        width: parent.width
        implicitHeight: Math.max(Style.target, contentHeight + topPadding + bottomPadding)
        leftPadding: Style.gap3
        rightPadding: Style.gap3
        topPadding: Style.gap2
        bottomPadding: Style.gap2
        verticalAlignment: TextInput.AlignVCenter
        font.family: Style.family
        font.pixelSize: Style.body
        font.weight: Style.weightText
        color: enabled ? Style.ink : Style.inkOff
        selectionColor: Style.accent
        selectedTextColor: Style.accentInk
        placeholderTextColor: Style.inkSoft
        selectByMouse: true
        cursorDelegate: TextCursor { field: input }
        activeFocusOnTab: true
        Accessible.role: Accessible.EditableText
        Accessible.name: field.label !== "" ? field.label : placeholderText
        Accessible.description: field.fault
        onAccepted: field.accepted()
        onTextEdited: field.edited(text)

        background: Rectangle {
            radius: Style.radius2
            antialiasing: true
            color: input.enabled ? Style.raised : Style.sunken
            border.width: input.activeFocus ? 2 : Style.hair
            border.color: !input.enabled ? Style.line : field.fault !== "" ? Style.danger
                : input.activeFocus ? Style.accent : Style.edge
        }
        Line {
            anchors.fill: parent
            anchors.leftMargin: input.leftPadding
            anchors.rightMargin: input.rightPadding
            visible: input.text === "" && input.preeditText === ""
            text: input.placeholderText
            color: input.enabled ? Style.inkSoft : Style.inkOff
            fontSizeMode: Text.HorizontalFit
            minimumPixelSize: Style.size(9)
            Accessible.ignored: true
        }
    }
    FontMetrics { id: metrics; font: told.font }
    Paragraph {
        id: told
        visible: text !== "" || field.room > 0
        width: parent.width
        height: Math.max(Math.ceil(implicitHeight), Math.ceil(field.room * metrics.height * lineHeight) + 1)
        text: field.fault !== "" ? field.fault : field.hint
        size: Style.small
        color: field.fault !== "" ? Style.danger : Style.inkSoft
    }
}
