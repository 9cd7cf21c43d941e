// A short fact in a pill. `mood`: "plain", "loud", "good", "warn", "danger", "accent".
import QtQuick
import "../Style"

Rectangle {
    id: badge

    property string text
    property string symbol
    property string mood: "plain"
    property int size: Style.small
    /// Limit for the lines of text.
    property int lines: 1

    readonly property var paints: ({
        plain: [Style.sunken, Style.inkSoft], loud: [Style.accent, Style.accentInk],
        accent: [Style.accentSoft, Style.accentSoftInk], good: [Style.goodSoft, Style.goodSoftInk],
        warn: [Style.warnSoft, Style.warnSoftInk], danger: [Style.dangerSoft, Style.dangerSoftInk]
    })
    readonly property color words: paints[mood][1]

    readonly property real extras: symbol !== "" ? icon.width + (text !== "" ? row.spacing : 0) : 0

    readonly property real low: Math.round(size * 1.7)

    implicitWidth: Math.max(low, Math.ceil(label.implicitWidth) + extras + Style.gap2 * (text === "" ? 1 : 2))
    implicitHeight: label.lineCount > 1 ? Math.ceil(label.height) + Style.gap1 : low
    radius: Math.min(height, low) / 2
    antialiasing: true
    color: paints[mood][0]
    Accessible.role: Accessible.StaticText
    Accessible.name: text
    Accessible.ignored: text === ""

    Row {
        id: row
        anchors.centerIn: parent
        spacing: Style.gap1
        Icon {
            id: icon
            visible: badge.symbol !== ""
            name: badge.symbol
            color: badge.words
            width: Math.round(badge.size * 1.1)
            height: width
            weight: 2.4
            anchors.verticalCenter: parent.verticalCenter
        }
        Line {
            id: label
            visible: badge.text !== ""
            text: badge.text
            size: badge.size
            strong: true
            color: badge.words
            maximumLineCount: badge.lines
            wrapMode: badge.lines > 1 ? Text.Wrap : Text.NoWrap
            width: Math.min(Math.ceil(implicitWidth), Math.max(0, badge.width - 2 * Style.gap2 - badge.extras))
            anchors.verticalCenter: parent.verticalCenter
        }
    }
}
