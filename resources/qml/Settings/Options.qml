// A choice among a few visible values; arrows move between them. `values` must not change with the
// language, or the keyboard focus would be lost: their names are in `texts`.
import QtQuick
import QtQuick.Templates as T
import "../Style"
import "../Parts"

Column {
    id: options

    property string label
    property string note
    property var values: []
    property var texts: []
    /// Names of icons: none, or one for each value.
    property var symbols: []
    /// The font size of each text, if not the default.
    property var sizes: []
    property var value
    signal chosen(var value)

    spacing: Style.gap1
    width: 320
    Accessible.role: Accessible.Grouping
    Accessible.name: label

    Line {
        visible: options.label !== ""
        width: parent.width
        text: options.label
        strong: true
        Accessible.ignored: true
    }
    Paragraph {
        visible: options.note !== ""
        width: parent.width
        text: options.note
        size: Style.small
        soft: true
    }
    Item { width: 1; height: options.label !== "" ? Style.hair : 0 }
    Flow {
        width: parent.width
        spacing: Style.gap2
        Repeater {
            model: options.values
            T.RadioButton {
                id: option
                required property var modelData
                required property int index
                readonly property string symbol: options.symbols[index] ?? ""
                readonly property color words: checked ? Style.accentSoftInk : Style.ink

                text: options.texts[index] ?? ""
                checked: options.value === modelData
                focusPolicy: Qt.StrongFocus
                activeFocusOnTab: true
                hoverEnabled: true
                leftPadding: Style.gap3
                rightPadding: Style.gap3
                implicitHeight: Style.target
                implicitWidth: Math.max(Style.target, row.implicitWidth + leftPadding + rightPadding)
                Accessible.role: Accessible.RadioButton
                Accessible.name: options.label !== "" ? options.label + ": " + text : text
                Accessible.checkable: true
                Accessible.checked: checked
                Accessible.onPressAction: options.chosen(modelData)
                onClicked: options.chosen(modelData)
                Keys.onReturnPressed: options.chosen(modelData)
                Keys.onEnterPressed: options.chosen(modelData)
                Keys.onRightPressed: nextItemInFocusChain(true).forceActiveFocus(Qt.TabFocusReason)
                Keys.onLeftPressed: nextItemInFocusChain(false).forceActiveFocus(Qt.BacktabFocusReason)

                indicator: null
                contentItem: Item {
                    Row {
                        id: row
                        anchors.centerIn: parent
                        spacing: Style.gap2
                        Icon {
                            visible: option.symbol !== ""
                            name: option.symbol
                            color: option.words
                            width: Style.size(19)
                            height: width
                            anchors.verticalCenter: parent.verticalCenter
                        }
                        Line {
                            text: option.text
                            size: options.sizes[option.index] ?? Style.body
                            strong: true
                            color: option.words
                            anchors.verticalCenter: parent.verticalCenter
                        }
                    }
                }
                background: Rectangle {
                    radius: Style.radius2
                    antialiasing: true
                    color: option.checked ? Style.accentSoft
                        : option.down || option.hovered ? Style.mix(Style.raised, Style.ink, 0.07) : Style.raised
                    border.width: option.checked ? 2 * Style.hair : Style.hair
                    border.color: option.checked ? Style.accent : Style.edge
                    FocusRing { shown: option.visualFocus; around: Style.radius2 }
                }
            }
        }
    }
}
