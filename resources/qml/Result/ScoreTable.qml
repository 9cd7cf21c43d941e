// The scores round by round: points gained, and totals. One column for each player or pair.
import QtQuick
import QtQuick.Templates as T
import "../Style"
import "../Parts"

Item {
    id: table

    /// Roles: number, points, totals, text (only of a void round).
    property var model
    /// [{seat, name, names, avatars, bots, me}], a column each.
    property var columns: []
    readonly property real first: Style.size(72)
    readonly property real column: columns.length > 0 ? Math.min(Style.size(120), (width - first - Style.gap3) / columns.length) : 0

    /// The most names in a column.
    readonly property int lines: Math.max(1, ...columns.map(one => one.names.length))
    /// Whether there is room for the avatars above the names.
    readonly property bool faces: height >= Style.size(74 + 16 * lines)

    Row {
        id: head
        x: table.first
        height: Style.size((table.faces ? 30 : 3) + 16 * table.lines)
        Repeater {
            model: table.columns
            Item {
                id: who
                required property var modelData
                width: table.column
                height: head.height
                Accessible.role: Accessible.ColumnHeader
                Accessible.name: modelData.name
                Row {
                    visible: table.faces
                    anchors.horizontalCenter: parent.horizontalCenter
                    spacing: -Style.gap1
                    Repeater {
                        model: who.modelData.avatars
                        Avatar {
                            required property int modelData
                            required property int index
                            width: Style.size(24)
                            height: width
                            name: who.modelData.names[index]
                            colour: modelData
                            bot: who.modelData.bots[index]
                        }
                    }
                }
                Column {
                    y: table.faces ? Style.size(27) : 0
                    x: Style.gap1 / 2
                    Repeater {
                        model: who.modelData.names
                        Line {
                            required property string modelData
                            width: who.width - Style.gap1
                            horizontalAlignment: Text.AlignHCenter
                            text: modelData
                            size: Style.tiny
                            strong: who.modelData.me
                            soft: !who.modelData.me
                        }
                    }
                }
            }
        }
    }
    Rectangle {
        y: head.height
        width: parent.width - Style.gap3
        height: Style.hair
        color: Style.line
    }
    ListView {
        id: rounds
        objectName: "rounds"
        y: head.height + Style.hair
        width: parent.width
        height: parent.height - y
        clip: true
        model: table.model
        boundsBehavior: Flickable.StopAtBounds
        activeFocusOnTab: true
        onCountChanged: Qt.callLater(positionViewAtEnd)
        onHeightChanged: Qt.callLater(positionViewAtEnd)
        Accessible.role: Accessible.Table
        Accessible.name: qsTr("Points of every round")
        T.ScrollBar.vertical: ThinBar { visible: size < 0.995 }
        FocusRing { shown: rounds.activeFocus; around: Style.radius1 }

        OutOfSight { area: rounds }
        delegate: Item {
            id: round
            required property int index
            required property int number
            required property var points
            required property var totals
            required property string text
            width: rounds.width - Style.gap3
            height: Style.size(44)
            readonly property bool none: text !== ""
            Accessible.role: Accessible.Row
            Accessible.name: qsTr("Round %1").arg(number) + (none ? ", " + text : "")

            Rectangle {
                anchors.fill: parent
                color: round.index % 2 ? Style.sunken : "transparent"
                radius: Style.radius1
            }
            Line {
                x: Style.gap2
                width: table.first - Style.gap2
                height: parent.height
                text: String(round.number)
                strong: true
                soft: true
            }
            Repeater {
                model: table.columns
                Item {
                    id: cell
                    required property var modelData
                    required property int index
                    x: table.first + index * table.column
                    width: table.column
                    height: round.height
                    Line {
                        y: Style.size(4)
                        width: parent.width
                        horizontalAlignment: Text.AlignHCenter
                        text: String(round.totals[cell.modelData.seat])
                        size: Style.body
                        strong: true
                        color: round.none ? Style.inkSoft : Style.ink
                    }
                    Line {
                        y: Style.size(23)
                        width: parent.width
                        horizontalAlignment: Text.AlignHCenter
                        text: round.none ? round.text : round.points[cell.modelData.seat] > 0 ? "+" + round.points[cell.modelData.seat]
                            : round.points[cell.modelData.seat] < 0 ? "−" + -round.points[cell.modelData.seat] : "·"
                        size: Style.tiny
                        color: round.points[cell.modelData.seat] > 0 && !round.none ? Style.good : Style.inkSoft
                    }
                }
            }
        }
    }
}
