// The opponents: every person, with the games won and lost between the two of you.
import QtQuick
import "../Style"
import "../Parts"

Panel {
    id: panel

    property var people: null

    implicitHeight: list.y + list.height + Style.gap4
    height: implicitHeight

    Line {
        id: heading
        x: Style.gap4
        y: Style.gap4
        width: parent.width - 2 * Style.gap4
        text: qsTr("Played with")
        size: Style.lead
        heavy: true
        Accessible.role: Accessible.Heading
        Accessible.name: text
    }
    Column {
        id: list
        x: Style.gap4
        y: heading.y + heading.height + Style.gap3
        width: parent.width - 2 * Style.gap4
        spacing: Style.gap4

        Paragraph {
            visible: rows.count === 0
            width: parent.width
            text: qsTr("Only bots so far.")
            soft: true
        }
        Repeater {
            id: rows
            model: panel.people
            Item {
                id: person
                required property string name
                required property string text
                required property int games
                required property int wins
                required property int losses
                required property int avatar
                readonly property int decided: wins + losses
                width: list.width
                height: words.height
                Accessible.role: Accessible.StaticText
                Accessible.name: qsTr("%1: %2, %3 won by you, %4 by them").arg(person.name).arg(person.text).arg(person.wins).arg(person.losses)
                Avatar {
                    id: face
                    width: Style.size(36)
                    height: width
                    anchors.verticalCenter: parent.verticalCenter
                    name: person.name
                    colour: person.avatar
                }
                Column {
                    id: words
                    x: face.width + Style.gap3
                    width: parent.width - x
                    spacing: Style.gap1
                    Item {
                        width: parent.width
                        height: Math.max(name.height, score.height)
                        Line {
                            id: name
                            width: parent.width - score.width - Style.gap2
                            text: person.name
                            strong: true
                            Accessible.ignored: true
                        }
                        Line {
                            id: score
                            anchors.right: parent.right
                            text: person.wins + " : " + person.losses
                            strong: true
                            Accessible.ignored: true
                        }
                    }
                    Rectangle {
                        width: parent.width
                        height: Style.gap1 + 2
                        radius: height / 2
                        antialiasing: true
                        color: person.losses > 0 ? Style.line : Style.sunken
                        Rectangle {
                            visible: person.wins > 0
                            width: person.decided > 0 ? Math.max(parent.height, parent.width * person.wins / person.decided) : 0
                            height: parent.height
                            radius: parent.radius
                            antialiasing: true
                            color: Style.accent
                        }
                    }
                    Line {
                        width: parent.width
                        text: person.text
                        size: Style.small
                        soft: true
                        Accessible.ignored: true
                    }
                }
            }
        }
    }
}
