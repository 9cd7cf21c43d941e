// A banner at the edge of the table: what waits and what does not, or that the round is void.
import QtQuick
import "../Style"
import "../Parts"

Panel {
    id: notice

    property string symbol: "pause"
    property string text
    /// The action that the player can take, if any.
    property string offer
    /// The greatest height. The text shrinks before it is cut.
    property real most: 200
    /// The height that it needs at least.
    readonly property real least: offer !== "" ? Style.target + 2 * Style.gap1 : Style.length(40)

    signal taken()

    visible: text !== ""
    implicitHeight: Math.min(most, Math.max(least, gauge.implicitHeight + 2 * Style.gap2))
    color: Style.warnSoft
    border.width: 0
    Accessible.role: Accessible.AlertMessage
    Accessible.name: text

    Icon {
        id: sign
        x: Style.gap3
        name: notice.symbol
        color: Style.warnSoftInk
        width: Style.size(24)
        height: width
        anchors.verticalCenter: parent.verticalCenter
    }
    component Words: Paragraph {
        size: Style.small
        strong: true
        lineHeight: 1
        color: Style.warnSoftInk
        width: notice.width - sign.width - 3 * Style.gap3 - (button.visible ? button.width + Style.gap3 : 0)
        text: notice.text
    }
    Words {
        id: gauge
        visible: false
        Accessible.ignored: true
    }
    Words {
        readonly property real space: notice.most - 2 * Style.gap1
        x: sign.x + sign.width + Style.gap3
        height: Math.min(space, gauge.implicitHeight)
        verticalAlignment: Text.AlignVCenter
        anchors.verticalCenter: parent.verticalCenter
        fontSizeMode: gauge.implicitHeight > space ? Text.Fit : Text.FixedSize
        minimumPixelSize: 8
    }
    PushButton {
        id: button
        objectName: "noticeOffer"
        visible: notice.offer !== ""
        anchors.right: parent.right
        anchors.rightMargin: Style.gap3
        anchors.verticalCenter: parent.verticalCenter
        text: notice.offer
        onClicked: notice.taken()
    }
}
