// Another player at the table: name, number of cards, points, and present state. Becomes a button
// when the player can be caught or chosen.
import QtQuick
import "../Style"
import "../Parts"

FocusScope {
    id: plate

    property int seat: -1
    property string name
    property int count: 0
    property int points: 0
    property int avatar: 0
    property int team: -1
    property bool turn: false
    property bool bot: false
    property bool uno: false
    property bool owesUno: false
    property bool catchable: false
    property bool asleep: false
    property bool dropped: false
    property bool hasLeft: false
    property int waiting: -1
    property bool partner: false
    property bool dealer: false
    property bool last: false
    property bool out: false
    property bool expelled: false
    property bool host: false
    property bool mine: false
    /// Whether there are cards to count.
    property bool counted: true
    property string accessibleName: name
    /// The action of a click ("Swap hands"); empty if it has none.
    property string offer

    signal catchPressed()
    signal offerPressed()

    readonly property bool offered: catchable || offer !== ""
    readonly property bool absent: asleep || dropped || out || expelled
    /// Two lines of text decide the height.
    implicitWidth: Style.size(168)
    implicitHeight: Math.max(Style.target + Style.gap3, Style.size(60))
    activeFocusOnTab: !mine
    Accessible.role: offered ? Accessible.Button : Accessible.StaticText
    Accessible.name: catchable ? qsTr("Catch: %1").arg(accessibleName) : offer !== "" ? offer + ": " + accessibleName : accessibleName
    Accessible.focusable: !mine
    Accessible.onPressAction: press()
    Keys.onReturnPressed: press()
    Keys.onEnterPressed: press()
    Keys.onSpacePressed: press()

    /// The place of this player's cards, in scene coordinates.
    function cardsPlace(): rect {
        const at = backs.mapToItem(null, 0, 0)
        return Qt.rect(at.x, at.y, Style.size(20), Style.size(30))
    }
    function press(): void {
        if (catchable)
            catchPressed()
        else if (offer !== "")
            offerPressed()
    }

    Rectangle {
        id: body
        anchors.fill: parent
        radius: Style.radius3
        antialiasing: true
        color: plate.turn ? Style.accentSoft : hover.hovered && plate.offered ? Style.mix(Style.surface, Style.accent, 0.12) : Style.surface
        border.width: plate.turn || plate.offered ? 2 : Style.hair
        border.color: plate.catchable ? Style.danger : plate.turn || plate.offer !== "" ? Style.accent : Style.line
        Behavior on color { ColorAnimation { duration: Style.fade(160) } }
        SoftShadow { radius: parent.radius; spread: plate.turn ? 12 : 6 }
        FocusRing { shown: plate.activeFocus; around: body.radius }
    }

    Item {
        anchors.fill: parent
        Avatar {
            id: face
            name: plate.name
            colour: plate.avatar
            bot: plate.bot
            faded: plate.absent
            x: Style.gap2 + 2
            width: Math.min(Style.size(40), plate.height - Style.gap4)
            height: width
            anchors.verticalCenter: parent.verticalCenter
            Rectangle {
                visible: plate.team >= 0
                width: Style.size(21)
                height: width
                radius: width / 2
                antialiasing: true
                x: parent.width - width * 0.7
                y: parent.height - height * 0.8
                color: plate.team >= 0 ? Style.teams[plate.team % Style.teams.length] : "transparent"
                border.width: 2
                border.color: body.color
                Line {
                    anchors.centerIn: parent
                    text: String.fromCharCode(65 + Math.max(0, plate.team))
                    size: Style.size(11)
                    strong: true
                    color: Style.surface
                }
            }
        }
        Line {
            id: title
            x: face.x + face.width + Style.gap2
            y: face.y + face.height / 2 - height - 0.5
            width: parent.width - x - Style.gap2 - marks.width - (marks.width > 0 ? Style.gap1 : 0)
            text: plate.name
            strong: true
            size: Style.body
            color: plate.turn ? Style.accentSoftInk : plate.absent ? Style.inkSoft : Style.ink
        }
        // The present state as icons; the words are in the accessible name and the score bar.
        Row {
            id: marks
            anchors.right: parent.right
            anchors.rightMargin: Style.gap2
            anchors.verticalCenter: title.verticalCenter
            spacing: 3
            layoutDirection: Qt.RightToLeft
            Repeater {
                model: plate.asleep ? ["offline"] : plate.absent ? [] : [plate.dealer ? "cards" : "", plate.host ? "crown" : "", plate.last ? "flag" : ""].filter(one => one !== "")
                Icon {
                    required property string modelData
                    name: modelData
                    width: Style.size(14)
                    height: width
                    weight: 2.4
                    color: plate.asleep ? Style.warnSoftInk : plate.turn ? Style.accentSoftInk : Style.inkSoft
                }
            }
        }
        Row {
            visible: !plate.absent && plate.counted
            x: title.x
            y: face.y + face.height / 2 + 1
            height: Style.size(23)
            spacing: Style.gap1 + 1
            MiniFan {
                id: backs
                // One back says no more than "UNO", which needs the room for the trophy.
                visible: !plate.offered && !plate.uno && plate.width >= Style.size(140)
                count: plate.count
                cardWidth: Style.size(13)
                anchors.verticalCenter: parent.verticalCenter
            }
            Line {
                text: String(plate.count)
                size: Style.lead
                heavy: true
                color: plate.count === 1 ? Style.danger : plate.turn ? Style.accentSoftInk : Style.ink
                anchors.verticalCenter: parent.verticalCenter
            }
        }
        Row {
            visible: !plate.offered && !plate.absent
            anchors.right: parent.right
            anchors.rightMargin: Style.gap2
            y: face.y + face.height / 2 + 1
            height: Style.size(23)
            spacing: 3
            Badge {
                visible: plate.uno
                text: "UNO"
                mood: "loud"
                size: Style.tiny
                anchors.verticalCenter: parent.verticalCenter
            }
            Icon {
                visible: !plate.uno || plate.width >= Style.size(160)
                name: "trophy"
                width: Style.size(14)
                height: width
                color: plate.turn ? Style.accentSoftInk : Style.inkSoft
                anchors.verticalCenter: parent.verticalCenter
            }
            Line {
                text: String(plate.points)
                size: Style.small
                strong: true
                color: plate.turn ? Style.accentSoftInk : Style.inkSoft
                anchors.verticalCenter: parent.verticalCenter
            }
        }
        Line {
            visible: plate.absent
            x: title.x
            y: face.y + face.height / 2 + 3
            width: parent.width - x - Style.gap2
            size: Style.small
            // Large text has little room here: it shrinks before it is cut.
            fontSizeMode: Text.HorizontalFit
            minimumPixelSize: Style.size(9)
            strong: true
            soft: true
            text: plate.expelled ? qsTr("out of the match") : plate.hasLeft ? qsTr("has left") : plate.dropped ? qsTr("is gone") : plate.asleep
                ? (plate.waiting >= 0 ? qsTr("disconnected, %1 s").arg(plate.waiting) : qsTr("disconnected")) : qsTr("not in this round")
        }
    }
    // The action of a click.
    Rectangle {
        visible: plate.offered
        anchors.right: parent.right
        anchors.rightMargin: Style.gap1 + 2
        anchors.bottom: parent.bottom
        anchors.bottomMargin: Style.gap1 + 2
        width: Math.min(parent.width - title.x - Style.size(26), word.implicitWidth + Style.gap4)
        height: Style.size(25)
        radius: height / 2
        antialiasing: true
        color: plate.catchable ? Style.danger : Style.accent
        Line {
            id: word
            anchors.centerIn: parent
            width: Math.min(implicitWidth, parent.width - Style.gap2)
            text: plate.catchable ? qsTr("Catch!") : plate.offer
            size: Style.small
            heavy: true
            color: plate.catchable ? Style.dangerInk : Style.accentInk
        }
    }
    HoverHandler {
        id: hover
        enabled: plate.offered
        cursorShape: Qt.PointingHandCursor
    }
    TapHandler {
        enabled: plate.offered
        gesturePolicy: TapHandler.ReleaseWithinBounds
        onTapped: plate.press()
    }
}
