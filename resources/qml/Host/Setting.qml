// A label and its control: on the right, or below if there is no room.
import QtQuick
import "../Style"
import "../Parts"

Item {
    id: setting

    property string title
    default property alias content: place.data
    /// The width that the label leaves for the control.
    readonly property real room: width - name.implicitWidth - Style.gap3

    readonly property bool stacked: place.width > room

    implicitHeight: stacked ? name.implicitHeight + Style.gap1 + place.height : Math.max(Style.target, place.height)

    Line {
        id: name
        width: parent.width - (setting.stacked ? 0 : place.width + Style.gap3)
        y: setting.stacked ? 0 : (parent.height - height) / 2
        text: setting.title
        strong: true
        Accessible.ignored: true
    }
    Item {
        id: place
        anchors.right: parent.right
        anchors.bottom: setting.stacked ? parent.bottom : undefined
        width: childrenRect.width
        height: childrenRect.height
    }
}
