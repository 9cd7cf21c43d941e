// A label and its control: on the right, or below if there is no room.
import QtQuick
import "../Style"
import "../Parts"

Item {
    id: setting

    property string title
    /// What is wrong with the value, shown below it.
    property string fault
    default property alias content: place.data
    /// The width that the label leaves for the control.
    readonly property real room: width - name.implicitWidth - Style.gap3

    readonly property bool stacked: place.width > room

    readonly property real lines: stacked ? name.implicitHeight + Style.gap1 + place.height : Math.max(Style.target, place.height)
    implicitHeight: lines + (fault === "" ? 0 : told.height + Style.gap1)

    Line {
        id: name
        width: parent.width - (setting.stacked ? 0 : place.width + Style.gap3)
        y: setting.stacked ? 0 : (setting.lines - height) / 2
        text: setting.title
        strong: true
        Accessible.ignored: true
    }
    Item {
        id: place
        anchors.right: parent.right
        y: setting.stacked ? setting.lines - height : 0
        width: childrenRect.width
        height: childrenRect.height
    }
    Paragraph {
        id: told
        visible: text !== ""
        y: parent.height - height
        width: parent.width
        text: setting.fault
        size: Style.small
        color: Style.danger
    }
}
