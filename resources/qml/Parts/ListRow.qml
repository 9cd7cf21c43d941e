// A row that can be chosen: an item on the left, two lines of text, an item on the right.
import QtQuick
import QtQuick.Templates as T
import "../Style"

T.ItemDelegate {
    id: row

    property string title: text
    property string subtitle
    property string symbol
    property alias leading: left.data
    property alias trailing: right.data

    implicitWidth: 360
    implicitHeight: Math.max(Style.target + Style.gap2, words.implicitHeight + 2 * Style.gap3)
    focusPolicy: Qt.StrongFocus
    activeFocusOnTab: true
    hoverEnabled: true
    Accessible.role: Accessible.Button
    Accessible.name: subtitle !== "" ? title + ", " + subtitle : title
    Accessible.onPressAction: row.clicked()
    Keys.onReturnPressed: row.clicked()
    Keys.onEnterPressed: row.clicked()

    contentItem: Item {
        Row {
            id: left
            x: Style.gap3
            spacing: Style.gap2
            anchors.verticalCenter: parent.verticalCenter
            Icon { visible: row.symbol !== ""; name: row.symbol; color: Style.inkSoft }
        }
        Column {
            id: words
            x: left.width > 0 ? left.x + left.width + Style.gap3 : Style.gap3
            width: parent.width - x - right.width - 2 * Style.gap3
            anchors.verticalCenter: parent.verticalCenter
            Line {
                width: parent.width
                text: row.title
                strong: true
                color: row.enabled ? Style.ink : Style.inkOff
            }
            Line {
                visible: text !== ""
                width: parent.width
                text: row.subtitle
                size: Style.small
                soft: true
            }
        }
        Row {
            id: right
            anchors.right: parent.right
            anchors.rightMargin: Style.gap3
            anchors.verticalCenter: parent.verticalCenter
            spacing: Style.gap2
        }
    }
    background: Rectangle {
        radius: Style.radius2
        antialiasing: true
        color: row.highlighted ? Style.accentSoft : row.down ? Style.mix(Style.surface, Style.ink, 0.1)
            : row.hovered ? Style.mix(Style.surface, Style.ink, 0.05) : Style.surface
        border.width: Style.hair
        border.color: row.highlighted ? Style.accent : Style.line
        FocusRing { shown: row.visualFocus; around: Style.radius2 }
    }
}
