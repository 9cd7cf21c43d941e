// Shown while a table is being joined, which the user can break off.
import QtQuick
import "../Style"
import "../Parts"

Sheet {
    id: sheet

    property string name
    signal givenUp()

    title: name !== "" ? qsTr("Joining %1…").arg("\u2068" + name + "\u2069") : qsTr("Joining the table…")
    text: qsTr("The two computers are connecting.")
    staysOpen: true
    wide: 380
    first: cancel

    Item {
        width: parent.width
        height: Style.size(72)
        FourSigns {
            id: signs
            anchors.centerIn: parent
            width: Style.size(56)
            height: width
            colors: Style.sign
            RotationAnimation on rotation {
                running: sheet.opened && !Style.reduced && !Style.still
                from: 0
                to: 360
                duration: 2400
                loops: Style.repeats
            }
        }
    }
    actions: [
        PushButton {
            id: cancel
            objectName: "cancelJoin"
            text: qsTr("Cancel")
            onClicked: sheet.givenUp()
            Keys.onEscapePressed: sheet.givenUp()
        }
    ]
}
