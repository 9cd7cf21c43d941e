// The progress of the shuffle: every seat that takes part, with a tick each.
import QtQuick
import "../Style"
import "../Parts"

Column {
    id: dealt

    /// Roles: name, committed, shuffled, locked, text.
    property var model
    property string text
    property bool whole: true
    /// Set where there is plenty of room.
    property bool big: false
    readonly property real chipWidth: Style.size(big ? 176 : 132)

    spacing: big ? Style.gap5 : Style.gap3

    Row {
        anchors.horizontalCenter: parent.horizontalCenter
        spacing: Style.gap2
        Icon {
            name: "shield"
            color: Style.accent
            anchors.verticalCenter: parent.verticalCenter
        }
        Line {
            text: dealt.text
            size: dealt.big ? Style.title : Style.lead
            strong: true
            fontSizeMode: Text.HorizontalFit
            minimumPixelSize: Style.small
            width: Math.min(implicitWidth, dealt.width - Style.gap6)
        }
    }
    Flow {
        id: flow
        visible: dealt.whole
        width: Math.min(dealt.width, Math.max(1, chips.count) * (dealt.chipWidth + spacing) - spacing)
        anchors.horizontalCenter: parent.horizontalCenter
        spacing: Style.gap2
        Repeater {
            id: chips
            model: dealt.model
            Rectangle {
                id: chip
                required property string name
                required property bool committed
                required property bool shuffled
                required property bool locked
                required property string text
                width: dealt.chipWidth
                height: Style.size(dealt.big ? 44 : 34)
                radius: height / 2
                antialiasing: true
                color: locked ? Style.goodSoft : Style.surface
                border.width: locked ? 0 : Style.hair
                border.color: shuffled ? Style.accent : Style.line
                Accessible.role: Accessible.StaticText
                Accessible.name: name + ": " + text
                Icon {
                    id: tick
                    x: Style.gap2
                    name: chip.locked ? "check" : chip.shuffled ? "lock" : chip.committed ? "dice" : "clock"
                    color: chip.locked ? Style.goodSoftInk : chip.shuffled ? Style.accent : Style.inkSoft
                    width: Style.size(16)
                    height: width
                    anchors.verticalCenter: parent.verticalCenter
                }
                Line {
                    x: tick.x + tick.width + Style.gap1 + 2
                    width: parent.width - x - Style.gap2
                    anchors.verticalCenter: parent.verticalCenter
                    text: chip.name
                    size: dealt.big ? Style.body : Style.small
                    strong: true
                    color: chip.locked ? Style.goodSoftInk : Style.ink
                }
            }
        }
    }
}
