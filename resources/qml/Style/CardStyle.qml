// The colours and the shape of the cards, the same in both themes. Colour 0 to 3 as in the rules,
// -1 for a wild card; the window sets `ranks` from the rules. Nothing is drawn here.
pragma Singleton
import QtQuick

QtObject {
    /// By rank, [{text, icon, wild}]: its text or the name of its icon, and whether it is wild.
    property list<var> ranks: []
    /// The height of a card divided by its width.
    readonly property real ratio: 1.5
    readonly property color paper: "#fff7ea"
    readonly property color wildBody: "#2c2833"
    readonly property color wildEdge: "#5f5870"
    readonly property color backBody: "#4b389f"
    readonly property color backEdge: "#7d6bd6"
    readonly property color backMark: "#c9bdf7"
    readonly property list<color> bodies: ["#c93631", "#f3b827", "#1e7f52", "#2860c2"]
    readonly property list<color> edges: ["#9c211e", "#c98d08", "#125e3b", "#1a4594"]
    /// The index in the corner, on the body.
    readonly property list<color> indexes: ["#fff7ea", "#432b00", "#fff7ea", "#fff7ea"]
    /// The rank in the middle, on the paper shape.
    readonly property list<color> inks: ["#a3221d", "#6d4500", "#12603c", "#1b4798"]
    /// The four signs on the dark body of a wild card.
    readonly property list<color> wildSigns: ["#ff6a5f", "#ffcb45", "#44c486", "#6aa2ff"]

    function body(colour: int): color { return colour < 0 ? wildBody : bodies[colour] }
    function edge(colour: int): color { return colour < 0 ? wildEdge : edges[colour] }
    function index(colour: int): color { return colour < 0 ? paper : indexes[colour] }
    function ink(colour: int): color { return colour < 0 ? wildBody : inks[colour] }
}
