// The rules of every preset, to read and to search, each with how it is checked.
import QtQuick
import "../Style"
import "../Parts"
import "../Rules"

FocusScope {
    id: screen

    readonly property var rules: app.rules
    readonly property real listWidth: Math.min(Style.size(250), width * 0.34)
    readonly property real textWidth: Math.min(width - listWidth - Style.gap5 - Style.gap3, Style.size(900))
    readonly property real margin: Math.max(Style.gap5, (width - listWidth - textWidth - Style.gap3) / 2)

    Backdrop { anchors.fill: parent }

    TopBar {
        id: bar
        x: Style.gap5
        y: Style.gap4
        width: parent.width - 2 * Style.gap5
        title: qsTr("Rules")
        backButton.focus: true
        onBack: app.back()
        actions: Field {
            id: search
            objectName: "search"
            width: Style.size(280)
            placeholder: qsTr("Search these rules")
            text: screen.rules.search
            maximumLength: 60
            onEdited: text => screen.rules.search = text
        }
    }

    PresetList {
        id: list
        objectName: "presets"
        x: screen.margin
        anchors.top: bar.bottom
        anchors.topMargin: Style.gap4
        anchors.bottom: parent.bottom
        anchors.bottomMargin: Style.gap4
        width: screen.listWidth
        presets: screen.rules.presets
        current: screen.rules.preset
        onChosen: preset => {
            screen.rules.preset = preset
            area.contentY = 0
        }
    }

    Item {
        anchors.fill: area
        z: 1
        FocusRing {
            anchors.margins: 0
            anchors.leftMargin: -Style.gap2
            anchors.topMargin: -Style.gap2
            shown: area.activeFocus
        }
    }
    ScrollArea {
        id: area
        objectName: "area"
        anchors.top: bar.bottom
        anchors.topMargin: Style.gap4
        anchors.bottom: parent.bottom
        x: list.x + list.width + Style.gap3
        width: screen.textWidth
        focus: false
        activeFocusOnTab: true
        Accessible.role: Accessible.Pane
        Accessible.name: screen.rules.title

        Column {
            width: parent.width - Style.gap2
            spacing: Style.gap4

            Column {
                width: parent.width
                spacing: Style.gap2
                Paragraph {
                    width: parent.width
                    text: screen.rules.title
                    size: Style.head
                    font.weight: Style.weightHeavy
                    Accessible.role: Accessible.Heading
                    Accessible.name: text
                }
                Paragraph {
                    width: parent.width
                    text: screen.rules.summary
                    size: Style.lead
                    soft: true
                }
            }

            Panel {
                width: parent.width
                height: legend.height + 2 * Style.gap4
                color: Style.sunken
                Column {
                    id: legend
                    x: Style.gap5
                    y: Style.gap4
                    width: parent.width - 2 * Style.gap5
                    spacing: Style.gap2
                    Repeater {
                        model: screen.rules.marks
                        Item {
                            id: line
                            required property string id
                            required property string name
                            required property string meaning
                            width: legend.width
                            height: Math.max(sign.height, words.height)
                            Accessible.role: Accessible.StaticText
                            Accessible.name: name + ": " + meaning
                            CheckMark {
                                id: sign
                                kind: line.id
                            }
                            Paragraph {
                                id: words
                                x: sign.width + Style.gap3
                                y: Math.max(0, (sign.height - Style.small * 1.4) / 2)
                                width: parent.width - x
                                text: line.name + ": " + line.meaning
                                size: Style.small
                                soft: true
                                Accessible.ignored: true
                            }
                        }
                    }
                }
            }

            Repeater {
                model: screen.rules.sections
                RuleSection {
                    width: parent.width
                }
            }

            Paragraph {
                visible: screen.rules.found === 0
                width: parent.width
                horizontalAlignment: Text.AlignHCenter
                text: qsTr("No rule here contains “%1”.").arg(screen.rules.search)
                soft: true
            }
            Item { width: 1; height: Style.gap4 }
        }
    }
}
