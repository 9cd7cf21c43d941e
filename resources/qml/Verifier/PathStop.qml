// One place on the path of the chosen card; a click shows that moment.
import QtQuick
import QtQuick.Templates as T
import "../Style"
import "../Parts"

T.ItemDelegate {
    id: stop

    required property var model
    signal chosen(int moment)

    implicitHeight: Math.max(Style.target, words.implicitHeight + Style.gap2)
    activeFocusOnTab: true
    hoverEnabled: true
    onClicked: chosen(model.moment)
    Keys.onReturnPressed: chosen(model.moment)
    Accessible.role: Accessible.Button
    Accessible.name: model.text

    contentItem: Item {
        Rectangle {
            id: dot
            x: Style.gap2
            width: Style.size(10)
            height: width
            radius: width / 2
            anchors.verticalCenter: parent.verticalCenter
            color: stop.model.now ? Style.accent : Style.line
        }
        Paragraph {
            id: words
            anchors.verticalCenter: parent.verticalCenter
            x: dot.x + dot.width + Style.gap2
            width: parent.width - x - Style.gap1
            text: stop.model.text
            size: Style.small
            strong: stop.model.now
        }
    }
    background: Rectangle {
        radius: Style.radius1
        color: stop.hovered ? Style.mix(Style.surface, Style.ink, 0.06) : "transparent"
        FocusRing { shown: stop.visualFocus; around: Style.radius1 }
    }
}
