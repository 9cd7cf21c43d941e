// A message that is shown while it holds: what happened, why, and what can be done.
import QtQuick
import "../Style"

Rectangle {
    id: notice

    property string symbol: mood === "danger" || mood === "warn" ? "warn" : mood === "good" ? "check" : "info"
    property string title
    property string text
    /// "plain", "good", "warn", "danger", "accent"
    property string mood: "plain"
    property alias actions: row.data

    readonly property var paints: ({
        plain: [Style.surface, Style.ink], accent: [Style.accentSoft, Style.accentSoftInk],
        good: [Style.goodSoft, Style.goodSoftInk], warn: [Style.warnSoft, Style.warnSoftInk],
        danger: [Style.dangerSoft, Style.dangerSoftInk]
    })
    readonly property color words: paints[mood][1]

    implicitWidth: 420
    implicitHeight: column.height + 2 * Style.gap4
    radius: Style.radius3
    antialiasing: true
    color: paints[mood][0]
    border.width: mood === "plain" ? Style.hair : 0
    border.color: Style.line
    Accessible.role: Accessible.AlertMessage
    Accessible.name: title
    Accessible.description: text

    Icon {
        id: icon
        name: notice.symbol
        color: notice.words
        x: Style.gap4
        y: Style.gap4
        width: Style.size(22)
        height: width
    }
    Column {
        id: column
        x: icon.x + icon.width + Style.gap3
        y: Style.gap4
        width: parent.width - x - Style.gap4
        spacing: Style.gap2
        Paragraph {
            visible: text !== ""
            width: parent.width
            text: notice.title
            strong: true
            color: notice.words
        }
        Paragraph {
            visible: text !== ""
            width: parent.width
            text: notice.text
            color: notice.words
        }
        Flow {
            id: row
            visible: children.length > 0
            width: parent.width
            spacing: Style.gap2
        }
    }
}
