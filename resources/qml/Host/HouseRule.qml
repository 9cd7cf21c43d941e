// One setting of the rules in plain words, marked if it differs from the rulebook.
import QtQuick
import "../Style"
import "../Parts"

Item {
    id: rule

    required property var model
    /// What is wrong with the value, shown below it.
    property string fault
    signal decided(var value)

    readonly property bool onOff: model.kind === "bool"
    readonly property bool number: model.kind === "int"
    readonly property string note: model.hint
    readonly property int span: model.maximum - model.minimum
    /// A step that suits the range: larger in a wide range, to save clicks.
    readonly property int step: span > 300 ? 50 : span > 60 ? 5 : 1

    /// The value rounded to a whole number of steps, within the limits.
    function whole(value: int): int {
        return Math.max(model.minimum, Math.min(model.maximum, Math.round(value / step) * step))
    }

    /// The width that the longest text needs: beside the name if there is room, else below it.
    readonly property real needed: onOff ? 0 : Math.max(Style.target * 2 + Style.size(92), rule.number ? 0
        : Math.ceil(Math.max(...model.choices.map(each => metrics.advanceWidth(each.text)))) + Style.gap3 + Style.gap6 + Style.gap3)
    readonly property bool stacked: needed > width * 0.58

    readonly property real lines: (onOff ? toggle.implicitHeight : stacked ? words.height + Style.target + Style.gap2
        : Math.max(words.height, Style.target)) + Style.gap4
    implicitHeight: lines + (fault === "" ? 0 : told.height + Style.gap2)

    FontMetrics {
        id: metrics
        font { family: Style.family; pixelSize: Style.body; weight: Style.weightStrong }
    }

    Rectangle {
        visible: rule.model.changed
        x: -Style.gap3
        y: Style.gap1
        width: Style.gap1
        height: parent.height - 2 * y
        radius: width / 2
        color: Style.accent
    }

    Toggle {
        id: toggle
        objectName: "rule-" + rule.model.key
        visible: rule.onOff
        y: Style.gap1
        width: parent.width
        text: rule.model.name
        note: rule.note
        checked: rule.onOff && rule.model.value !== 0
        Accessible.name: rule.model.accessibleName + (rule.model.changed ? ", " + qsTr("changed") : "")
        onToggled: {
            rule.decided(checked)
            checked = Qt.binding(() => rule.onOff && rule.model.value !== 0)
        }
    }

    Column {
        id: words
        visible: !rule.onOff
        y: rule.stacked ? Style.gap1 : Math.max(Style.gap1, (rule.lines - height) / 2)
        width: parent.width - (rule.stacked ? 0 : value.width + Style.gap4)
        Paragraph {
            width: parent.width
            text: rule.model.name
            strong: true
        }
        Paragraph {
            visible: text !== ""
            width: parent.width
            text: rule.note
            size: Style.small
            soft: true
        }
    }
    Loader {
        id: value
        active: !rule.onOff
        x: parent.width - width
        y: rule.stacked ? words.y + words.height + Style.gap1 : (rule.lines - height) / 2
        width: Math.min(parent.width, rule.needed)
        sourceComponent: rule.number ? stepping : choosing
    }
    Paragraph {
        id: told
        visible: text !== ""
        y: rule.lines
        width: parent.width
        text: rule.fault
        size: Style.small
        color: Style.danger
    }
    Component {
        id: stepping
        Stepper {
            objectName: "rule-" + rule.model.key
            label: rule.model.name
            from: rule.model.minimum
            to: rule.model.maximum
            stepSize: rule.step
            value: rule.model.value
            words: value => value === rule.model.value && rule.model.text !== "" ? rule.model.text : String(value)
            onValueModified: {
                rule.decided(rule.whole(value))
                value = Qt.binding(() => rule.model.value)
            }
        }
    }
    Component {
        id: choosing
        Choice {
            objectName: "rule-" + rule.model.key
            label: rule.model.name
            model: rule.model.choices.map(each => each.text)
            currentIndex: rule.model.choices.findIndex(each => each.value === rule.model.value)
            onActivated: index => {
                rule.decided(rule.model.choices[index].value)
                currentIndex = Qt.binding(() => rule.model.choices.findIndex(each => each.value === rule.model.value))
            }
        }
    }
}
