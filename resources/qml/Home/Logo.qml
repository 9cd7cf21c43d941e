// The name of the game, with its sign.
import QtQuick
import "../Style"
import "../Parts"

Row {
    id: logo

    property real size: Style.display

    spacing: Style.gap3
    Accessible.role: Accessible.Heading
    Accessible.name: "LanUNO"

    FourSigns {
        width: logo.size * 1.16
        height: width
        anchors.verticalCenter: parent.verticalCenter
        colors: Style.sign
    }
    Line {
        text: "LanUNO"
        size: logo.size
        heavy: true
        anchors.verticalCenter: parent.verticalCenter
        Accessible.ignored: true
    }
}
