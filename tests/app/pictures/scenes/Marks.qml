// Texts with nothing above and below them.
import QtQuick
import "../../../../resources/qml/Style"
import "../../../../resources/qml/Parts"

Rectangle {
    id: scene

    property string words
    readonly property rect line: Qt.rect(one.x, one.y, one.width, one.height)
    readonly property rect paragraph: Qt.rect(several.x, several.y, several.width, several.height)

    color: Style.ground
    Line {
        id: one
        x: 20
        y: 100
        text: scene.words
    }
    Paragraph {
        id: several
        x: 20
        y: 300
        text: scene.words
    }
}
