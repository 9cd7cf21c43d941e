// Asks about a link that another program has handed over, before anything is sent to it. No key and
// no click answers before the text can have been read, and only the buttons or Esc do.
import QtQuick
import "../Style"
import "../Parts"
import "../Join"

Sheet {
    id: sheet

    property bool asking: false
    property bool ready: false
    property alias table: where.table
    property alias host: where.host
    property alias address: where.address
    property alias near: where.near
    property alias mood: where.mood
    signal accepted()
    signal declined()

    objectName: "linkSheet"
    title: qsTr("Join the table of this link?")
    text: qsTr("Another program asks LanUNO to open it. Nothing has been sent there yet.")
    wide: 520
    staysOpen: true
    first: facts
    onAskingChanged: asking ? open() : close()
    onEscaped: declined()

    FocusScope {
        id: facts
        objectName: "linkFacts"
        width: parent.width
        height: where.height + 2 * Style.gap2
        activeFocusOnTab: true
        Accessible.role: Accessible.StaticText
        Accessible.focusable: true
        Accessible.name: [sheet.near, sheet.address, sheet.table, sheet.host].join(" ")

        Whereabouts {
            id: where
            x: Style.gap2
            y: Style.gap2
            width: parent.width - 2 * x
        }
        // Inside, because a scrolling item clips what is around it.
        Item {
            anchors.fill: parent
            anchors.margins: Style.gap1
            FocusRing { shown: facts.activeFocus; around: Style.radius3 }
        }
    }
    actions: [
        PushButton {
            objectName: "followLink"
            kind: "primary"
            symbol: "link"
            text: qsTr("Join")
            enabled: sheet.ready
            onClicked: sheet.accepted()
        },
        PushButton {
            objectName: "forgetLink"
            text: qsTr("Cancel")
            enabled: sheet.ready
            onClicked: sheet.declined()
        }
    ]
}
