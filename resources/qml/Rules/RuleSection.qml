// One section of the rules: its title, and each rule with the mark of how it is checked.
import QtQuick
import "../Style"
import "../Parts"

Panel {
    id: section

    required property string title
    required property var paragraphs

    implicitHeight: lines.y + lines.height + Style.gap4
    height: implicitHeight

    Line {
        id: heading
        x: Style.gap5
        y: Style.gap4
        width: parent.width - 2 * Style.gap5
        text: section.title
        size: Style.lead
        heavy: true
        Accessible.role: Accessible.Heading
        Accessible.name: text
    }
    Column {
        id: lines
        x: Style.gap5
        y: heading.y + heading.height + Style.gap3
        width: parent.width - 2 * Style.gap5
        spacing: Style.gap3
        Repeater {
            model: section.paragraphs
            Item {
                id: rule
                required property var modelData
                width: lines.width
                height: Math.max(mark.height, words.height)
                Accessible.role: Accessible.StaticText
                Accessible.name: modelData.text
                Accessible.description: modelData.checkedText
                CheckMark {
                    id: mark
                    kind: rule.modelData.checked
                }
                Paragraph {
                    id: words
                    x: mark.width + Style.gap3
                    y: Math.max(0, (mark.height - Style.body * 1.4) / 2)
                    width: parent.width - x
                    text: rule.modelData.text
                    Accessible.ignored: true
                }
            }
        }
    }
}
