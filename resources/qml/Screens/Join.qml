// Joining a table that is not in the list, by its link, its code or its address.
import QtQuick
import "../Style"
import "../Parts"
import "../Join"

FocusScope {
    id: screen

    readonly property var join: app.join
    readonly property Item firstFocus: field.input
    readonly property real edge: width >= 1360 ? Style.gap6 : Style.gap5
    /// With little height, all of the form is shown at once if possible, without its heading.
    readonly property bool low: height < Style.size(620)
    readonly property real gap: low ? Style.gap3 : Style.gap5

    Backdrop { anchors.fill: parent }

    TopBar {
        id: bar
        x: screen.edge
        y: Style.gap4
        width: parent.width - 2 * x
        title: qsTr("Join by link or code")
        onBack: app.back()
    }

    ScrollArea {
        id: area
        objectName: "area"
        anchors.top: bar.bottom
        anchors.topMargin: Style.gap3
        anchors.bottom: parent.bottom
        anchors.horizontalCenter: parent.horizontalCenter
        width: Math.min(parent.width, Style.size(1060) + 2 * padding)
        padding: screen.gap

        Item {
            width: parent.width
            readonly property bool stacked: width < Style.size(680)
            readonly property real room: area.height - 2 * area.padding - screen.gap
            height: Math.max(room, stacked ? form.height + Style.gap5 + ways.height : Math.max(form.y + form.height, ways.height))

            Panel {
                id: form
                // What is said of the table stands beside the fields, and does not move them.
                readonly property real fixed: height - (busy.visible ? busy.height + column.spacing : 0)
                y: parent.stacked ? 0 : Math.max(0, (parent.room - fixed) / 2)
                width: Math.round(parent.width * (parent.stacked ? 1 : 0.56))
                height: column.height + 2 * column.y
                radius: Style.radius4
                shadow: true

                Column {
                    id: column
                    x: Style.gap5
                    y: screen.gap
                    width: parent.width - 2 * x
                    spacing: Math.min(screen.gap, Style.gap4)

                    Paragraph {
                        visible: !screen.low
                        width: parent.width
                        text: qsTr("Where is the table?")
                        size: Style.head
                        font.weight: Style.weightHeavy
                        lineHeight: 1
                        Accessible.role: Accessible.Heading
                        Accessible.name: text
                    }
                    Item {
                        width: parent.width
                        height: field.height
                        Field {
                            id: field
                            objectName: "where"
                            width: parent.width - paste.width - Style.gap2
                            label: qsTr("Link, code or address")
                            placeholder: "lanuno://…"
                            text: screen.join.text
                            fault: screen.join.problem
                            room: 2
                            inputMethodHints: Qt.ImhNoPredictiveText | Qt.ImhNoAutoUppercase
                            input.enabled: !screen.join.busy
                            onEdited: text => screen.join.text = text
                            onAccepted: screen.sitDown()
                        }
                        PushButton {
                            id: paste
                            objectName: "paste"
                            anchors.right: parent.right
                            y: field.input.y + (field.input.height - height) / 2
                            symbol: "copy"
                            text: qsTr("Paste")
                            enabled: !screen.join.busy
                            onClicked: screen.join.paste()
                        }
                    }
                    Field {
                        id: pin
                        objectName: "pin"
                        width: Math.min(parent.width, Style.size(240))
                        label: qsTr("PIN, if the table has one")
                        room: 2
                        hint: screen.join.pinKnown && screen.join.pin === "" ? qsTr("The PIN that you gave this table before is used.") : ""
                        fault: screen.join.pinWanted && !screen.join.busy ? screen.join.error : ""
                        text: screen.join.pin
                        maximumLength: 32
                        inputMethodHints: Qt.ImhNoPredictiveText | Qt.ImhNoAutoUppercase
                        input.enabled: !screen.join.busy
                        onEdited: text => screen.join.pin = text
                        onAccepted: screen.sitDown()
                    }
                    Flow {
                        width: parent.width
                        spacing: Style.gap2
                        PushButton {
                            id: sit
                            objectName: "sitDown"
                            visible: !screen.join.busy
                            kind: "primary"
                            big: true
                            text: qsTr("Join the table")
                            enabled: screen.join.valid
                            onClicked: screen.sitDown()
                        }
                        PushButton {
                            objectName: "watch"
                            visible: !screen.join.busy
                            big: true
                            symbol: "eye"
                            text: qsTr("Only watch")
                            enabled: screen.join.valid
                            onClicked: screen.join.watch()
                        }
                        PushButton {
                            objectName: "cancel"
                            visible: screen.join.busy
                            big: true
                            text: qsTr("Cancel")
                            onClicked: screen.join.cancel()
                        }
                    }
                    Row {
                        id: busy
                        visible: screen.join.busy
                        width: parent.width
                        spacing: Style.gap3
                        FourSigns {
                            id: signs
                            width: Style.size(34)
                            height: width
                            colors: Style.sign
                            anchors.verticalCenter: parent.verticalCenter
                            RotationAnimation on rotation {
                                running: signs.visible && !Style.reduced && !Style.still
                                from: 0
                                to: 360
                                duration: 2400
                                loops: Style.repeats
                            }
                        }
                        Paragraph {
                            width: parent.width - signs.width - Style.gap3
                            anchors.verticalCenter: parent.verticalCenter
                            text: qsTr("Looking for the table and taking a seat…")
                            Accessible.role: Accessible.StaticText
                            Accessible.name: text
                        }
                    }
                }
            }

            Column {
                id: ways
                x: parent.stacked ? Style.gap5 : form.width + Style.gap6
                y: parent.stacked ? form.height + Style.gap5 : (parent.height - height) / 2
                width: parent.width - x
                spacing: Style.gap5

                Notice {
                    objectName: "error"
                    visible: screen.join.error !== "" && !screen.join.busy && !screen.join.pinWanted
                    // It gets its place and height only after it has become visible.
                    readonly property real end: visible ? ways.y + y + height : 0
                    onEndChanged: if (visible) Qt.callLater(area.reveal, this)
                    width: parent.width
                    mood: "danger"
                    text: screen.join.error
                }
                Whereabouts {
                    objectName: "whereabouts"
                    visible: screen.join.valid
                    width: parent.width
                    near: screen.join.where.near ?? ""
                    mood: screen.join.where.mood ?? "good"
                    address: screen.join.where.address ?? ""
                    table: screen.join.where.table ?? ""
                    host: screen.join.where.host ?? ""
                    Accessible.role: Accessible.StaticText
                    Accessible.name: [near, address, table, host].join(" ")
                }
                WayIn {
                    visible: !screen.join.valid
                    width: parent.width
                    symbol: "link"
                    title: qsTr("A link")
                    text: qsTr("The host can copy it in the waiting room and send it to you.")
                    sample: "lanuno://…"
                }
                WayIn {
                    visible: !screen.join.valid
                    width: parent.width
                    symbol: "chat"
                    title: qsTr("A code")
                    text: qsTr("Short enough to say aloud.")
                    sample: "R2M-025-025"
                }
                WayIn {
                    visible: !screen.join.valid
                    width: parent.width
                    symbol: "network"
                    title: qsTr("An address")
                    text: qsTr("The number of the other computer on this network.")
                    sample: "192.168.1.20:47474"
                }
            }
        }
    }

    function sitDown(): void {
        if (join.valid && !join.busy)
            join.join()
    }
}
