// A short word over a seat ("UNO!", "skipped"), which disappears after a moment.
import QtQuick
import "../Style"
import "../Parts"

Item {
    id: flash

    property string symbol
    property string text
    /// The `mood` of a Badge.
    property string mood: "loud"
    property real lasts: 1100

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
