// A sheet over everything else.
import QtQuick
import "../../../../resources/qml/Style"
import "../../../../resources/qml/Parts"

Rectangle {
    color: Style.ground
    Sheet {
        id: sheet
        title: "Leave the table?"
        text: "You are hosting. Ana goes on as the host, and the game continues without you; your cards go under the pile."
        actions: [
            PushButton { text: "Leave"; kind: "danger" },
            PushButton { text: "Stay"; kind: "quiet" }
        ]
        Toggle { width: parent.width; text: "Let a bot play for me"; checked: true }
    }
    Component.onCompleted: sheet.open()
}
