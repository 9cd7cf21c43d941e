// The safety hand, turned over once everybody has signed: it stays until the first card is dealt.
// The button, a click beside it or Esc goes on at once; the cards are dealt behind it.
import QtQuick
import "../Style"
import "../Parts"

Sheet {
    id: sheet

    property bool comparing: false
    property var cards: []
    property string sentence
    signal done()

    title: qsTr("Do you all see these cards?")
    objectName: "comparingSheet"
    wide: 560
    first: goOn
    onComparingChanged: comparing ? open() : close()
    onOpened: hand.turned = true
    onClosed: {
        if (comparing)
            done()
    }

    SafetyHand {
        id: hand
        turned: false
        width: parent.width
        cardWidth: Style.size(54)
        color: Style.sunken
        border.width: 0
        cards: sheet.cards
        text: sheet.sentence
    }
    actions: PushButton {
        id: goOn
        objectName: "goOn"
        kind: "primary"
        text: qsTr("Go on")
        onClicked: sheet.done()
    }
}
