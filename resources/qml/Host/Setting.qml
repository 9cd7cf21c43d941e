// A label and, on the right, its control.
import QtQuick
import "../Style"
import "../Parts"

Item {
    id: setting

    property string title
    default property alias content: place.data
    /// The width that the label leaves for the control.
    readonly property real room: width - name.implicitWidth - Style.gap3

    implicitHeight: Math.max(Style.target, place.height)

    Line {
        id: name
        width: parent.width - place.width - Style.gap3
        anchors.verticalCenter: parent.verticalCenter
        text: setting.title
        strong: true
        Accessible.ignored: true
    }
    Item {
        id: place
        anchors.right: parent.right
        width: childrenRect.width
        height: childrenRect.height
    }
}
