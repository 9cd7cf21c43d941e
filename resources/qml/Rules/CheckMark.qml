// How a rule is checked, as an icon: "live", "audit" or "agreement"; "note" for a text that is no
// rule.
import QtQuick
import "../Style"
import "../Parts"

Rectangle {
    id: mark

    property string kind

    readonly property var looks: ({
        live: [Style.goodSoft, Style.goodSoftInk, "check"],
        audit: [Style.accentSoft, Style.accentSoftInk, "shield"],
        agreement: [Style.warnSoft, Style.warnSoftInk, "people"],
        note: [Style.sunken, Style.inkSoft, "info"]
    })
    readonly property var look: looks[kind] ?? looks.live

    implicitWidth: Style.size(26)
    implicitHeight: Style.size(26)
    radius: Style.radius1
    antialiasing: true
    color: look[0]
    Accessible.ignored: true

    Icon {
        anchors.centerIn: parent
        name: mark.look[2]
        color: mark.look[1]
        width: parent.width * 0.66
        height: width
        weight: 2.4
    }
}
