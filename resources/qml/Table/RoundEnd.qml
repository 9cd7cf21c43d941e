// Who has won the round, over the table for a moment before the score is shown. The last card stays
// visible. A key or a click ends this immediately. Nothing moves once the signs have flown, and
// with reduced motion nothing moves at all.
import QtQuick
import "../Style"
import "../Parts"

FocusScope {
    id: end

    property string text
    property string name
    property int avatar: 0
    property bool bot: false
    /// Whether there is a winner: only then the signs fly.
    property bool won: true
    /// Where the last card lies, where the signs fly, and where the words are shown, clear of the
    /// cards. All in coordinates of this item.
    property point source: Qt.point(width / 2, height / 2)
    property rect room: Qt.rect(0, 0, width, height)
    property rect place: room

    signal done()

    readonly property int signs: won && !Style.reduced ? 20 : 0
    /// The progress of the flight of the signs, 0…1.
    property real flown: 0
    NumberAnimation on flown {
        running: end.signs > 0
        from: 0
        to: 1
        duration: Style.ms(1400)
    }

    Accessible.role: Accessible.Button
    Accessible.name: qsTr("Show the score")
    Accessible.focusable: true
    Accessible.onPressAction: end.done()

    function take(): void { forceActiveFocus(Qt.OtherFocusReason) }
    Keys.onPressed: event => {
        const alone = [Qt.Key_Shift, Qt.Key_Control, Qt.Key_Alt, Qt.Key_AltGr, Qt.Key_Meta, Qt.Key_CapsLock, Qt.Key_F1, Qt.Key_F11]
        if (event.modifiers & (Qt.ControlModifier | Qt.AltModifier | Qt.MetaModifier) || alone.includes(event.key))
            return
        event.accepted = true
        // A key that is still held down from the last card does not count.
        if (!event.isAutoRepeat)
            end.done()
    }
    TapHandler {
        gesturePolicy: TapHandler.ReleaseWithinBounds
        onTapped: end.done()
    }
    HoverHandler { blocking: true }

    Repeater {
        model: end.signs
        Sign {
            id: sign
            required property int index
            // From the pile in all directions (by the golden angle), to different distances.
            readonly property real angle: index * 137.5 * Math.PI / 180
            readonly property real reach: end.room.height * (0.45 + 0.5 * ((index * 7) % 10) / 10)
            readonly property real late: (index % 5) * 0.03
            readonly property real way: Math.max(0, Math.min(1, (end.flown - late) / (1 - 0.12)))
            readonly property real eased: 1 - (1 - way) * (1 - way) * (1 - way)
            kind: index % 4
            width: Style.size(18 + (index * 5) % 14)
            height: width
            x: end.source.x - width / 2 + Math.cos(angle) * reach * 1.35 * eased
            y: end.source.y - height / 2 + (Math.sin(angle) - 0.35) * reach * eased + reach * 0.8 * way * way
            rotation: (index % 2 ? 1 : -1) * 200 * eased
            opacity: way <= 0 ? 0 : Math.min(1, 3 * (1 - way))
            visible: opacity > 0
        }
    }

    Panel {
        id: banner
        objectName: "roundEndText"
        readonly property real most: width - 2 * Style.gap4
        x: Math.round(end.place.x)
        y: Math.round(end.place.y)
        width: end.place.width
        height: end.place.height
        color: end.won ? Style.accent : Style.raised
        border.width: end.won ? 0 : Style.hair
        radius: Style.radius3
        shadow: true
        Row {
            id: row
            anchors.centerIn: parent
            spacing: Style.gap3
            Avatar {
                id: face
                visible: end.won
                name: end.name
                colour: end.avatar
                bot: end.bot
                anchors.verticalCenter: parent.verticalCenter
                Rectangle {
                    anchors.fill: parent
                    anchors.margins: -2
                    z: -1
                    radius: end.bot ? width * 0.3 : width / 2
                    antialiasing: true
                    color: Style.accentInk
                }
            }
            Paragraph {
                id: words
                width: Math.min(Math.ceil(implicitWidth), banner.most - (face.visible ? face.width + row.spacing : 0))
                anchors.verticalCenter: parent.verticalCenter
                text: end.text
                size: Style.title
                font.weight: Style.weightHeavy
                color: end.won ? Style.accentInk : Style.ink
                maximumLineCount: 2
                elide: Text.ElideRight
                lineHeight: 1
                Accessible.ignored: true
            }
        }
        NumberAnimation on scale {
            running: !Style.reduced
            from: 0.7
            to: 1
            duration: Style.ms(260)
            easing.type: Easing.OutBack
        }
        NumberAnimation on opacity {
            running: !Style.still
            from: 0
            to: 1
            duration: Style.fade(140)
        }
    }
}
