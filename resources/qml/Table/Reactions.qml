// The reactions of the players: each flies from a seat towards the middle, and disappears.
import QtQuick
import "../Style"

Item {
    id: reactions

    /// seat -> the place for words about it, in scene coordinates; -1: the middle of the table.
    property var spotOf: seat => Qt.point(-1, -1)
    /// Limit for reactions at the same time: nobody could look at more.
    readonly property int most: 4
    readonly property int shown: signs.children.length

    function show(seat: int, symbol: string, text: string): void {
        const spot = spotOf(seat)
        if (spot.x < 0)
            return
        // The newest reaction of a seat replaces the previous one.
        for (const one of [...signs.children])
            if (one.seat === seat)
                one.end()
        if (signs.children.length >= most)
            return
        const from = mapFromItem(null, spot.x, spot.y)
        const middle = spotOf(-1)
        const to = mapFromItem(null, middle.x, middle.y)
        const far = Math.hypot(to.x - from.x, to.y - from.y)
        const part = far > 0 ? Math.min(Style.size(96), far * 0.6) / far : 0
        sign.createObject(signs, {
            seat: seat, symbol: symbol, text: text, from: from,
            to: Qt.point(from.x + (to.x - from.x) * part, from.y + (to.y - from.y) * part)
        })
    }
    /// Remove all reactions.
    function clear(): void {
        for (const one of [...signs.children])
            one.end()
    }

    Item { id: signs; anchors.fill: parent }
    Component { id: sign; Reaction {} }
}
