// Every part in each of its states.
import QtQuick
import "../../../../resources/qml/Style"
import "../../../../resources/qml/Parts"

Rectangle {
    id: scene
    color: Style.ground

    Flow {
        id: left
        x: 20
        y: 20
        width: 600
        spacing: 14

        PushButton { text: "Play again"; kind: "primary"; symbol: "play"; big: true }
        PushButton { text: "Keep it"; shortcut: "K" }
        PushButton { text: "Leave the table"; kind: "danger"; symbol: "exit" }
        PushButton { text: "Cancel"; kind: "plain" }
        PushButton { text: "Not now"; enabled: false }
        PushButton { text: "A button whose words are much too long for it"; width: 200 }
        IconButton { symbol: "chat"; label: "Chat"; count: 3 }
        IconButton { symbol: "sound"; label: "Sound"; checked: true; checkable: true }
        IconButton { symbol: "help"; label: "Help"; loud: true }
        Field { label: "Your name"; text: "Ana"; width: 260 }
        Field { label: "Table PIN"; placeholder: "Four digits"; fault: "This PIN is not the table's."; width: 260 }
        Toggle { text: "Stack +2 on +2"; note: "A player who is hit may pass the sum on."; checked: true; width: 360 }
        Toggle { text: "Off"; width: 200 }
        Choice { model: ["Classic", "Express", "Pairs"]; label: "Game" }
        Choice { model: ["Off"]; enabled: false; width: 150 }
        Stepper { value: 7; from: 2; to: 10; label: "Seats" }
        Range { value: 0.6; label: "Motion" }
        TabStrip { model: ["Scores", "Chart", "Moves"]; current: 1 }
        Row {
            spacing: 8
            Badge { text: "Ready"; mood: "good"; symbol: "check" }
            Badge { text: "Waiting" }
            Badge { text: "UNO"; mood: "loud" }
            Badge { text: "+4 pending"; mood: "danger" }
            Badge { text: "Disconnected 42 s"; mood: "warn"; symbol: "offline" }
            Badge { text: "Dealer"; mood: "accent" }
        }
        Row {
            spacing: 8
            Repeater {
                model: 10
                Avatar { required property int index; colour: index; name: ["Ana", "Łukasz", "Ñusta", "👩‍🚀 Eva", "Bo", "Cleo", "Dan", "李", "", "Z"][index]; bot: index === 4 }
            }
        }
        Notice {
            width: 590
            mood: "warn"
            title: "This table was found, but its computer does not answer"
            text: "A firewall may be blocking port 47474. Allow it there, or ask for the link."
            actions: PushButton { text: "Try again"; symbol: "refresh" }
        }
        Hint { text: "Neither the colour nor the number fits." }
    }
    Column {
        x: 650
        y: 20
        width: 600
        spacing: 14
        ListRow { width: 600; title: "Living room"; subtitle: "Ana hosts · Classic"; leading: Avatar { name: "Ana" } trailing: [Badge { text: "2 of 4"; anchors.verticalCenter: parent.verticalCenter }, Icon { name: "lock"; anchors.verticalCenter: parent.verticalCenter }] }
        ListRow { width: 600; title: "A very long table name that does not fit into its row because somebody liked typing"; subtitle: "chosen"; symbol: "network"; highlighted: true }
        Panel {
            width: 600
            height: 240
            LineChart {
                anchors.fill: parent
                anchors.margins: 12
                target: 500
                series: [
                    { name: "Ana", color: Style.teams[0], values: [45, 45, 190, 260, 260, 402] },
                    { name: "Bo", color: Style.teams[1], values: [0, 82, 82, 82, 204, 204] },
                    { name: "Eva", color: Style.teams[3], values: [0, 0, 0, 12, 12, 12] }
                ]
            }
        }
        Row {
            spacing: 20
            ProgressTicks {
                width: 300
                steps: [
                    { text: "Every shuffle matches what was promised", state: "done" },
                    { text: "Every card came from that deck", state: "done" },
                    { text: "Checking the moves", state: "doing" },
                    { text: "The signatures", state: "waiting" },
                    { text: "A step that failed", state: "failed" }
                ]
            }
            QrCode {
                label: "Link"
                matrix: {
                    const rows = []
                    for (let y = 0; y < 25; y++) {
                        rows.push([])
                        for (let x = 0; x < 25; x++)
                            rows[y].push((x * 7 + y * 13 + x * y) % 3 === 0 || (x < 7 && y < 7))
                    }
                    return rows
                }
            }
        }
        ScrollArea {
            width: 600
            height: 120
            Column {
                width: parent.width
                Repeater { model: 12; Paragraph { required property int index; width: parent.width; text: "Line " + index + " of something longer than its place" } }
            }
        }
    }
    Component.onCompleted: Qt.callLater(() => first.forceActiveFocus(Qt.TabFocusReason))
    PushButton { id: first; x: 20; y: parent.height - 64; text: "With the keyboard here" }
}
