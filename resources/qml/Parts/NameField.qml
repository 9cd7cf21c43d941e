// The field for the player's name. It stores only valid names, and drops text that does not fit.
import QtQuick
import "../Style"

Field {
    id: field

    /// The stored name.
    property string name
    /// app.settings: limits names, and says what is wrong with one.
    property var settings: null
    signal renamed(string name)
    /// Enter was pressed, with a valid name.
    signal entered()

    property string before
    /// The newest text that was too long.
    property string refused

    /// Store the typed name, if it is a new one; an empty field is reset to the old one. Returns
    /// whether a valid name was typed.
    function commit(): bool {
        const typed = text.trim()
        if (settings && settings.nameProblem(typed) !== "")
            return false
        if (typed !== "" && typed !== name)
            renamed(typed)
        text = Qt.binding(() => field.name)
        before = text
        refused = ""
        return typed !== ""
    }

    text: name
    // Longer than any name, but a limit for the check of a long text from the clipboard.
    maximumLength: 200
    fault: settings ? settings.nameProblem(refused !== "" ? refused : text) : ""
    onEdited: typed => {
        const fits = settings ? settings.fittedName(before, typed) : typed
        refused = fits === typed ? "" : typed
        if (refused !== "") {
            const behind = typed.length - input.cursorPosition
            text = fits
            input.cursorPosition = Math.max(0, fits.length - behind)
        }
        before = fits
    }
    onAccepted: if (commit()) entered()
    input.onActiveFocusChanged: {
        before = text
        if (!input.activeFocus)
            commit()
    }
}
