// One large number, with its name above and a note below.
import QtQuick
import "../Style"
import "../Parts"

Panel {
    id: tile

    required property string name
    required property string value
    required property string note
    /// Lines reserved for the note: the same in every tile, so that all tiles have the same height.
    property int noteLines: 2
    readonly property alias neededLines: remark.lineCount

    implicitHeight: words.height + 2 * Style.gap3
    height: implicitHeight
    Accessible.role: Accessible.StaticText
    Accessible.name: name + ": " + value
    Accessible.description: note

    Column {
        id: words
        x: Style.gap3
        y: Style.gap3
        width: parent.width - 2 * Style.gap3
        spacing: Style.gap1
        Line {
            width: parent.width
            text: tile.name
            size: Style.small
            strong: true
            soft: true
            Accessible.ignored: true
        }
        Text {
            width: parent.width
            text: tile.value
            textFormat: Text.PlainText
            clip: true
            fontSizeMode: Text.HorizontalFit
            minimumPixelSize: Style.small
            color: Style.ink
            font.family: Style.family
            font.pixelSize: Style.size(22)
            font.weight: Style.weightHeavy
            maximumLineCount: 1
            Accessible.ignored: true
        }
        Paragraph {
            id: remark
            width: parent.width
            height: Math.ceil(Style.small * 1.6) * tile.noteLines
            text: tile.note
            size: Style.small
            soft: true
            Accessible.ignored: true
        }
    }
}
