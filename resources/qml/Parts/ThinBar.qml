// The scroll bar: thin, seen only when there is something to scroll.
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
    // Whoever hears the screen scrolls by going from one thing to the next.
    Accessible.ignored: true
    contentItem: Rectangle {
        radius: width / 2
        antialiasing: true
        color: bar.pressed || bar.hovered ? Style.edge : Style.line
    }
}
