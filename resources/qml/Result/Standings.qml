// The standings: place, player, points of the last round, and points of the match.
import QtQuick
import QtQuick.Templates as T
import "../Style"
import "../Parts"

ListView {
    id: list

    /// Whether pairs play: their names are below each other.
    property bool paired: false
    readonly property bool narrow: width < Style.size(300)
    /// The height of a row, chosen so that all rows fit if possible.
    readonly property real rowHeight: Math.max(Style.size(narrow && paired ? 44 : 34), Math.min(Style.size(58), (height + spacing) / Math.max(1, rows) - spacing))
    /// The view's own `count` would cause a layout, which would ask for the row height again.
    readonly property int rows: model?.count ?? 0

    /// Roles: place, name, names, points, gained, team, winner, me, bot, avatar.
    clip: true
    spacing: Style.gap1 + 2
    boundsBehavior: Flickable.StopAtBounds
    activeFocusOnTab: true
    Accessible.role: Accessible.List
    Accessible.name: qsTr("Standings")
    T.ScrollBar.vertical: ThinBar { visible: size < 0.995 }
    FocusRing { shown: list.activeFocus; around: Style.radius1 }

    OutOfSight { area: list }

    component TeamSign: Rectangle {
        id: sign
        property int team: 0
        width: Style.size(22)
        height: width
        radius: width / 2
        antialiasing: true
        color: team >= 0 ? Style.teams[team % Style.teams.length] : "transparent"
        Line {
            anchors.centerIn: parent
            text: String.fromCharCode(65 + Math.max(0, sign.team))
            size: Style.tiny
            strong: true
            color: Style.surface
        }
    }

    delegate: Rectangle {
        id: row
        required property int index
        required property int place
        required property string name
        required property var names
        required property int points
        required property int gained
        required property int team
        required property bool winner
        required property bool me
        required property bool bot
        required property int avatar

        width: list.width - (list.contentHeight > list.height + 1 ? Style.gap3 : 0)
        height: list.rowHeight
        radius: Style.radius2
        antialiasing: true
        color: winner ? Style.accentSoft : me ? Style.raised : Style.surface
        border.width: winner || me ? 2 : Style.hair
        border.color: winner ? Style.accent : me ? Style.edge : Style.line
        Accessible.role: Accessible.ListItem
        Accessible.name: qsTr("%1. %2, points: %3").arg(place).arg(name).arg(points)

        readonly property bool pair: names.length > 1
        /// Whether the points of the last round are below those of the match.
        readonly property bool stacked: list.narrow && pair
        readonly property color words: winner ? Style.accentSoftInk : Style.ink

        Line {
            id: position
            x: Style.gap2
            width: Style.size(28)
            height: parent.height
            horizontalAlignment: Text.AlignHCenter
            text: String(row.place)
            size: Style.lead
            heavy: true
            color: row.words
        }
        Avatar {
            id: face
            // The sign of a pair stands in its place.
            visible: !row.pair
            x: position.x + position.width + Style.gap2
            width: Math.min(Style.size(36), row.height - Style.gap2)
            height: width
            anchors.verticalCenter: parent.verticalCenter
            name: row.name
            colour: row.avatar
            bot: row.bot
        }
        TeamSign {
            visible: row.pair
            team: row.team
            anchors.centerIn: face
        }
        Column {
            x: face.x + face.width + Style.gap3
            width: marks.x - x - Style.gap2
            anchors.verticalCenter: parent.verticalCenter
            Repeater {
                model: row.names
                Line {
                    required property string modelData
                    width: parent.width
                    text: modelData
                    size: row.pair && row.height < Style.size(48) ? Style.small : Style.body
                    strong: true
                    color: row.words
                }
            }
        }
        Row {
            id: marks
            anchors.right: row.stacked ? total.left : gain.left
            anchors.rightMargin: Style.gap2
            height: parent.height
            spacing: Style.gap1
            Icon {
                visible: row.winner
                name: "crown"
                color: row.words
                width: Style.size(20)
                height: width
                anchors.verticalCenter: parent.verticalCenter
            }
            TeamSign {
                visible: row.team >= 0 && !row.pair
                team: row.team
                anchors.verticalCenter: parent.verticalCenter
            }
        }
        Line {
            id: gain
            x: row.stacked ? total.x : total.x - width - Style.gap2
            y: row.stacked ? parent.height * 0.53 : 0
            width: row.stacked ? total.width : list.narrow ? implicitWidth : Style.size(50)
            height: parent.height - y - (row.stacked ? Style.gap1 : 0)
            horizontalAlignment: Text.AlignRight
            text: row.gained > 0 ? "+" + row.gained : row.gained < 0 ? "−" + -row.gained : ""
            size: Style.small
            strong: true
            color: row.winner ? row.words : Style.good
        }
        Line {
            id: total
            anchors.right: parent.right
            anchors.rightMargin: Style.gap3
            width: Math.max(Style.size(40), implicitWidth, row.stacked ? gain.implicitWidth : 0)
            height: parent.height * (row.stacked && gain.text !== "" ? 0.6 : 1)
            horizontalAlignment: Text.AlignRight
            text: String(row.points)
            size: Style.lead
            heavy: true
            color: row.words
        }
    }
}
