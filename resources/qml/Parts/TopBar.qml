// The head of a screen: a way back, the title, and the actions for the whole screen.
import QtQuick
import "../Style"

Item {
    id: bar

    property string title
    property string subtitle
    property alias backButton: back
    property alias actions: row.data
    signal back()

    implicitHeight: Math.max(Style.target, words.height, row.height)

    IconButton {
        id: back
        objectName: "back"
        anchors.verticalCenter: parent.verticalCenter
        symbol: "back"
        label: qsTr("Back")
        key: "Esc"
        onClicked: bar.back()
    }
    Column {
        id: words
        x: back.width + Style.gap3
        width: parent.width - x - (row.width > 0 ? row.width + Style.gap3 : 0)
        anchors.verticalCenter: parent.verticalCenter
        Line {
            width: parent.width
            text: bar.title
            size: Style.title
            heavy: true
            Accessible.role: Accessible.Heading
            Accessible.name: text
        }
        Paragraph {
            visible: text !== ""
            width: parent.width
            text: bar.subtitle
            size: Style.small
            soft: true
            lineHeight: 1
            maximumLineCount: 2
            elide: Text.ElideRight
        }
    }
    Row {
        id: row
        anchors.right: parent.right
        anchors.verticalCenter: parent.verticalCenter
        spacing: Style.gap2
    }
}
