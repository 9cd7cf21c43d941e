// The colours, sizes, distances and durations of the app, for all files that draw; CardStyle has the
// colours of the cards. The window sets `dark`, `textScale` and `motion` from the settings, and `fit`
// from its size. Nothing is drawn here.
pragma Singleton
import QtQuick

QtObject {
    id: style

    // Set by the window.
    property bool dark: false
    property real textScale: 1
    /// Less than 1 in a window smaller than the smallest layout: everything shrinks by this factor.
    property real fit: 1
    /// 1 = the designed pace, 0 = reduced motion.
    property real motion: 1
    /// For pictures and tests: without even the fades of reduced motion.
    property bool still: false

    // Surfaces, from the back to the front.
    readonly property color ground: dark ? "#16131c" : "#efe8dc"
    readonly property color groundLight: dark ? "#211c2b" : "#f8f3ea"
    /// The cloth of the table, in its light and in its shade, and its wooden edge.
    readonly property color matLight: dark ? "#2c4a4f" : "#e3efe2"
    readonly property color mat: dark ? "#1d2f38" : "#bfd7c6"
    readonly property color matEdge: dark ? "#3a2d33" : "#cdb188"
    readonly property color surface: dark ? "#2a2436" : "#fbf8f2"
    readonly property color raised: dark ? "#372f47" : "#ffffff"
    readonly property color sunken: dark ? "#1c1825" : "#f1ebe0"
    readonly property color line: dark ? "#4a405e" : "#d9cebd"
    /// The edge of something that can be operated: at least 3:1 on every surface.
    readonly property color edge: dark ? "#8d80a8" : "#877a68"
    readonly property color veil: dark ? "#b00b0910" : "#8a2a2530"
    readonly property color shade: dark ? "#ff000000" : "#ff3a2c14"

    // Text.
    readonly property color ink: dark ? "#f4f0f9" : "#2a2530"
    readonly property color inkSoft: dark ? "#c0b7cf" : "#5a5260"
    readonly property color inkOff: dark ? "#8d849c" : "#847b86"

    // The accent and the three moods, each with the colour of text on it.
    readonly property color accent: dark ? "#ab99ff" : "#5a43c8"
    readonly property color accentStrong: dark ? "#c3b6ff" : "#47329f"
    readonly property color accentInk: dark ? "#1b1236" : "#ffffff"
    readonly property color accentSoft: dark ? "#3a3163" : "#e5defb"
    readonly property color accentSoftInk: dark ? "#d8cfff" : "#432f9c"
    readonly property color danger: dark ? "#ff9c90" : "#b02a21"
    readonly property color dangerInk: dark ? "#3b0b07" : "#ffffff"
    readonly property color dangerSoft: dark ? "#532a2d" : "#f8ded9"
    readonly property color dangerSoftInk: dark ? "#ffcdc6" : "#861c15"
    readonly property color good: dark ? "#83d8a9" : "#1d7449"
    readonly property color goodInk: dark ? "#062716" : "#ffffff"
    readonly property color goodSoft: dark ? "#21432f" : "#d9eee1"
    readonly property color goodSoftInk: dark ? "#b4ecca" : "#12553a"
    readonly property color warnSoft: dark ? "#4d3a18" : "#fae6c2"
    readonly property color warnSoftInk: dark ? "#ffdc9e" : "#6b4100"

    /// The four colours as signs on the app's own surfaces; index = colour of the rules.
    readonly property list<color> sign: dark
        ? ["#ff6f63", "#f5bf3c", "#4fbf86", "#6ea3ff"]
        : ["#c8352f", "#b27700", "#1f7f53", "#2a5fc4"]
    readonly property list<color> teams: dark
        ? ["#8fd0e8", "#f0a3c8", "#d4c47a", "#a8d58c", "#c7b2ff"]
        : ["#1a6a86", "#9c2f6a", "#6d5c00", "#3b6b18", "#5a43c8"]
    /// Bodies of the avatars, the same in both themes; `avatarInk` is the colour drawn on them.
    readonly property list<color> avatars: [
        "#7a4fc9", "#b0456b", "#a6541c", "#7d6608", "#3f7a2c",
        "#157a72", "#2269a8", "#4a5bc0", "#8a4a9e", "#6b5a4e"
    ]
    readonly property color avatarUnknown: "#5d6470"
    readonly property color avatarInk: "#ffffff"

    /// For codes that a camera reads: the same in both themes.
    readonly property color printPaper: "#ffffff"
    readonly property color printInk: "#000000"

    // Type. Sizes in pixels of the window's scale.
    readonly property string family: regular.status === FontLoader.Ready ? regular.name : Qt.application.font.family
    readonly property int weightText: Font.Medium
    readonly property int weightStrong: Font.Bold
    readonly property int weightHeavy: Font.Black
    readonly property int tiny: size(12)
    readonly property int small: size(13)
    readonly property int body: size(15)
    readonly property int lead: size(17)
    readonly property int title: size(21)
    readonly property int head: size(28)
    readonly property int display: size(42)
    /// A length that does not follow the size of the text.
    function length(px: real): int { return Math.round(px * fit) }
    function size(px: real): int { return Math.round(px * textScale * fit) }

    // Distances.
    readonly property int hair: 1
    readonly property int gap1: length(4)
    readonly property int gap2: length(8)
    readonly property int gap3: length(12)
    readonly property int gap4: length(16)
    readonly property int gap5: length(24)
    readonly property int gap6: length(32)
    readonly property int gap7: length(48)
    readonly property int radius1: 6
    readonly property int radius2: 10
    readonly property int radius3: 14
    readonly property int radius4: 20
    /// The smallest side of an item that can be clicked.
    readonly property int target: Math.max(length(44), size(44))
    readonly property int focusWidth: 3

    // Motion.
    readonly property bool reduced: motion <= 0
    readonly property int play: ms(230)
    readonly property int flip: ms(180)
    readonly property int rearrange: ms(120)
    /// How many times an animation that asks for attention repeats. While anything moves, the whole
    /// window is drawn; without a graphics card that takes a whole core.
    readonly property int repeats: 4
    function ms(milliseconds: real): int { return Math.round(milliseconds * motion) }
    /// For fades only: reduced motion keeps them, 50 ms at most.
    function fade(milliseconds: real): int {
        return still ? 0 : reduced ? Math.min(50, milliseconds) : ms(milliseconds)
    }

    function alpha(base: color, opacity: real): color {
        return Qt.rgba(base.r, base.g, base.b, opacity)
    }
    function mix(one: color, other: color, share: real): color {
        return Qt.rgba(one.r + (other.r - one.r) * share, one.g + (other.g - one.g) * share,
                       one.b + (other.b - one.b) * share, 1)
    }

    readonly property FontLoader regular: FontLoader { source: "../../art/fonts/Nunito-Medium.ttf" }
    readonly property FontLoader strong: FontLoader { source: "../../art/fonts/Nunito-Bold.ttf" }
    readonly property FontLoader heavy: FontLoader { source: "../../art/fonts/Nunito-Black.ttf" }
}
