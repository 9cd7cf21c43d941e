// Cards in flight between two places of the scene, turning over on the way if necessary. These are
// only drawings: the models have changed already.
import QtQuick
import "../Style"
import "../Parts"

Item {
    id: air

    /// The number of cards in flight.
    property int flying: 0

    /// Fly one card between two places in scene coordinates, then call `landed`. A card whose face
    /// is never visible is drawn in the cheapest way.
    function fly(face: var, from: rect, to: rect, shownAtStart: bool, shownAtEnd: bool, delay: int, landed: var): void {
        if (Style.reduced || from.width <= 0 || to.width <= 0) {
            if (landed)
                landed()
            return
        }
        const origin = mapFromItem(null, from.x, from.y)
        const end = mapFromItem(null, to.x, to.y)
        const values = {
            x: origin.x, y: origin.y, width: from.width,
            endX: end.x, endY: end.y, endWidth: to.width, delay: delay, landed: landed
        }
        flying += 1
        if (shownAtStart || shownAtEnd) {
            values.face = face
            values.faceUp = shownAtStart
            values.endUp = shownAtEnd
            open.createObject(air, values)
        } else {
            closed.createObject(air, values)
        }
    }
    /// End all flights, because the new state is shown without animations.
    function clear(): void {
        for (const one of [...children])
            if (one.finish)
                one.finish()
    }

    component Flight: SequentialAnimation {
        id: motion
        property Item card
        property bool begun: false
        property bool done: false

        function finish(): void {
            if (done)
                return
            done = true
            stop()
            air.flying -= 1
            const landed = card.landed
            card.visible = false
            card.destroy()
            if (landed)
                landed()
        }
        running: true
        PauseAnimation { duration: motion.card.delay }
        ScriptAction { script: { motion.begun = true; motion.card.faceUp = motion.card.endUp } }
        ParallelAnimation {
            NumberAnimation { target: motion.card; property: "x"; to: motion.card.endX; duration: Style.play; easing.type: Easing.InOutCubic }
            NumberAnimation { target: motion.card; property: "y"; to: motion.card.endY; duration: Style.play; easing.type: Easing.InOutCubic }
            NumberAnimation { target: motion.card; property: "width"; to: motion.card.endWidth; duration: Style.play; easing.type: Easing.InOutCubic }
        }
        ScriptAction { script: motion.finish() }
    }

    Component {
        id: open
        Card {
            id: card
            property var face
            property real endX
            property real endY
            property real endWidth
            property bool endUp
            property int delay
            property var landed
            function finish(): void { way.finish() }

            colour: face.colour < -1 ? -1 : face.colour
            rank: face.rank < 0 ? 0 : face.rank
            height: width * CardStyle.ratio
            visible: way.begun || delay <= 0
            Flight { id: way; card: card }
        }
    }
    Component {
        id: closed
        Rectangle {
            id: back
            property real endX
            property real endY
            property real endWidth
            property bool faceUp: false
            readonly property bool endUp: false
            property int delay
            property var landed
            function finish(): void { path.finish() }

            height: width * CardStyle.ratio
            radius: width * 0.1
            antialiasing: true
            color: CardStyle.backBody
            border.width: Math.max(1, width * 0.03)
            border.color: CardStyle.backEdge
            visible: path.begun || delay <= 0
            FourSigns {
                anchors.centerIn: parent
                width: parent.width * 0.5
                height: width
                colors: [CardStyle.backMark, CardStyle.backMark, CardStyle.backMark, CardStyle.backMark]
            }
            Flight { id: path; card: back }
        }
    }
}
