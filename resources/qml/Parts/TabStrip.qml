// Tabs for several views of one thing, side by side; arrows move between them.
import QtQuick
import "../Style"

FocusScope {
    id: strip

    /// Strings.
    property var model: []
    property int current: 0
    /// The available width. In less than they need, the words and the gaps shrink.
    property real most: Infinity
    signal chosen(int index)

    readonly property real shrunk: {
        let needed = 2 * Style.gap1
        for (const word of model)
            needed += Math.ceil(metrics.advanceWidth(word)) + 2 * Style.gap4
        return Math.min(1, most / needed)
    }
    FontMetrics {
        id: metrics
        font.family: Style.family
        font.pixelSize: Style.body
        font.weight: Style.weightStrong
    }

    implicitWidth: row.width + 2 * Style.gap1
    implicitHeight: Style.target
    activeFocusOnTab: true
    Accessible.role: Accessible.PageTabList
    Accessible.name: model.join(", ")

    function choose(index: int): void {
        current = index
        chosen(index)
    }
    Keys.onLeftPressed: choose(Math.max(0, current - 1))
    Keys.onRightPressed: choose(Math.min(model.length - 1, current + 1))

    Rectangle {
        anchors.fill: parent
        radius: Style.radius2
        color: Style.sunken
        border.width: Style.hair
        border.color: Style.line
        FocusRing { shown: strip.activeFocus; around: Style.radius2 }
    }
    Row {
        id: row
        x: Style.gap1
        height: parent.height
        Repeater {
            model: strip.model
            Item {
                id: tab
                required property string modelData
                required property int index
                readonly property bool chosen: index === strip.current
                width: label.implicitWidth + 2 * Math.floor(Style.gap4 * strip.shrunk)
                height: row.height
                Accessible.role: Accessible.PageTab
                Accessible.name: modelData
                Accessible.selected: chosen
                Accessible.onPressAction: strip.choose(index)
                Rectangle {
                    visible: tab.chosen
                    anchors.fill: parent
                    anchors.topMargin: Style.gap1
                    anchors.bottomMargin: Style.gap1
                    radius: Style.radius1
                    color: Style.raised
                    border.width: Style.hair
                    border.color: Style.edge
                }
                Line {
                    id: label
                    anchors.centerIn: parent
                    text: tab.modelData
                    strong: true
                    size: Math.floor(Style.body * strip.shrunk)
                    soft: !tab.chosen
                }
                TapHandler { onTapped: strip.choose(tab.index) }
                HoverHandler { cursorShape: Qt.PointingHandCursor }
            }
        }
    }
}
