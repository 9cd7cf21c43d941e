// One finding: a mark, the words, and where it does not hold.
import QtQuick
import "../Style"
import "../Parts"

Item {
    id: finding

    required property var model
    property bool strong: false
    readonly property string detail: model.detail ?? ""
    readonly property string verdict: model.state
    readonly property var mark: verdict === "good" ? ["check", Style.good, Style.goodInk]
        : verdict === "bad" ? ["close", Style.danger, Style.dangerInk]
        : ["minus", Style.warnSoft, Style.warnSoftInk]

    implicitHeight: Math.max(disc.height, words.height)
    Accessible.role: Accessible.StaticText
    Accessible.name: detail === "" ? model.text : model.text.replace(/\.$/, "") + ", " + detail
    Accessible.description: verdict === "good" ? qsTr("right") : verdict === "bad" ? qsTr("wrong")
        : qsTr("could not be checked")

    Rectangle {
        id: disc
        width: Style.size(22)
        height: width
        radius: width / 2
        antialiasing: true
        color: finding.mark[1]
        Icon {
            anchors.fill: parent
            anchors.margins: Style.gap1
            name: finding.mark[0]
            color: finding.mark[2]
            weight: 3.4
        }
    }
    Column {
        id: words
        x: disc.width + Style.gap3
        width: parent.width - x
        Paragraph {
            width: parent.width
            text: finding.model.text
            strong: finding.strong
        }
        Paragraph {
            visible: text !== ""
            width: parent.width
            text: finding.detail
            size: Style.small
            soft: true
        }
    }
}
