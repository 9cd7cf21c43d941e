// One sentence of a list of rules, preceded by a dot.
import QtQuick
import "../Style"
import "../Parts"

Item {
    id: point
    required property string modelData
    required property int index
    property alias size: words.size

    width: parent ? parent.width : 0
    height: words.height
    Accessible.role: Accessible.ListItem
    Accessible.name: modelData
    FocusRing { shown: point.activeFocus; around: Style.radius1 }
    Rectangle {
        width: Style.size(9)
        height: width
        radius: width / 2
        antialiasing: true
        color: Style.sign[point.index % 4]
        y: Style.size(words.size < Style.body ? 5 : 6)
    }
    Paragraph {
        id: words
        x: Style.size(9) + Style.gap3
        width: parent.width - x
        text: point.modelData
        Accessible.ignored: true
    }
}
