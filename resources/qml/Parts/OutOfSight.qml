// Without a graphics card, Qt also paints shapes that are scrolled wholly out of sight, and the text
// of a field that changes there, over other items. This hides both while they are out of sight.
import QtQuick

Item {
    id: sight

    required property Flickable area
    readonly property bool needed: GraphicsInfo.api === GraphicsInfo.Software

    visible: false

    function look(): void {
        if (needed && area)
            hideIn(area.contentItem)
    }
    function hideIn(item: Item): void {
        for (const child of item.children) {
            if (child.outOfSight === undefined) {
                hideIn(child)
            } else {
                // The painted area: most drawings are smaller than their item.
                const drawn = child.boundingRect ?? Qt.rect(0, 0, child.width, child.height)
                const y = child.mapToItem(area, 0, drawn.y).y
                // Less than a visible pixel also counts as out of sight.
                const out = y + drawn.height < 1 || y > area.height - 1
                if (child.outOfSight !== out)
                    child.outOfSight = out
            }
        }
    }

    Connections {
        target: sight.needed ? sight.Window.window : null
        ignoreUnknownSignals: true
        function onAfterAnimating(): void { sight.look() }
    }
}
