// What is known of a table before the user goes there: its name, its host, its address, and whether
// that is on this network.
import QtQuick
import "../Style"
import "../Parts"
import "../Room"

Column {
    id: where

    property string table
    property string host
    property string address
    property string near
    property string mood: "good"

    spacing: Style.gap3

    Notice {
        objectName: "near"
        visible: where.near !== ""
        width: parent.width
        mood: where.mood
        symbol: where.mood === "good" ? "network" : "warn"
        text: where.near
    }
    Fact {
        width: parent.width
        symbol: "globe"
        strong: true
        text: where.address
    }
    Fact {
        width: parent.width
        symbol: "cards"
        text: where.table
    }
    Fact {
        width: parent.width
        symbol: "person"
        text: where.host
    }
}
