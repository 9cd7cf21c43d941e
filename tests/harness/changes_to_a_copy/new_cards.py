"""Two new cards in a separate deck, added as extending.md describes.

"Discard All", one in each colour, asks its player for more cards of its colour. "Swap Hands" is
wild, and has the effect that a house rule gives to a 7.
"""

from __future__ import annotations

from pathlib import Path

from tests.harness.changes_to_a_copy.changed_project import ChangedProject

DECK = 116

ENGLISH = {
    "rank.discard_all": "Discard All",
    "rank.swap_hands": "Swap Hands",
    "cards.discard_all": "There is Discard All, too: {count} in each colour.",
    "cards.swap_hands": "{count} Swap Hands have no colour either.",
    "cards.trade_swap_hands": "Hands change owners by a Swap Hands.",
    "scoring.discard_all": "Discard All: {points} points.",
    "scoring.swap_hands": "Swap Hands: {points} points.",
    "start.discard_all": "Discard All: nothing happens.",
    "start.swap_hands": (
        "Swap Hands: the player on the dealer's left names a colour, and then plays."
    ),
    "actions.discard_all": (
        "Discard All: you may also play other cards of its colour, which have no effect."
    ),
    "actions.swap_hands": "Swap Hands: you name any colour, and exchange hands with a player.",
    "question.discard_all.own": "Play more cards of this colour, or keep them",
    "question.discard_all.other": "{name} may play more cards of this colour",
    "timers.discard_all": (
        "If nothing more is played in time after a Discard All, the cards are kept."
    ),
}
SPANISH = {
    "rank.discard_all": "Descarta todo",
    "rank.swap_hands": "Cambia manos",
    "cards.discard_all": "También hay Descarta todo: {count} de cada color.",
    "cards.swap_hands": "Y hay {count} Cambia manos, también sin color.",
    "cards.trade_swap_hands": "Las manos cambian de jugador con un Cambia manos.",
    "scoring.discard_all": "Descarta todo: {points} puntos.",
    "scoring.swap_hands": "Cambia manos: {points} puntos.",
    "start.discard_all": "Descarta todo: no pasa nada.",
    "start.swap_hands": "Cambia manos: el jugador siguiente al repartidor elige un color y juega.",
    "actions.discard_all": (
        "Descarta todo: también puedes jugar otras cartas de su color, que no tienen efecto."
    ),
    "actions.swap_hands": "Cambia manos: eliges un color y cambias tu mano con otro jugador.",
    "question.discard_all.own": "Juega más cartas de este color, o quédate con ellas",
    "question.discard_all.other": "{name} puede jugar más cartas de este color",
    "timers.discard_all": "Si después de un Descarta todo se acaba el tiempo, no se juegan más.",
}

HINTS = (
    (
        "en",
        "The larger deck has four more Wild cards.",
        f"{DECK} cards: with Discard All and Swap Hands; 112 cards: with four more Wild cards.",
    ),
    (
        "es",
        "La baraja grande tiene cuatro comodines más.",
        f"{DECK} cartas: con Descarta todo y Cambia manos; 112 cartas: con cuatro comodines más.",
    ),
)
"""The texts of the deck's setting, before and after the change."""


def add_cards(project: ChangedProject) -> None:
    """Add the ranks, the deck, the effects and the texts."""
    project.insert_after(
        "lanuno/rules/cards.py",
        '        RankTraits(50, text="+4", is_wild=True, draws=4, starts=False, restricted=True),\n'
        "    )\n",
        '    DISCARD_ALL = 15, RankTraits(20, icon="cards")\n'
        '    SWAP_HANDS = 16, RankTraits(50, icon="swap", is_wild=True)\n',
    )
    project.insert_after(
        "lanuno/rules/decks.py",
        "        112: {**_COLOURED, Rank.WILD: 8, Rank.WILD_FOUR: 4},\n",
        f"        {DECK}: {{\n"
        "            **_COLOURED,\n"
        "            Rank.DISCARD_ALL: 1,\n"
        "            Rank.WILD: 4,\n"
        "            Rank.WILD_FOUR: 4,\n"
        "            Rank.SWAP_HANDS: 4,\n"
        "        },\n",
    )
    effects = "lanuno/rules/engine/card_effects.py"
    project.add("lanuno/rules/engine/discard_all.py", Path(__file__).with_name("discard_all.py"))
    project.insert_before(
        effects,
        "from lanuno.rules.engine.effects import",
        "from lanuno.rules.engine.discard_all import DISCARD_ALL\n",
    )
    project.insert_before(
        effects,
        "from lanuno.rules.engine.state import",
        "from lanuno.rules.engine.moving_hands import SWAP_HANDS\n",
    )
    project.insert_after(
        effects,
        "        Rank.WILD_FOUR: Effect(_hit),\n",
        "        Rank.DISCARD_ALL: DISCARD_ALL,\n        Rank.SWAP_HANDS: SWAP_HANDS,\n",
    )
    project.add_texts("en", ENGLISH)
    project.add_texts("es", SPANISH)
    for language, before, after in HINTS:
        project.replace(
            f"resources/languages/{language}.po", f'msgstr "{before}"', f'msgstr "{after}"'
        )
    project.compile_languages()
