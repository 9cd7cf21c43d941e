// The window: which screen is shown, what lies above all screens, and what the settings mean for
// the style. No screen's content belongs here.
import QtQuick
import QtQuick.Controls.Basic
import QtQuick.Window
import "Style"

ApplicationWindow {
    id: window

    width: 1180
    height: 760
    minimumWidth: 1024
    minimumHeight: 640
    visible: true
    title: "LanUNO"
    color: Style.ground

    Binding { target: Style; property: "dark"; value: app.settings.dark }
    Binding { target: Style; property: "textScale"; value: app.settings.textScale }
    Binding { target: Style; property: "motion"; value: app.settings.motion }

    function screen(page: string): string {
        return Qt.resolvedUrl("Screens/" + page.charAt(0).toUpperCase() + page.slice(1) + ".qml").toString()
    }

    function toggleFullScreen(): void {
        visibility = visibility === Window.FullScreen ? Window.Windowed : Window.FullScreen
    }

    StackView {
        id: stack
        objectName: "stack"
        anchors.fill: parent
        initialItem: window.screen(app.page)
        replaceEnter: Transition {
            NumberAnimation { property: "opacity"; from: 0; to: 1; duration: Style.fade(180) }
        }
        replaceExit: Transition {
            NumberAnimation { property: "opacity"; from: 1; to: 0; duration: Style.fade(120) }
        }
    }

    Connections {
        target: app
        function onPageChanged(): void {
            stack.replace(null, window.screen(app.page))
            stack.forceActiveFocus()
        }
        function onRaised(): void {
            window.show()
            window.raise()
            window.requestActivate()
        }
    }

    Shortcut { sequences: ["F11"]; onActivated: window.toggleFullScreen() }
    Shortcut { sequences: ["Esc", StandardKey.Back]; onActivated: app.back() }
    Shortcut { sequences: [StandardKey.Quit]; onActivated: app.quit() }

    onClosing: (close) => {
        close.accepted = false
        app.quit()
    }
}
