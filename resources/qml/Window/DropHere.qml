// A target for dropped files: a game that is dropped on the window is checked.
import QtQuick
import "../Style"
import "../Parts"

DropArea {
    id: drop

    signal given(url file)

    keys: ["text/uri-list"]
    onDropped: event => {
        if (event.hasUrls && event.urls.length > 0)
            given(event.urls[0])
    }

    Rectangle {
        visible: drop.containsDrag
        anchors.fill: parent
        color: Style.veil
        Panel {
            anchors.centerIn: parent
            width: Math.min(parent.width - 2 * Style.gap5, Style.size(420))
            height: column.height + 2 * Style.gap5
            radius: Style.radius4
            border.width: Style.focusWidth
            border.color: Style.accent
            Column {
                id: column
                x: Style.gap5
                y: Style.gap5
                width: parent.width - 2 * x
                spacing: Style.gap3
                Icon {
                    anchors.horizontalCenter: parent.horizontalCenter
                    name: "shield"
                    color: Style.accent
                    width: Style.size(56)
                    height: width
                }
                Paragraph {
                    width: parent.width
                    horizontalAlignment: Text.AlignHCenter
                    text: qsTr("Drop a game here to check every card in it.")
                    size: Style.lead
                    strong: true
                }
            }
        }
    }
}
