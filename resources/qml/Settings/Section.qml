// A group of settings on its own surface.
import QtQuick
import "../Style"
import "../Parts"

Panel {
    id: section

    property string symbol
    property string title
    default property alias content: body.data

    implicitHeight: body.y + body.height + Style.gap5
    height: implicitHeight
    Accessible.role: Accessible.Grouping
    Accessible.name: title

    Icon {
        id: icon
        name: section.symbol
        color: Style.accent
        x: Style.gap5
        y: Style.gap4 + (heading.height - height) / 2
    }
    Line {
        id: heading
        x: icon.x + icon.width + Style.gap2
        y: Style.gap4
        width: parent.width - x - Style.gap5
        text: section.title
        size: Style.lead
        heavy: true
        Accessible.role: Accessible.Heading
        Accessible.name: text
    }
    Column {
        id: body
        x: Style.gap5
        y: heading.y + heading.height + Style.gap3
        width: parent.width - 2 * Style.gap5
        spacing: Style.gap4
    }
}
