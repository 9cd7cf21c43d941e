// A rule set that the player has saved: to choose, to rename, to delete.
import QtQuick
import "../Style"
import "../Parts"

Item {
    id: saved

    required property var model
    property bool chosen: false
    signal clicked()
    signal renamed()
    signal deleted()

    implicitHeight: row.implicitHeight

    PresetRow {
        id: row
        objectName: "saved-" + saved.model.id
        width: parent.width - menu.width
        model: saved.model
        chosen: saved.chosen
        onClicked: saved.clicked()
    }
    MenuButton {
        id: menu
        objectName: "savedMenu"
        anchors.right: parent.right
        y: Style.gap1
        label: qsTr("What to do with the rules %1").arg("\u2068" + saved.model.name + "\u2069")
        entries: [
            { text: qsTr("Rename"), symbol: "sort", danger: false, act: () => saved.renamed() },
            { text: qsTr("Delete"), symbol: "trash", danger: true, act: () => saved.deleted() }
        ]
    }
}
