// Shows messages for a few seconds each, one after another. Clicks pass through it.
import QtQuick
import "../Style"

Item {
    id: toast

    property var waiting: []
    property string text
    property string mood: "plain"
    property int lasts: 3500

    function say(words: string, kind: string): void {
        if (text === "" ) {
            mood = kind || "plain"
            text = words
            clock.restart()
        } else if (words !== text) {
            waiting = waiting.concat([{words: words, kind: kind || "plain"}]).slice(-4)
        }
    }

    implicitHeight: bubble.height
    visible: text !== ""

    Timer {
        id: clock
        interval: toast.waiting.length > 0 ? toast.lasts / 2 : toast.lasts
        onTriggered: {
            const next = toast.waiting.length > 0 ? toast.waiting[0] : null
            toast.waiting = toast.waiting.slice(1)
            toast.mood = next ? next.kind : "plain"
            toast.text = next ? next.words : ""
            if (next)
                restart()
        }
    }
    Rectangle {
        id: bubble
        readonly property color words: toast.mood === "danger" ? Style.dangerSoftInk : toast.mood === "good" ? Style.goodSoftInk : Style.ground
        width: Math.min(toast.width, row.implicitWidth + 2 * Style.gap4)
        height: row.height + 2 * Style.gap3
        anchors.horizontalCenter: parent.horizontalCenter
        radius: Style.radius3
        antialiasing: true
        color: toast.mood === "danger" ? Style.dangerSoft : toast.mood === "good" ? Style.goodSoft : Style.ink
        Accessible.role: Accessible.AlertMessage
        Accessible.name: toast.text
        SoftShadow { radius: parent.radius }
        Row {
            id: row
            anchors.centerIn: parent
            spacing: Style.gap2
            Icon {
                visible: toast.mood !== "plain"
                name: toast.mood === "danger" ? "warn" : toast.mood === "good" ? "check" : ""
                color: bubble.words
                anchors.verticalCenter: parent.verticalCenter
            }
            Paragraph {
                text: toast.text
                color: bubble.words
                strong: true
                width: Math.min(implicitWidth, toast.width - 2 * Style.gap4 - (toast.mood !== "plain" ? Style.gap6 : 0))
            }
        }
    }
}
