// Choosing the colour of the avatar: discs in rows, arrows move between them.
import QtQuick
import "../Style"

FocusScope {
    id: picker

    property string name
    property int count: 10
    property int current: 0
    signal chosen(int index)

    readonly property int fitting: Math.max(1, Math.floor((width + Style.gap1) / (Style.target + Style.gap1)))
    /// The number of columns that makes all rows equally long.
    readonly property int columns: Math.ceil(count / Math.ceil(count / fitting))

    implicitHeight: grid.height
    implicitWidth: count * (Style.target + Style.gap1) - Style.gap1
    activeFocusOnTab: true
    Accessible.role: Accessible.List
    Accessible.name: qsTr("Your colour")

    function choose(index: int): void {
        chosen(((index % count) + count) % count)
    }
    Keys.onLeftPressed: choose(current - 1)
    Keys.onRightPressed: choose(current + 1)
    Keys.onUpPressed: choose(current - columns)
    Keys.onDownPressed: choose(current + columns)

    Grid {
        id: grid
        columns: picker.columns
        spacing: Style.gap1
        Repeater {
            model: picker.count
            Item {
                id: disc
                required property int index
                readonly property bool mine: index === picker.current
                // Qt reports this property to screen readers instead of the attached one.
                readonly property bool checked: mine
                width: Style.target
                height: width
                Accessible.role: Accessible.RadioButton
                Accessible.name: qsTr("Colour %1 of %2").arg(index + 1).arg(picker.count)
                Accessible.checkable: true
                Accessible.checked: mine
                Accessible.onPressAction: picker.choose(index)
                Avatar {
                    anchors.centerIn: parent
                    width: parent.width - (disc.mine ? Style.gap2 : Style.gap3)
                    height: width
                    name: picker.name
                    colour: disc.index
                    FocusRing {
                        visible: disc.mine
                        around: width / 2
                        border.width: picker.activeFocus ? Style.focusWidth : 2
                        border.color: picker.activeFocus ? Style.accentStrong : Style.edge
                    }
                }
                TapHandler { onTapped: picker.choose(disc.index) }
                HoverHandler { cursorShape: Qt.PointingHandCursor }
            }
        }
    }
}
