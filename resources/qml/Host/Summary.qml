// A summary of this table's rules: the most important ones, in plain words.
import QtQuick
import "../Style"
import "../Parts"

Panel {
    id: summary

    property string title
    property var sentences: []

    implicitHeight: column.height + 2 * Style.gap4

    Column {
        id: column
        x: Style.gap4
        y: Style.gap4
        width: parent.width - 2 * x
        spacing: Style.gap3
        Line {
            width: parent.width
            text: summary.title
            size: Style.lead
            strong: true
            Accessible.role: Accessible.Heading
            Accessible.name: text
        }
        Repeater {
            model: summary.sentences
            Point { size: Style.small }
        }
    }
}
