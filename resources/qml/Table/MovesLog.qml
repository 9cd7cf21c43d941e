// The moves in words, the newest last. Colours are named in the words and shown by their sign.
import QtQuick
import QtQuick.Templates as T
import "../Style"
import "../Parts"

ListView {
    id: log

    /// Roles: text, colour, kind.
    property bool compact: false
    readonly property real lineHeight: Style.size(20)
    property bool following: true

    clip: true
    spacing: compact ? 0 : Style.gap2
    boundsBehavior: Flickable.StopAtBounds
    interactive: !compact
    verticalLayoutDirection: ListView.TopToBottom
    onCountChanged: if (following) Qt.callLater(positionViewAtEnd)
    onHeightChanged: if (following) Qt.callLater(positionViewAtEnd)
    onWidthChanged: if (following) Qt.callLater(positionViewAtEnd)
    onMovementEnded: following = atYEnd
    activeFocusOnTab: !compact
    Accessible.role: Accessible.List
    Accessible.name: qsTr("Moves")
    T.ScrollBar.vertical: ThinBar { visible: !log.compact && size < 0.995 }

    OutOfSight { area: log }

    delegate: Item {
        id: move
        required property int index
        required property string text
        required property int colour
        readonly property bool newest: index === log.count - 1
        width: log.width - (log.compact ? 0 : Style.gap3)
        height: log.compact ? log.lineHeight : words.height
        opacity: log.compact ? (newest ? 1 : Math.max(0.82, 1 - (log.count - 1 - index) * 0.06)) : 1
        Accessible.role: Accessible.ListItem
        Accessible.name: text

        Sign {
            id: sign
            kind: move.colour
            width: Style.size(13)
            height: width
            y: Style.size(log.compact ? 2 : 3)
        }
        Rectangle {
            visible: move.colour < 0
            width: Style.size(5)
            height: width
            radius: width / 2
            x: Style.size(4)
            y: Style.size(log.compact ? 6 : 8)
            color: Style.edge
        }
        Paragraph {
            id: words
            x: Style.size(13) + Style.gap2
            width: parent.width - x
            text: move.text
            size: log.compact ? Style.small : Style.body
            strong: move.newest
            maximumLineCount: log.compact ? 1 : 3
            elide: Text.ElideRight
            lineHeight: 1.05
        }
    }
}
