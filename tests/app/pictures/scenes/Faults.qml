// Every fault that the inspection must find, each beside a correct counterpart.
import QtQuick
import "../../../../resources/qml/Style"
import "../../../../resources/qml/Parts"

Rectangle {
    color: Style.ground
    PushButton { x: 20; y: 20; text: "left one" }
    PushButton { x: 60; y: 40; text: "over it" }
    PushButton { x: 300; y: 20; width: 30; height: 30; text: "?" }
    IconButton { x: 400; y: 20; symbol: "help" }
    Line { x: 20; y: 120; width: 60; text: "cut by its own elision" }
    Line { x: 20; y: 150; width: 60; text: "from outside: Ana" }
    Text { x: 20; y: 180; width: 30; text: "wider than its place"; textFormat: Text.PlainText; color: Style.ink }
    Item {
        x: 20
        y: 210
        width: 50
        height: 30
        clip: true
        Line { text: "behind an edge" }
    }
    Line { x: 20; y: 260; text: "hardly there"; color: Style.line }
    Line { x: 20; y: 290; text: "switched off"; color: Style.line; enabled: false }
    Line { x: 20; y: 320; text: "faded"; opacity: 0.4 }
    Item {
        x: 300
        y: 120
        width: 60
        height: 60
        activeFocusOnTab: true
    }
    Item {
        objectName: "unheard"
        Accessible.role: Accessible.Slider
        Accessible.focusable: true
        width: 1
        height: 1
    }
    Rectangle {
        objectName: "clickable"
        x: 300
        y: 220
        width: 60
        height: 60
        color: Style.surface
        MouseArea { anchors.fill: parent; onClicked: parent.width = 61 }
    }
    Item {
        x: 20
        y: 400
        component Held: Rectangle {
            property int slot
            property int rank
            width: 60
            height: 90
            color: Style.surface
            Accessible.role: Accessible.Button
            Accessible.name: "card"
            TapHandler {}
        }
        Held { slot: 1 }
        Held { slot: 2; x: 25 }
        Held { slot: 3; x: 35 }
    }
    PushButton { x: parent.width - 40; y: 500; text: "out of the window" }
}
