// The name and the key of a button that shows only an icon, while the pointer rests on it or it has
// the keyboard focus.
import QtQuick
import QtQuick.Templates as T
import "../Style"

Loader {
    id: tip

    property T.AbstractButton button
    property string text

    active: text !== "" && (button.hovered || button.visualFocus)
    sourceComponent: T.ToolTip {
        objectName: "tip"
        parent: tip.button
        visible: true
        delay: tip.button.visualFocus ? 0 : Style.ms(400)
        x: tip.button.width - width
        y: below + height < tip.button.Window.height ? tip.button.height + Style.gap1 : -height - Style.gap1
        readonly property real below: tip.button.mapToItem(null, 0, tip.button.height + Style.gap2).y
        margins: Style.gap2
        padding: 0
        implicitWidth: hint.implicitWidth
        implicitHeight: hint.implicitHeight
        closePolicy: T.Popup.NoAutoClose
        contentItem: Hint { id: hint; text: tip.text; symbol: "" }
    }
}
