// A table on this network. A click on the row joins it; a button beside it watches, if possible.
import QtQuick
import QtQuick.Templates as T
import "../Style"
import "../Parts"

FocusScope {
    id: row

    required property var model
    signal joined()
    signal watched()
    signal rulesWanted()

    readonly property Item button: area
    readonly property bool open: model.joinable
    readonly property bool playing: model.state === "playing"
    readonly property string action: model.mine ? qsTr("Continue") : open ? qsTr("Join") : qsTr("Watch")

    /// Large text: no avatar, and the action below the words.
    readonly property bool stacked: width < Style.size(330)

    Binding on implicitHeight {
        when: !row.model.gone
        restoreMode: Binding.RestoreNone
        value: Math.max(Style.size(76), words.implicitHeight + (stacked && go.visible ? go.height + Style.gap2 : 0) + 2 * Style.gap3, beside.height + 2 * Style.gap1)
    }

    Panel {
        anchors.fill: parent
        color: area.hovered && area.enabled ? Style.mix(Style.raised, Style.ink, 0.04) : Style.raised
        border.color: row.open ? Style.edge : Style.line
    }

    T.Button {
        id: area
        objectName: "table"
        focus: true
        width: parent.width - (beside.width > 0 ? beside.width + Style.gap2 : 0)
        height: parent.height
        enabled: row.open || row.model.canWatch
        focusPolicy: Qt.StrongFocus
        activeFocusOnTab: true
        hoverEnabled: true
        Accessible.role: Accessible.Button
        Accessible.name: row.model.accessibleName
        Accessible.description: enabled ? row.action : ""
        Accessible.onPressAction: area.clicked()
        Keys.onReturnPressed: area.clicked()
        Keys.onEnterPressed: area.clicked()
        onClicked: row.open ? row.joined() : row.watched()
        HoverHandler { cursorShape: area.enabled ? Qt.PointingHandCursor : Qt.ArrowCursor }

        background: Item {
            FocusRing { shown: area.visualFocus; around: Style.radius3 }
        }
        contentItem: Item {
            Item {
                id: emblem
                visible: !row.stacked
                x: Style.gap3
                width: Style.size(46)
                height: width
                anchors.verticalCenter: parent.verticalCenter
                Avatar {
                    anchors.fill: parent
                    name: row.model.host
                    colour: row.model.avatar
                    faded: !row.open && !row.model.canWatch
                }
                Loader {
                    active: row.model.locked
                    width: Style.size(22)
                    height: width
                    anchors.right: parent.right
                    anchors.bottom: parent.bottom
                    anchors.margins: -Style.gap1
                    sourceComponent: Rectangle {
                        radius: width / 2
                        antialiasing: true
                        color: Style.warnSoft
                        border.width: 2
                        border.color: Style.raised
                        Icon {
                            anchors.centerIn: parent
                            name: "lock"
                            color: Style.warnSoftInk
                            weight: 2.6
                            width: Style.size(12)
                            height: width
                        }
                    }
                }
            }
            Column {
                id: words
                x: row.stacked ? Style.gap4 : emblem.x + emblem.width + Style.gap3 + Style.gap1
                y: row.stacked ? Style.gap3 : (parent.height - height) / 2
                width: parent.width - x - (row.stacked ? 0 : go.width + 2 * Style.gap3)
                spacing: Style.hair
                Paragraph {
                    width: parent.width
                    text: row.model.name
                    size: Style.lead
                    strong: true
                    lineHeight: 1
                    maximumLineCount: 2
                    elide: Text.ElideRight
                    Accessible.ignored: true
                }
                Paragraph {
                    width: parent.width
                    visible: text !== ""
                    text: [row.model.host, row.model.rulesTitle].filter(each => each !== "").join(" · ")
                    size: Style.small
                    soft: true
                    Accessible.ignored: true
                }
                Paragraph {
                    objectName: "warning"
                    visible: text !== ""
                    width: parent.width
                    text: row.model.warning
                    size: Style.small
                    color: Style.danger
                    Accessible.ignored: true
                }
                Paragraph {
                    visible: row.model.trouble
                    width: parent.width
                    text: row.model.text
                    size: Style.small
                    color: Style.danger
                    Accessible.ignored: true
                }
                Row {
                    visible: !row.model.trouble
                    spacing: Style.gap2
                    topPadding: Style.gap1
                    SeatDots {
                        id: dots
                        visible: row.model.seats > 0 && !row.playing && words.width > Style.size(190)
                        anchors.verticalCenter: parent.verticalCenter
                        seats: row.model.seats
                        taken: row.model.taken
                        color: row.open ? Style.accent : Style.inkSoft
                    }
                    Paragraph {
                        width: Math.min(implicitWidth, words.width - (dots.visible ? dots.width + Style.gap2 : 0))
                        anchors.verticalCenter: parent.verticalCenter
                        text: row.model.text
                        size: Style.small
                        soft: true
                        Accessible.ignored: true
                    }
                }
            }
            Rectangle {
                id: go
                visible: row.open || row.model.canWatch
                x: row.stacked ? words.x : parent.width - width - Style.gap3
                y: row.stacked ? words.y + words.height + Style.gap2 : (parent.height - height) / 2
                width: visible ? action.implicitWidth + 2 * Style.gap4 : 0
                height: Style.size(40)
                radius: height / 2
                antialiasing: true
                color: !row.open ? Style.sunken : area.hovered || area.down ? Style.accentStrong : Style.accent
                Line {
                    id: action
                    anchors.centerIn: parent
                    text: row.action
                    strong: true
                    color: row.open ? Style.accentInk : Style.ink
                    Accessible.ignored: true
                }
            }
        }
    }
    Grid {
        id: beside
        /// Large text: the buttons are one above the other.
        columns: row.width < Style.size(400) ? 1 : 2
        anchors.right: parent.right
        anchors.rightMargin: Style.gap2
        anchors.verticalCenter: parent.verticalCenter
        IconButton {
            objectName: "tableRules"
            visible: row.model.rules.length > 0
            symbol: "book"
            label: qsTr("Rules at %1").arg(row.model.name)
            onClicked: row.rulesWanted()
        }
        IconButton {
            id: watch
            objectName: "watch"
            visible: row.open && row.model.canWatch
            symbol: "eye"
            label: qsTr("Watch %1").arg(row.model.name)
            onClicked: row.watched()
        }
    }

    NumberAnimation on opacity {
        running: !Style.still
        onStopped: row.opacity = 1
        from: 0
        to: 1
        duration: Style.fade(240)
    }
}
