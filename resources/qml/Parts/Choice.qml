// A choice from a list that opens. `model` is that of a ComboBox.
import QtQuick
import QtQuick.Templates as T
import "../Style"

T.ComboBox {
    id: choice

    property string label

    implicitWidth: 220
    implicitHeight: Style.target
    leftPadding: Style.gap3
    rightPadding: Style.gap6 + Style.gap1
    focusPolicy: Qt.StrongFocus
    activeFocusOnTab: true
    hoverEnabled: true
    font.family: Style.family
    font.pixelSize: Style.body
    font.weight: Style.weightText
    Accessible.role: Accessible.ComboBox
    Accessible.name: label !== "" ? label + ": " + displayText : displayText
    Keys.onReturnPressed: choice.popup.visible ? choice.popup.close() : choice.popup.open()

    contentItem: Line {
        text: choice.displayText
        color: choice.enabled ? Style.ink : Style.inkOff
        strong: true
        fontSizeMode: Text.HorizontalFit
        minimumPixelSize: Style.small
    }
    indicator: Icon {
        name: "down"
        color: choice.enabled ? Style.inkSoft : Style.inkOff
        width: Style.size(18)
        height: width
        x: choice.width - width - Style.gap3
        y: (choice.height - height) / 2
    }
    background: Rectangle {
        radius: Style.radius2
        antialiasing: true
        color: choice.down || choice.hovered ? Style.mix(Style.raised, Style.ink, 0.06) : Style.raised
        border.width: Style.hair
        border.color: choice.enabled ? Style.edge : Style.line
        FocusRing { shown: choice.visualFocus; around: Style.radius2 }
    }
    delegate: T.ItemDelegate {
        id: entry
        required property int index
        width: ListView.view ? ListView.view.width : choice.width
        implicitHeight: Style.target
        leftPadding: Style.gap3
        rightPadding: Style.gap3
        hoverEnabled: true
        text: choice.textAt(index)
        highlighted: choice.highlightedIndex === index
        Accessible.role: Accessible.ListItem
        Accessible.name: text
        contentItem: Line {
            text: entry.text
            strong: choice.currentIndex === entry.index
            color: entry.highlighted ? Style.accentSoftInk : Style.ink
        }
        background: Rectangle {
            radius: Style.radius1
            color: entry.highlighted ? Style.accentSoft : "transparent"
        }
    }
    popup: T.Popup {
        y: choice.height + Style.gap1
        width: choice.width
        implicitHeight: Math.min(contentItem.implicitHeight + Style.gap2, Style.target * 7)
        padding: Style.gap1
        margins: Style.gap2
        contentItem: ListView {
            clip: true
            implicitHeight: contentHeight
            model: choice.popup.visible ? choice.delegateModel : null
            currentIndex: choice.highlightedIndex
            T.ScrollBar.vertical: ThinBar {}
        }
        background: Panel { color: Style.raised; radius: Style.radius2; shadow: true }
    }
}
