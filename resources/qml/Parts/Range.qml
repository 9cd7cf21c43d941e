// A slider.
import QtQuick
import QtQuick.Templates as T
import "../Style"

T.Slider {
    id: range

    property string label
    property var words: value => String(Math.round(value * 100) / 100)

    implicitWidth: 220
    implicitHeight: Style.target
    leftPadding: Style.size(11)
    rightPadding: Style.size(11)
    focusPolicy: Qt.StrongFocus
    activeFocusOnTab: true
    Accessible.role: Accessible.Slider
    Accessible.name: label !== "" ? label + ": " + words(value) : words(value)

    background: Item {
        Rectangle {
            x: range.leftPadding
            y: (range.height - height) / 2
            width: range.availableWidth
            height: Style.gap1 + 2
            radius: height / 2
            color: Style.line
            Rectangle {
                width: parent.width * range.visualPosition
                height: parent.height
                radius: parent.radius
                color: Style.accent
            }
        }
    }
    handle: Rectangle {
        x: range.leftPadding + range.visualPosition * range.availableWidth - width / 2
        y: (range.height - height) / 2
        width: Style.size(22)
        height: width
        radius: width / 2
        antialiasing: true
        color: Style.raised
        border.width: 3
        border.color: Style.accent
        FocusRing { shown: range.visualFocus; around: parent.radius }
    }
}
