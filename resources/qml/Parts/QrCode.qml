// A QR code from rows of truth values: always dark on white, with a quiet zone of four modules.
import QtQuick
import QtQuick.Shapes
import "../Style"

Rectangle {
    id: qr

    /// One element per line of modules: bools, or a string of "0" and "1".
    property var matrix: []
    property string label
    readonly property int modules: matrix.length + 8
    readonly property int unit: Math.max(1, Math.floor(Math.min(width, height) / modules))

    implicitWidth: 180
    implicitHeight: 180
    color: Style.printPaper
    radius: Style.radius1
    Accessible.role: Accessible.Graphic
    Accessible.name: label

    function dark(x: int, y: int): bool {
        const module = matrix[y][x]
        return module === true || module === "1"
    }
    function outline(): string {
        let path = ""
        for (let y = 0; y < matrix.length; y++)
            for (let x = 0; x < matrix[y].length; x++)
                if (dark(x, y)) {
                    let end = x
                    while (end < matrix[y].length && dark(end, y))
                        end++
                    path += "M" + x * unit + " " + y * unit + "h" + (end - x) * unit + "v" + unit + "h" + (x - end) * unit + "z"
                    x = end
                }
        return path
    }
    Drawing {
        shown: qr.matrix.length > 0
        preferredRendererType: Shape.GeometryRenderer
        width: qr.matrix.length * qr.unit
        height: width
        x: Math.round((qr.width - width) / 2)
        y: Math.round((qr.height - height) / 2)
        ShapePath {
            strokeWidth: -1
            fillColor: Style.printInk
            PathSvg { path: qr.outline() }
        }
    }
}
