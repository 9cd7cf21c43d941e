// Lines over rounds. `series`: [{name, color, values}] with equally long values. The owner shows a
// legend.
import QtQuick
import QtQuick.Shapes
import "../Style"

Item {
    id: chart

    property var series: []
    property int target: 0
    /// The number below the first point.
    property int first: 1
    property string xLabel
    readonly property int points: series.length > 0 ? series[0].values.length : 0
    readonly property real highest: {
        let most = target
        for (const one of series)
            for (const value of one.values)
                most = Math.max(most, value)
        return most
    }
    /// A round step that makes about four lines.
    readonly property real step: {
        const rough = Math.max(1, highest) / 4
        const power = Math.pow(10, Math.floor(Math.log(rough) / Math.LN10))
        for (const nice of [1, 2, 5, 10])
            if (nice * power >= rough)
                return Math.max(1, nice * power)
        return Math.max(1, 10 * power)
    }
    readonly property real ceiling: Math.max(1, Math.ceil(highest / step)) * step
    readonly property real margin: Style.size(40)
    readonly property real foot: Style.size(24)
    readonly property real plotWidth: Math.max(1, width - margin - Style.gap3)
    readonly property real plotHeight: Math.max(1, height - foot - Style.gap2)

    function px(index: int): real { return margin + (points < 2 ? plotWidth / 2 : plotWidth * index / (points - 1)) }
    function py(value: real): real { return Style.gap2 + plotHeight * (1 - value / ceiling) }

    implicitWidth: 420
    implicitHeight: 220
    Accessible.role: Accessible.Chart
    Accessible.name: series.map(one => one.name + " " + one.values[one.values.length - 1]).join(", ")

    Repeater {
        model: Math.round(chart.ceiling / chart.step) + 1
        Item {
            required property int index
            readonly property real value: index * chart.step
            Rectangle {
                x: chart.margin
                y: chart.py(parent.value)
                width: chart.plotWidth
                height: Style.hair
                color: Style.line
            }
            Line {
                width: chart.margin - Style.gap2
                y: chart.py(parent.value) - height / 2
                horizontalAlignment: Text.AlignRight
                text: String(parent.value)
                size: Style.tiny
                soft: true
            }
        }
    }
    Rectangle {
        visible: chart.target > 0
        x: chart.margin
        y: chart.py(chart.target) - 1
        width: chart.plotWidth
        height: 2
        color: Style.accent
        opacity: 0.7
    }
    Line {
        visible: chart.target > 0
        // At the left, where the lines of the series are still low.
        x: chart.margin + Style.gap1
        y: chart.py(chart.target) - height - 1
        text: String(chart.target)
        size: Style.tiny
        strong: true
        color: Style.accent
    }
    Repeater {
        model: chart.points
        Line {
            required property int index
            readonly property int every: Math.max(1, Math.ceil(chart.points * Style.size(28) / chart.plotWidth))
            visible: index % every === 0
            x: chart.px(index) - width / 2
            y: chart.height - height
            text: String(index + chart.first)
            size: Style.tiny
            soft: true
        }
    }
    Repeater {
        model: chart.series
        Item {
            id: one
            required property var modelData
            required property int index
            anchors.fill: parent
            Shape {
                anchors.fill: parent
                preferredRendererType: Shape.CurveRenderer
                ShapePath {
                    strokeColor: one.modelData.color
                    strokeWidth: 3
                    fillColor: "transparent"
                    capStyle: ShapePath.RoundCap
                    joinStyle: ShapePath.RoundJoin
                    PathPolyline {
                        path: one.modelData.values.map((value, at) => Qt.point(chart.px(at), chart.py(value)))
                    }
                }
            }
            Repeater {
                model: one.modelData.values
                Rectangle {
                    required property real modelData
                    required property int index
                    visible: chart.points < 16 || index === chart.points - 1
                    width: 9
                    height: 9
                    radius: one.index % 2 ? 2 : 4.5
                    antialiasing: true
                    x: chart.px(index) - width / 2
                    y: chart.py(modelData) - height / 2
                    color: one.modelData.color
                    border.width: 2
                    border.color: Style.surface
                }
            }
        }
    }
}
