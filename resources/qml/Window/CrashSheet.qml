// A mistake of the program: an explanation, and the report to copy.
import QtQuick
import QtQuick.Templates as T
import "../Style"
import "../Parts"

Sheet {
    id: sheet

    property string report
    signal copied()
    signal dismissed()

    objectName: "crashSheet"
    title: qsTr("Something went wrong in LanUNO")
    text: qsTr("This is our mistake, not yours. The program continues if it can, and everything played so far is saved. This report helps to find the mistake; it contains nothing secret.")
    wide: 640
    staysOpen: true
    onReportChanged: report !== "" ? open() : close()
    first: copy

    Rectangle {
        width: parent.width
        height: Style.size(220)
        radius: Style.radius2
        color: Style.sunken
        border.width: Style.hair
        border.color: Style.line
        Flickable {
            id: flick
            anchors.fill: parent
            anchors.margins: Style.gap2
            clip: true
            contentWidth: Math.max(width, words.implicitWidth)
            contentHeight: words.implicitHeight
            boundsBehavior: Flickable.StopAtBounds
            T.ScrollBar.vertical: ThinBar {}
            T.ScrollBar.horizontal: ThinBar {}
            TextEdit {
                id: words
                objectName: "report"
                readOnly: true
                selectByMouse: true
                activeFocusOnTab: true
                text: sheet.report
                textFormat: TextEdit.PlainText
                color: Style.ink
                selectionColor: Style.accent
                selectedTextColor: Style.accentInk
                font.family: "monospace"
                font.pixelSize: Style.tiny
                Accessible.role: Accessible.EditableText
                Accessible.readOnly: true
                Accessible.name: qsTr("Report")
                KeyNavigation.tab: copy
            }
        }
        FocusRing { shown: words.activeFocus; around: Style.radius2 }
    }
    actions: [
        PushButton {
            objectName: "dismissCrash"
            text: qsTr("Close")
            onClicked: sheet.dismissed()
        },
        PushButton {
            id: copy
            objectName: "copyCrash"
            kind: "primary"
            symbol: "copy"
            text: qsTr("Copy the report")
            onClicked: sheet.copied()
        }
    ]
}
