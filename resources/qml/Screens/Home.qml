import QtQuick
import "../Style"

Item {
    Text {
        anchors.centerIn: parent
        text: "LanUNO"
        color: Style.ink
        font { family: Style.family; pixelSize: Style.display; weight: Style.weightHeavy }
    }
}
