// The window itself, shown before anything is in it: at the first moment with no more than the sign
// of the game, since whatever the app needs has still to be loaded. `begun` puts the pages in.
import QtQuick
import QtQuick.Window
import "Style"
import "Parts"

Window {
    id: window

    /// Before the settings are there: whether they ask for the dark colours.
    property bool dark: false

    width: 1180
    height: 760
    minimumWidth: 1024
    minimumHeight: 640
    title: "LanUNO"
    color: Style.ground
    Component.onCompleted: Style.dark = dark

    /// Set once `app` is there.
    property bool begun: false
    readonly property bool filled: pages.status === Loader.Ready

    FourSigns {
        visible: !window.filled
        anchors.centerIn: parent
        width: Math.min(parent.width, parent.height) / 4
        height: width
    }
    Loader {
        id: pages
        anchors.fill: parent
        focus: true
        source: window.begun ? "Pages.qml" : ""
    }
}
