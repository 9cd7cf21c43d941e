// A reaction of a player, beside the seat. It disappears after a moment.
import QtQuick
import "../Style"
import "../Parts"

Item {
    id: reaction

    property int seat: -1
    property string symbol
    property string text
    property real lasts: 1500

    function end(): void {
        life.stop()
        // Without a parent it is not counted any more; `destroy` takes effect only later.
        parent = null
        destroy()
    }

    objectName: "reaction" + seat
    readonly property alias wide: pill.width
    readonly property alias high: pill.height
    /// The place of the reaction, in the coordinates of the parent.
    function place(): rect { return Qt.rect(x - wide / 2, y - high / 2, wide, high) }

    // The app announces it to a screen reader.
    Accessible.ignored: true

    Badge {
        id: pill
        x: -width / 2
        y: -height / 2
        symbol: reaction.symbol
        text: reaction.text
        mood: "accent"
        size: Style.lead
        SoftShadow { radius: parent.radius; spread: 8 }
    }
    SequentialAnimation {
        id: life
        running: true
        ParallelAnimation {
            NumberAnimation { target: pill; property: "opacity"; from: 0; to: 1; duration: Style.fade(120) }
            NumberAnimation { target: pill; property: "scale"; from: Style.reduced ? 1 : 0.5; to: 1; duration: Style.ms(220); easing.type: Easing.OutBack }
        }
        PauseAnimation { duration: reaction.lasts }
        NumberAnimation { target: pill; property: "opacity"; to: 0; duration: Style.fade(260) }
        ScriptAction { script: reaction.end() }
    }
}
