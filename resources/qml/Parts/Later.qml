// A sheet that is created when it is first needed, and kept from then on. Most are never opened.
import QtQuick

Loader {
    /// Set where another condition than a call of `open` creates the sheet.
    property bool wanted: false
    readonly property bool holding: item ? item.holding : false

    function open(): void {
        active = true
        item.open()
    }

    active: false
    onWantedChanged: if (wanted) active = true
}
