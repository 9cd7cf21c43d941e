// How to invite people: the QR code for a phone's camera, the code to read aloud, the link to send.
import QtQuick
import "../Style"
import "../Parts"

Panel {
    id: invitation

    property string link
    property string code
    property var qr: []
    property bool locked: false
    property real picture: Style.gap7 * 3
    /// Pixels per module: enough for a camera across the table.
    readonly property int module: width >= Style.size(360) ? 3 : 2
    signal linkCopied()
    signal codeCopied()

    implicitHeight: Math.max(words.height, matrix.visible ? matrix.height : 0) + 2 * Style.gap3

    QrCode {
        id: matrix
        objectName: "qr"
        visible: invitation.qr.length > 0
        x: Style.gap3
        anchors.verticalCenter: parent.verticalCenter
        width: Math.max(invitation.picture, (invitation.qr.length + 8) * invitation.module)
        height: width
        matrix: invitation.qr
        label: qsTr("Link to this table as a QR code")
    }
    Column {
        id: words
        x: matrix.visible ? matrix.x + matrix.width + Style.gap4 : Style.gap4
        width: parent.width - x - Style.gap3
        anchors.verticalCenter: parent.verticalCenter
        spacing: Style.gap2
        Paragraph {
            width: parent.width
            text: invitation.locked ? qsTr("On this network everybody sees the table; players need the PIN to join.")
                : qsTr("On this network everybody sees the table. To invite others:")
            size: Style.small
            soft: true
        }
        Line {
            objectName: "code"
            visible: text !== ""
            width: parent.width
            text: invitation.code
            size: Style.title
            heavy: true
            font.letterSpacing: 1
            Accessible.role: Accessible.StaticText
            Accessible.name: qsTr("Code: %1").arg(invitation.code)
        }
        Flow {
            width: parent.width
            spacing: Style.gap1
            PushButton {
                objectName: "copyCode"
                visible: invitation.code !== ""
                symbol: "copy"
                text: qsTr("Copy code")
                onClicked: invitation.codeCopied()
            }
            PushButton {
                objectName: "copyLink"
                symbol: "link"
                text: qsTr("Copy link")
                onClicked: invitation.linkCopied()
            }
        }
    }
}
