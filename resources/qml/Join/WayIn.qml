// One way to name a table, such as a link: what it is, and an example.
import QtQuick
import "../Style"
import "../Parts"

Item {
    id: way

    property string symbol
    property string title
    property string text
    property string sample

    implicitHeight: words.height

    Rectangle {
        id: disc
        width: Style.size(44)
        height: width
        radius: width * 0.32
        antialiasing: true
        color: Style.accentSoft
        Icon {
            anchors.centerIn: parent
            name: way.symbol
            color: Style.accentSoftInk
            weight: 2.3
        }
    }
    Column {
        id: words
        x: disc.width + Style.gap4
        width: parent.width - x
        spacing: Style.gap1
        Paragraph {
            width: parent.width
            text: way.title
            size: Style.lead
            strong: true
        }
        Paragraph {
            width: parent.width
            text: way.text
            soft: true
        }
        Badge {
            visible: text !== ""
            text: way.sample
            mood: "accent"
        }
    }
}
