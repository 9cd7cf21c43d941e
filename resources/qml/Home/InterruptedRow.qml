// An interrupted table, which can be resumed.
import QtQuick
import "../Style"
import "../Parts"

Rectangle {
    id: row

    required property var model
    signal wentOn()
    signal forgotten()

    /// Large text: the buttons are below the words.
    readonly property bool stacked: width - go.width - forget.width < Style.size(200)

    implicitHeight: stacked ? words.height + go.height + 3 * Style.gap2
        : Math.max(Style.target + 2 * Style.gap2, words.height + 2 * Style.gap3)
    radius: Style.radius3
    antialiasing: true
    color: Style.accentSoft

    Icon {
        id: icon
        x: Style.gap4
        y: words.y + (words.height - height) / 2
        name: "pause"
        color: Style.accentSoftInk
        width: Style.size(26)
        height: width
    }
    Column {
        id: words
        x: icon.x + icon.width + Style.gap3
        y: row.stacked ? Style.gap2 : (parent.height - height) / 2
        width: parent.width - x - (row.stacked ? Style.gap3 : go.width + forget.width + 4 * Style.gap2)
        Line {
            width: parent.width
            text: row.model.name
            strong: true
            color: Style.accentSoftInk
        }
        Paragraph {
            width: parent.width
            text: row.model.text
            size: Style.small
            color: Style.accentSoftInk
            maximumLineCount: 5
            elide: Text.ElideRight
        }
    }
    PushButton {
        id: go
        objectName: "goOn"
        anchors.right: forget.left
        anchors.rightMargin: Style.gap1
        y: row.stacked ? parent.height - height - Style.gap2 : (parent.height - height) / 2
        kind: "primary"
        symbol: "play"
        text: qsTr("Continue")
        Accessible.name: qsTr("Continue %1").arg(row.model.name)
        onClicked: row.wentOn()
    }
    IconButton {
        id: forget
        objectName: "forget"
        anchors.right: parent.right
        anchors.rightMargin: Style.gap2
        y: go.y + (go.height - height) / 2
        symbol: "close"
        label: qsTr("Do not continue %1").arg(row.model.name)
        onClicked: row.forgotten()
    }
}
