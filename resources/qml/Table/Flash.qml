// A short word over a seat ("UNO!", "skipped"), which disappears after a moment.
import QtQuick
import "../Style"
import "../Parts"

Item {
    id: flash
    objectName: "flash"

    property string symbol
    property string text
    /// The `mood` of a Badge.
    property string mood: "loud"
    property real lasts: 1100

    readonly property alias wide: pill.width
    readonly property alias high: pill.height
    /// Move the middle of the word here.
    function put(at: point): void {
        x = at.x
        y = at.y
    }
    /// The place of the word, in the coordinates of the parent.
    function place(): rect { return Qt.rect(x - wide / 2, y - high / 2, wide, high) }

    width: 0
    height: 0
    Accessible.ignored: true

    Badge {
        id: pill
        x: -width / 2
        y: -height / 2
        symbol: flash.symbol
        text: flash.text
        mood: flash.mood
        size: Style.lead
        SoftShadow { radius: parent.radius; spread: 8 }
    }
    SequentialAnimation {
        running: true
        ParallelAnimation {
            NumberAnimation { target: pill; property: "opacity"; from: 0; to: 1; duration: Style.fade(120) }
            NumberAnimation { target: pill; property: "scale"; from: Style.reduced ? 1 : 0.6; to: 1; duration: Style.ms(180); easing.type: Easing.OutBack }
        }
        PauseAnimation { duration: flash.lasts }
        NumberAnimation { target: pill; property: "opacity"; to: 0; duration: Style.fade(200) }
        ScriptAction { script: flash.destroy() }
    }
}
