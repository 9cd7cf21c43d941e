// One of the four colour signs (0 to 3): gem, sun, leaf, drop. Filled with the given colour.
import QtQuick
import QtQuick.Shapes
import "../Style"
import "../../art/glyphs.js" as Glyphs

Item {
    id: sign

    property int kind: 0
    property color color: kind >= 0 ? Style.sign[kind] : Style.ink
    property color border: "transparent"
    property real borderWidth: 0
    readonly property real side: Math.min(width, height)

    implicitWidth: Style.gap5
    implicitHeight: Style.gap5
    visible: kind >= 0

    Drawing {
        width: parent.width
        height: parent.height
        ShapePath {
            strokeWidth: sign.borderWidth > 0 ? sign.borderWidth : -1
            strokeColor: sign.border
            fillColor: sign.color
            joinStyle: ShapePath.RoundJoin
            scale: Qt.size(sign.side / 100, sign.side / 100)
            PathSvg { path: sign.kind >= 0 ? Glyphs.signs[sign.kind] : "" }
        }
    }
}
