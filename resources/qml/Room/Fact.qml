// A fact about the table, in a line or two.
import QtQuick
import "../Style"
import "../Parts"

Item {
    id: fact

    property string symbol
    property string text
    property bool strong: false

    implicitHeight: words.height
    visible: text !== ""

    Icon {
        id: icon
        name: fact.symbol
        color: Style.inkSoft
        width: Style.size(18)
        height: width
        y: Style.size(1)
    }
    Paragraph {
        id: words
        x: icon.width + Style.gap2
        width: parent.width - x
        text: fact.text
        size: fact.strong ? Style.body : Style.small
        strong: fact.strong
        soft: !fact.strong
    }
}
