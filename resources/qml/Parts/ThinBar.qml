// The scroll bar: thin, and visible only if there is something to scroll.
import QtQuick
import QtQuick.Templates as T
import "../Style"

T.ScrollBar {
    id: bar

    implicitWidth: Style.gap3
    implicitHeight: Style.gap3
    padding: 2
    minimumSize: 0.08
    visible: size < 0.995
    // Users of a screen reader scroll by moving from one item to the next.
    Accessible.ignored: true
    contentItem: Rectangle {
        radius: width / 2
        antialiasing: true
        color: bar.pressed || bar.hovered ? Style.edge : Style.line
    }
}
