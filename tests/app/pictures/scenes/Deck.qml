// Every face of a deck, the back, and a card in each of its states.
import QtQuick
import "../../../../resources/qml/Style"
import "../../../../resources/qml/Parts"

Rectangle {
    color: Style.ground

    Grid {
        x: 16
        y: 16
        columns: 13
        spacing: 10
        Repeater {
            model: 52
            Card {
                required property int index
                width: 64
                height: 96
                colour: Math.floor(index / 13)
                rank: index % 13
            }
        }
    }
    Row {
        x: 16
        y: 450
        spacing: 22
        Card { width: 108; height: 162; colour: -1; rank: 13 }
        Card { width: 108; height: 162; colour: -1; rank: 14 }
        Card { width: 108; height: 162; colour: -1; rank: 13; named: 2 }
        Card { width: 108; height: 162; faceUp: false }
        Card { width: 108; height: 162; colour: 1; rank: 12; playable: true }
        Card { width: 108; height: 162; colour: 3; rank: 9; dimmed: true }
        Card { width: 108; height: 162; colour: 0; rank: 10; focused: true }
    }
    // The 24 visible pixels of an overlapped card.
    Repeater {
        model: 15
        Card {
            required property int index
            x: 16 + index * 24
            y: 640
            width: 96
            height: 144
            colour: index > 12 ? -1 : index % 4
            rank: index
        }
    }
    Row {
        x: 560
        y: 650
        spacing: 12
        Repeater {
            model: 4
            Card { required property int index; width: 24; height: 36; colour: index; rank: 5 + index }
        }
        Card { width: 24; height: 36; faceUp: false }
        Card { width: 44; height: 66; faceUp: false }
        Card { width: 44; height: 66; colour: 1; rank: 11 }
    }
}
