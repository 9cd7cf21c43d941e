// A whole number with a button on either side.
import QtQuick
import QtQuick.Templates as T
import "../Style"

T.SpinBox {
    id: stepper

    property string label
    /// Returns the text of a value.
    property var words: value => String(value)

    // Wide enough for the text of the lowest value, which may be a sentence that means "none".
    implicitWidth: Style.target * 2 + Math.max(Style.size(76), Math.ceil(least.advanceWidth) + Style.gap2)
    implicitHeight: Style.target
    leftPadding: Style.target
    rightPadding: Style.target
    focusPolicy: Qt.StrongFocus
    activeFocusOnTab: true
    textFromValue: (value, locale) => words(value)
    // The text in the middle is not a separate tab stop.
    Component.onCompleted: contentItem.activeFocusOnTab = false
    Accessible.role: Accessible.SpinBox
    Accessible.name: label !== "" ? label + ": " + words(value) : words(value)

    contentItem: Line {
        text: stepper.words(stepper.value)
        horizontalAlignment: Text.AlignHCenter
        strong: true
        fontSizeMode: Text.HorizontalFit
        minimumPixelSize: Style.small
        color: stepper.enabled ? Style.ink : Style.inkOff
    }
    TextMetrics {
        id: least
        font: stepper.contentItem.font
        text: stepper.words(stepper.from)
    }
    component Side: Rectangle {
        id: side
        property string symbol
        property bool pressed: false
        property bool hovered: false
        property bool possible: true
        width: Style.target
        height: stepper.height
        radius: Style.radius2
        color: pressed ? Style.alpha(Style.ink, 0.16) : hovered && possible ? Style.alpha(Style.ink, 0.08) : "transparent"
        Icon {
            anchors.centerIn: parent
            name: side.symbol
            width: Style.size(18)
            height: width
            color: side.possible && stepper.enabled ? Style.ink : Style.inkOff
        }
    }
    down.indicator: Side {
        symbol: "minus"
        pressed: stepper.down.pressed
        hovered: stepper.down.hovered
        possible: stepper.value > stepper.from
    }
    up.indicator: Side {
        x: stepper.width - width
        symbol: "plus"
        pressed: stepper.up.pressed
        hovered: stepper.up.hovered
        possible: stepper.value < stepper.to
    }
    background: Rectangle {
        radius: Style.radius2
        antialiasing: true
        color: Style.raised
        border.width: Style.hair
        border.color: stepper.enabled ? Style.edge : Style.line
        FocusRing { shown: stepper.visualFocus || stepper.activeFocus; around: Style.radius2 }
    }
}
