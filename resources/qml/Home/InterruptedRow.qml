// A table that was cut off and can be gone on with.
import QtQuick
import "../Style"
import "../Parts"

Rectangle {
    id: row

    required property var model
    signal wentOn()
    signal forgotten()

    implicitHeight: Math.max(Style.target + 2 * Style.gap2, words.implicitHeight + 2 * Style.gap3)
    radius: Style.radius3
    antialiasing: true
    color: Style.accentSoft

    Icon {
        id: icon
        x: Style.gap4
        anchors.verticalCenter: parent.verticalCenter
        name: "pause"
        color: Style.accentSoftInk
        width: Style.size(26)
        height: width
    }
    Column {
        id: words
        x: icon.x + icon.width + Style.gap3
        width: parent.width - x - go.width - forget.width - 4 * Style.gap2
        anchors.verticalCenter: parent.verticalCenter
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
            maximumLineCount: 2
            elide: Text.ElideRight
        }
    }
    PushButton {
        id: go
        objectName: "goOn"
        anchors.right: forget.left
        anchors.rightMargin: Style.gap1
        anchors.verticalCenter: parent.verticalCenter
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
        anchors.verticalCenter: parent.verticalCenter
        symbol: "close"
        label: qsTr("Do not go on with %1").arg(row.model.name)
        onClicked: row.forgotten()
    }
}
