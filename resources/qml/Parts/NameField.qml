// The player's own name. Only what the others can be shown is taken; what does not fit is not put in.
import QtQuick
import "../Style"

Field {
    id: field

    /// As it is kept.
    property string name
    /// app.settings: what fits, and what is wrong with a name.
    property var settings: null
    signal renamed(string name)
    /// Enter, with a name that can be kept.
    signal entered()

    property string before
    /// What would have been too long.
    property string refused

    /// Take what stands in the field, if it is another name; nothing typed is the old one. Whether
    /// it is one.
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
    // Longer than any name, so that a long text from the clipboard is not looked at whole.
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
