// A tile for one of the main actions of the first page: an icon, a title, and a line on what the
// action does.
import QtQuick
import QtQuick.Templates as T
import "../Style"
import "../Parts"

T.Button {
    id: tile

    property string symbol
    property string note
    property bool loud: false
    /// Without an edge, because the tile lies in a panel.
    property bool bare: false

    /// Where the up and down arrow keys lead from here.
    property Item above
    property Item below
    property Item beside

    function lead(event: var, item: Item): void {
        event.accepted = item !== null
        if (item)
            item.forceActiveFocus(Qt.TabFocusReason)
    }

    readonly property color paint: loud ? Style.accent : bare ? "transparent" : Style.raised

    implicitWidth: 320
    implicitHeight: Math.max(Style.size(loud ? 72 : 60), words.implicitHeight + 2 * Style.gap2)
    focusPolicy: Qt.StrongFocus
    activeFocusOnTab: true
    hoverEnabled: true
    Accessible.role: Accessible.Button
    Accessible.name: text
    Accessible.description: note
    Accessible.onPressAction: tile.clicked()
    Keys.onReturnPressed: tile.clicked()
    Keys.onEnterPressed: tile.clicked()
    Keys.onUpPressed: event => lead(event, above)
    Keys.onDownPressed: event => lead(event, below)
    Keys.onRightPressed: event => lead(event, beside)

    contentItem: Item {
        Rectangle {
            id: disc
            x: Style.gap3
            anchors.verticalCenter: parent.verticalCenter
            width: Style.size(tile.loud ? 44 : 38)
            height: width
            radius: width * 0.32
            antialiasing: true
            color: tile.loud ? Style.alpha(Style.accentInk, 0.18) : Style.accentSoft
            Icon {
                anchors.centerIn: parent
                name: tile.symbol
                width: parent.width * 0.58
                height: width
                color: tile.loud ? Style.accentInk : Style.accentSoftInk
                weight: 2.3
            }
        }
        Column {
            id: words
            x: disc.x + disc.width + Style.gap3
            width: parent.width - x - Style.gap3
            anchors.verticalCenter: parent.verticalCenter
            Line {
                width: parent.width
                text: tile.text
                size: tile.loud ? Style.title : Style.lead
                heavy: tile.loud
                fontSizeMode: Text.HorizontalFit
                minimumPixelSize: Style.small
                strong: true
                color: !tile.enabled ? Style.inkOff : tile.loud ? Style.accentInk : Style.ink
            }
            Paragraph {
                visible: text !== ""
                width: parent.width
                text: tile.note
                size: Style.small
                lineHeight: 1
                color: tile.loud ? Style.accentInk : Style.inkSoft
            }
        }
    }
    background: Item {
        SoftShadow {
            visible: tile.loud && tile.enabled
            radius: Style.radius3
            spread: Style.gap2
        }
        Rectangle {
            anchors.fill: parent
            radius: Style.radius3
            antialiasing: true
            color: !tile.enabled ? Style.sunken
                : tile.loud ? (tile.down || tile.hovered ? Style.accentStrong : Style.accent)
                : tile.down ? Style.alpha(Style.ink, 0.12)
                : tile.hovered ? (tile.bare ? Style.alpha(Style.ink, 0.05) : Style.mix(Style.raised, Style.ink, 0.05))
                : tile.paint
            border.width: tile.loud || tile.bare ? 0 : Style.hair
            border.color: Style.edge
            Behavior on color { ColorAnimation { duration: Style.fade(90) } }
            FocusRing { shown: tile.visualFocus; around: Style.radius3 }
        }
    }
}
