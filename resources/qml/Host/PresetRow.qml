// A rulebook to choose: its name, and one sentence about it.
import QtQuick
import QtQuick.Templates as T
import "../Style"
import "../Parts"

T.AbstractButton {
    id: row

    required property var model
    property bool chosen: false
    // Qt reports this property to screen readers instead of the attached one.
    checked: chosen

    implicitHeight: Math.max(Style.target, words.implicitHeight + 2 * Style.gap3)
    focusPolicy: Qt.StrongFocus
    activeFocusOnTab: true
    hoverEnabled: true
    Accessible.role: Accessible.RadioButton
    Accessible.name: model.name
    Accessible.description: model.summary
    Accessible.checkable: true
    Accessible.checked: chosen
    Accessible.onPressAction: row.clicked()
    Keys.onReturnPressed: row.clicked()
    Keys.onEnterPressed: row.clicked()
    Keys.onUpPressed: nextItemInFocusChain(false).forceActiveFocus(Qt.TabFocusReason)
    Keys.onDownPressed: nextItemInFocusChain(true).forceActiveFocus(Qt.TabFocusReason)

    contentItem: Item {
        Rectangle {
            id: mark
            x: Style.gap3
            y: Style.gap3 + Style.size(1)
            width: Style.size(18)
            height: width
            radius: width / 2
            antialiasing: true
            color: row.chosen ? Style.accent : "transparent"
            border.width: row.chosen ? 0 : 2
            border.color: Style.edge
            Icon {
                visible: row.chosen
                anchors.fill: parent
                anchors.margins: Style.gap1
                name: "check"
                color: Style.accentInk
                weight: 4
            }
        }
        Column {
            id: words
            x: mark.x + mark.width + Style.gap3
            y: Style.gap3
            width: parent.width - x - Style.gap3
            spacing: Style.hair
            Item {
                width: parent.width
                height: name.height
                Paragraph {
                    id: name
                    width: parent.width - seats.width - Style.gap2
                    text: row.model.name
                    lineHeight: 1
                    strong: true
                    color: row.chosen ? Style.accentSoftInk : Style.ink
                }
                Row {
                    id: seats
                    anchors.right: parent.right
                    anchors.verticalCenter: parent.verticalCenter
                    spacing: Style.gap1
                    Icon {
                        name: "people"
                        color: row.chosen ? Style.accentSoftInk : Style.inkSoft
                        width: Style.size(15)
                        height: width
                        anchors.verticalCenter: parent.verticalCenter
                    }
                    Line {
                        text: row.model.seatsMin === row.model.seatsMax ? row.model.seatsMin
                            : row.model.seatsMin + "–" + row.model.seatsMax
                        size: Style.small
                        color: row.chosen ? Style.accentSoftInk : Style.inkSoft
                    }
                }
            }
            Paragraph {
                width: parent.width
                text: row.model.summary
                size: Style.small
                lineHeight: 1.05
                color: row.chosen ? Style.accentSoftInk : Style.inkSoft
            }
        }
    }
    background: Rectangle {
        radius: Style.radius3
        antialiasing: true
        color: row.chosen ? Style.accentSoft : row.down ? Style.mix(Style.surface, Style.ink, 0.1)
            : row.hovered ? Style.mix(Style.surface, Style.ink, 0.05) : "transparent"
        border.width: row.chosen ? 2 : 0
        border.color: Style.accent
        FocusRing { shown: row.visualFocus; around: Style.radius3 }
    }
}
