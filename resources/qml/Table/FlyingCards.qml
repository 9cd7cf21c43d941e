// Cards in the air: between two places of the scene, turning over on the way if they must. Only
// drawings: the models have changed already.
import QtQuick
import "../Style"
import "../Parts"

Item {
    id: air

    /// How many are in the air.
    property int flying: 0

    /// One card from here to there, both in scene coordinates; `landed` is called at the end.
    function fly(face: var, from: rect, to: rect, shownAtStart: bool, shownAtEnd: bool, delay: int, landed: var): void {
        if (Style.reduced || from.width <= 0 || to.width <= 0) {
            if (landed)
                landed()
            return
        }
        const origin = mapFromItem(null, from.x, from.y)
        const end = mapFromItem(null, to.x, to.y)
        flying += 1
        flight.createObject(air, {
            face: face, x: origin.x, y: origin.y, width: from.width, height: from.width * CardStyle.ratio,
            endX: end.x, endY: end.y, endWidth: to.width, faceUp: shownAtStart, endUp: shownAtEnd,
            delay: delay, landed: landed
        })
    }
    /// The state is shown as it is: nothing may be in the air any more.
    function clear(): void {
        for (const one of children)
            if (one.finish)
                one.finish()
    }

    Component {
        id: flight
        Card {
            id: card
            property var face
            property real endX
            property real endY
            property real endWidth
            property bool endUp
            property int delay
            property var landed
            property bool done: false

            function finish(): void {
                if (done)
                    return
                done = true
                motion.stop()
                air.flying -= 1
                if (landed)
                    landed()
                destroy()
            }

            colour: face.colour < -1 ? -1 : face.colour
            rank: face.rank < 0 ? 0 : face.rank
            height: width * CardStyle.ratio
            visible: delay <= 0 || motion.under
            SequentialAnimation {
                id: motion
                property bool under: false
                running: true
                PauseAnimation { duration: card.delay }
                ScriptAction { script: { motion.under = true; card.faceUp = card.endUp } }
                ParallelAnimation {
                    NumberAnimation { target: card; property: "x"; to: card.endX; duration: Style.play; easing.type: Easing.InOutCubic }
                    NumberAnimation { target: card; property: "y"; to: card.endY; duration: Style.play; easing.type: Easing.InOutCubic }
                    NumberAnimation { target: card; property: "width"; to: card.endWidth; duration: Style.play; easing.type: Easing.InOutCubic }
                }
                ScriptAction { script: card.finish() }
            }
        }
    }
}
