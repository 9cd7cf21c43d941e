// The cursor of a text field. It blinks for some seconds after each key and then stays on, as in
// other toolkits: while it blinks, the whole window is redrawn.
import QtQuick
import "../Style"

Rectangle {
    id: cursor

    property Item field

    visible: field.cursorVisible
    width: 2
    color: Style.ink

    function begin(): void {
        opacity = 1
        if (visible && !Style.reduced && !Style.still)
            blink.restart()
        else
            blink.stop()
    }
    onVisibleChanged: begin()
    Connections {
        target: cursor.field
        function onCursorPositionChanged(): void { cursor.begin() }
        function onTextChanged(): void { cursor.begin() }
    }
    SequentialAnimation {
        id: blink
        loops: 2 * Style.repeats
        PauseAnimation { duration: 500 }
        PropertyAction { target: cursor; property: "opacity"; value: 0 }
        PauseAnimation { duration: 500 }
        PropertyAction { target: cursor; property: "opacity"; value: 1 }
    }
}
