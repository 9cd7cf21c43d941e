// Shown while no table is found: what the app is doing, possible causes, and other ways to a table.
import QtQuick
import "../Style"
import "../Parts"

Column {
    id: searching

    property bool looking: true
    property string status
    property string blocked
    /// Little room: only the words.
    property bool tight: false
    /// The status is one line, not an explanation.
    readonly property bool short: status.length < 60
    signal hosted()
    signal retried()

    spacing: Style.gap3

    Item {
        width: parent.width
        height: Style.size(84)
        visible: searching.blocked === "" && !searching.tight
        Repeater {
            model: 3
            Rectangle {
                id: wave
                required property int index
                /// The phase at which it stops after the animation.
                readonly property real rest: 0.25 + 0.33 * index
                property real phase: rest
                anchors.centerIn: parent
                width: Style.size(40) + Style.size(60) * phase
                height: width
                radius: width / 2
                antialiasing: true
                color: "transparent"
                border.width: 2
                border.color: Style.alpha(Style.accent, 0.55 * (1 - phase))
                SequentialAnimation on phase {
                    running: searching.looking && searching.visible && !Style.reduced && !Style.still
                    SequentialAnimation {
                        loops: 2
                        PauseAnimation { duration: 900 * wave.index }
                        NumberAnimation { from: 0; to: 1; duration: 2700 }
                        PauseAnimation { duration: 900 * (2 - wave.index) }
                    }
                    NumberAnimation { from: 0; to: wave.rest; duration: 900 }
                }
            }
        }
        FourSigns {
            anchors.centerIn: parent
            width: Style.size(44)
            height: width
            colors: Style.sign
        }
    }
    Paragraph {
        visible: text !== ""
        width: parent.width
        horizontalAlignment: Text.AlignHCenter
        text: searching.status
        strong: searching.short
        size: searching.short ? Style.lead : Style.body
    }
    Paragraph {
        visible: searching.blocked === "" && searching.short && !searching.tight
        width: parent.width
        horizontalAlignment: Text.AlignHCenter
        text: qsTr("As soon as somebody on this network opens a table, it appears here.")
        soft: true
    }
    Notice {
        objectName: "blocked"
        visible: searching.blocked !== ""
        width: parent.width
        mood: "warn"
        symbol: "offline"
        text: searching.blocked
        actions: [
            PushButton {
                objectName: "retry"
                text: qsTr("Look again")
                symbol: "refresh"
                onClicked: searching.retried()
            }
        ]
    }
    PushButton {
        objectName: "hostYourself"
        anchors.horizontalCenter: parent.horizontalCenter
        text: qsTr("Host one yourself")
        symbol: "plus"
        onClicked: searching.hosted()
    }
}
