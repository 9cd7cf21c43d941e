// The content of the window: which screen is shown, what lies above all screens, and how the
// settings change the style. No screen's content belongs here.
import QtQuick
import QtQuick.Templates as T
import QtQuick.Window
import "Parts"
import "Style"
import "Table"
import "Window"

FocusScope {
    id: pages

    readonly property var window: Window.window
    focus: true

    Binding { target: Style; property: "dark"; value: app.settings.dark }
    /// At the table nothing scrolls, so the text grows only as far as the window holds it.
    readonly property real largestText: app.page === "table" ? Math.max(1, Math.min(width / 690, height / 430)) : 9
    Binding { target: Style; property: "textScale"; value: Math.min(app.settings.textScale, pages.largestText) }
    // At first the window has no size.
    readonly property real fit: width > 0 && height > 0 ? Math.max(0.5, Math.min(1, width / 800, height / 470)) : 1
    Binding { target: Style; property: "fit"; value: pages.fit }
    Binding { target: Style; property: "motion"; value: app.settings.motion }
    Binding { target: CardStyle; property: "ranks"; value: app.ranks }

    function screen(page: string): string {
        return Qt.resolvedUrl("Screens/" + page.charAt(0).toUpperCase() + page.slice(1) + ".qml").toString()
    }

    function toggleFullScreen(): void {
        window.visibility = window.visibility === Window.FullScreen ? Window.Windowed : Window.FullScreen
    }

    /// Handle Esc: first within the screen, then by returning to the previous page.
    function stepBack(): void {
        const screen = stack.currentItem
        if (!(screen && screen.stepBack && screen.stepBack()))
            app.back()
    }

    /// Give a new screen the keyboard focus: at its `firstFocus`, at the item that has taken it
    /// already, or else at the first item.
    function takeKeyboard(byKeys: bool): void {
        const screen = stack.currentItem
        if (!screen || sheet)
            return
        const reason = byKeys ? Qt.TabFocusReason : Qt.OtherFocusReason
        for (let up = window.activeFocusItem; up; up = up.parent)
            if (up === screen && window.activeFocusItem !== screen && !screen.firstFocus)
                return
        const first = screen.firstFocus ?? null
        if (first && first.visible && first.enabled) {
            first.forceActiveFocus(reason)
            return
        }
        screen.forceActiveFocus(reason)
        if (window.activeFocusItem === screen || !window.activeFocusItem) {
            const next = screen.nextItemInFocusChain(true)
            if (next)
                next.forceActiveFocus(reason)
        }
    }

    /// The sheet that lies over the page and keeps the keyboard focus until it is closed. A sheet
    /// that is fading out does not count.
    readonly property var sheet: app.crash !== "" ? crash.item : app.leaveQuestion !== "" ? leave.item
        : app.invitation.asking ? link.item : help.holding ? help.item : null
    function keepKeyboard(): void {
        if (!sheet)
            return
        for (let up = window.activeFocusItem; up; up = up.parent)
            if (up === sheet.contentItem.parent)
                return
        sheet.forceActiveFocus(Qt.TabFocusReason)
    }

    T.StackView {
        id: stack
        objectName: "stack"
        anchors.fill: parent
        initialItem: pages.screen(app.page)
        replaceEnter: Transition {
            NumberAnimation { property: "opacity"; from: 0; to: 1; duration: Style.fade(180) }
        }
        replaceExit: Transition {
            NumberAnimation { property: "opacity"; from: 1; to: 0; duration: Style.fade(120) }
        }
    }

    // A click or key that was meant for the safety hand must not act on the table that has just
    // taken its place.
    MouseArea {
        objectName: "shield"
        anchors.fill: parent
        visible: settling.running && !Style.still
        Timer {
            id: settling
            interval: 500
        }
        Connections {
            target: app.room
            function onCompared(): void { settling.restart() }
        }
    }
    Shortcut { sequences: ["Return", "Enter", "Space"]; enabled: settling.running }

    DropHere {
        anchors.fill: parent
        enabled: app.page !== "verifier"
        onGiven: file => {
            app.open("verifier")
            app.verifier.openUrl(file)
        }
    }

    Notices {
        id: notices
        objectName: "notices"
        anchors.horizontalCenter: parent.horizontalCenter
        anchors.top: parent.top
        anchors.topMargin: Style.gap3
        z: 1
        width: Math.min(parent.width - 2 * Style.gap5, Style.size(900))
        model: app.notices
        onSeen: id => app.dismiss(id)
    }

    Later {
        id: leave
        wanted: app.leaveQuestion !== ""
        sourceComponent: LeaveSheet {
            question: app.leaveQuestion
            botOffered: app.botOffered
            onBotWanted: app.letBotPlay()
            onLeft: app.confirmLeave()
            onStayed: app.cancelLeave()
        }
    }
    Later {
        id: link
        wanted: app.invitation.asking && app.crash === ""
        sourceComponent: LinkSheet {
            asking: app.invitation.asking && app.crash === ""
            ready: app.invitation.ready
            table: app.invitation.table
            host: app.invitation.host
            address: app.invitation.address
            near: app.invitation.near
            mood: app.invitation.mood
            onAccepted: app.invitation.accept()
            onDeclined: app.invitation.decline()
        }
    }
    Later {
        id: crash
        wanted: app.crash !== ""
        sourceComponent: CrashSheet {
            report: app.crash
            onCopied: app.copyCrash()
            onDismissed: app.dismissCrash()
        }
    }
    Later {
        id: help
        objectName: "keyHelp"
        sourceComponent: KeyHelp {}
    }

    Connections {
        target: app
        function onPageChanged(): void {
            const byKeys = window.activeFocusItem?.visualFocus === true
            stack.replace(null, pages.screen(app.page), Style.still ? T.StackView.Immediate : T.StackView.ReplaceTransition)
            pages.takeKeyboard(byKeys)
        }
        function onRaised(): void {
            window.show()
            window.raise()
            window.requestActivate()
        }
    }
    Component.onCompleted: takeKeyboard(false)

    Shortcut { sequences: ["F11"]; onActivated: pages.toggleFullScreen() }
    // In an item: only then can a popup above the page keep these keys to itself.
    Item {
        Shortcut { sequences: ["F1", "?", "Shift+?"]; enabled: app.page !== "table"; onActivated: help.open() }
        Shortcut { sequences: ["Esc", StandardKey.Back]; onActivated: pages.stepBack() }
    }
    // Windows itself has no key for this.
    Shortcut { sequences: [Qt.platform.os === "windows" ? "Ctrl+Q" : StandardKey.Quit]; onActivated: app.quit() }

    Connections {
        target: pages.window
        function onActiveFocusItemChanged(): void { Qt.callLater(pages.keepKeyboard) }
        function onClosing(close: var): void {
            close.accepted = false
            app.quit()
        }
    }
}
