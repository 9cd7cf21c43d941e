// The window, shown before its content is loaded: at first it shows only the sign of the game.
// `begun` loads the pages.
import QtQuick
import QtQuick.Window
import "Style"
import "Parts"

Window {
    id: window

    /// Whether to use the dark colours until the settings exist.
    property bool dark: false

    title: "LanUNO"
    color: Style.ground
    Component.onCompleted: Style.dark = dark

    /// Why Qt cannot draw; Qt would abort the program if nobody listened.
    property string graphicsProblem: ""
    onSceneGraphError: (error, message) => {
        graphicsProblem = message
        Qt.exit(7)
    }

    /// Set once `app` exists.
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
