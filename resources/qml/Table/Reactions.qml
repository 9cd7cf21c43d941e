// The reactions of the players: each appears beside a seat, and disappears.
import QtQuick
import "../Style"

Item {
    id: reactions

    /// (seat, width, height, taken) -> the middle of a reaction, in scene coordinates.
    property var bubblePlace: (seat, wide, high, taken) => Qt.point(-1, -1)
    /// Limit for reactions at the same time: nobody could look at more.
    readonly property int most: 4
    readonly property int shown: signs.children.length

    /// The places of all reactions, in the coordinates of this item.
    function places(): var { return [...signs.children].map(each => each.place()) }
    function show(seat: int, symbol: string, text: string): void {
        // The newest reaction of a seat replaces the previous one.
        for (const one of [...signs.children])
            if (one.seat === seat)
                one.end()
        if (signs.children.length >= most)
            return
        const taken = places()
        const one = sign.createObject(signs, { seat: seat, symbol: symbol, text: text })
        const spot = bubblePlace(seat, one.wide, one.high, taken)
        if (spot.x < 0) {
            one.end()
            return
        }
        const at = mapFromItem(null, spot.x, spot.y)
        one.x = at.x
        one.y = at.y
    }
    /// Remove all reactions.
    function clear(): void {
        for (const one of [...signs.children])
            one.end()
    }

    Item { id: signs; anchors.fill: parent }
    Component { id: sign; Reaction {} }
}
