// The places of the opponents: clockwise from this player's left, up the left side, along the top
// and down the right side; and the room that they leave in the middle.
import QtQuick
import "../Style"

Item {
    id: seating

    property int count: 0
    property real wantedWidth: Style.size(168)
    property real wantedHeight: Math.max(Style.target + Style.gap3, Style.size(60))
    property real gap: Style.gap2
    /// Large text must leave room for the middle, and for all plates.
    readonly property real plateWidth: Math.round(Math.min(wantedWidth, Math.max(Style.length(150), width * 0.235)))
    readonly property real plateHeight: Math.round(Math.min(wantedHeight, (height + gap) / rows - gap))
    readonly property int rows: Math.max(shares[0], shares[2]) + (shares[1] > 0 ? 1 : 0)

    /// The least width of the middle: that of both piles.
    readonly property real leastMiddle: Style.length(220)
    /// The number of plates on the left, along the top, and on the right.
    readonly property var shares: {
        const most = Math.max(1, Math.floor((width + gap) / (plateWidth + gap)))
        const high = Math.max(1, Math.floor((height + gap) / (wantedHeight + gap)) - 1)
        const wanted = [[0, 0, 0], [0, 1, 0], [0, 2, 0], [1, 1, 1], [1, 2, 1], [1, 3, 1],
            [2, 2, 2], [2, 3, 2], [2, 4, 2], [3, 3, 3], [3, 4, 3]][Math.min(10, count)]
        let [side, top] = [wanted[0], wanted[1]]
        while (side > 0 && (side > high || width - 2 * (plateWidth + gap) < leastMiddle) && top + 2 <= most) {
            side -= 1
            top += 2
        }
        return [side, top, count - side - top]
    }
    readonly property real sideWidth: shares[0] > 0 ? plateWidth + gap : 0
    readonly property real topHeight: shares[1] > 0 ? plateHeight + gap : 0
    /// The room left in the middle.
    readonly property rect middle: Qt.rect(sideWidth, topHeight, Math.max(0, width - 2 * sideWidth), Math.max(0, height - topHeight))

    function placeOf(index: int): point {
        const [left_, top_, right_] = shares
        if (index < left_)
            return Qt.point(0, down(left_, left_ - 1 - index))
        if (index < left_ + top_)
            return Qt.point(along(top_, index - left_), 0)
        return Qt.point(width - plateWidth, down(right_, index - left_ - top_))
    }
    /// The x of plate `at` of `many` along the top.
    function along(many: int, at: int): real {
        const free = width - many * plateWidth
        const between = Math.min(free / (many + 1), plateWidth * 0.75)
        const used = many * plateWidth + (many - 1) * between
        return Math.round((width - used) / 2 + at * (plateWidth + between))
    }
    /// The y of plate `at` of `many` along a side, counted from above.
    function down(many: int, at: int): real {
        const above = shares[1] > 0 ? topHeight : 0
        const free = height - above - many * plateHeight
        const between = Math.min(free / (many + 1), plateHeight * 0.9)
        const used = many * plateHeight + (many - 1) * between
        return Math.round(above + (height - above - used) / 2 + at * (plateHeight + between))
    }
}
