// A small bubble that explains the item to which it points. It takes no clicks.
import QtQuick
import "../Style"

Rectangle {
    id: hint

    property string text
    property string symbol: "info"
    property real widest: 280

    implicitWidth: Math.min(row.implicitWidth, widest - 2 * Style.gap3) + 2 * Style.gap3
    implicitHeight: row.height + 2 * Style.gap2
    width: implicitWidth
    height: implicitHeight
    radius: Style.radius2
    antialiasing: true
    color: Style.ink
    visible: text !== ""
    Accessible.role: Accessible.ToolTip
    Accessible.name: text

    Row {
        id: row
        x: Style.gap3
        y: Style.gap2
        spacing: Style.gap2
        Icon {
            visible: hint.symbol !== ""
            name: hint.symbol
            color: Style.ground
            width: Style.size(16)
            height: width
            y: Style.size(2)
        }
        Paragraph {
            text: hint.text
            size: Style.small
            strong: true
            color: Style.ground
            width: Math.min(implicitWidth, hint.widest - 2 * Style.gap3 - (hint.symbol !== "" ? Style.size(16) + Style.gap2 : 0))
        }
    }
}
