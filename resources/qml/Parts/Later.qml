// A sheet that is made when it is first wanted, and stays from then on: most are never opened.
import QtQuick

Loader {
    /// Set where something else than `open` decides.
    property bool wanted: false
    readonly property bool holding: item ? item.holding : false

    function open(): void {
        active = true
        item.open()
    }

    active: false
    onWantedChanged: if (wanted) active = true
}
