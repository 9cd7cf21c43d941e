"""A new house rule, added as extending.md says: a skipped player also draws a card."""

from __future__ import annotations

from pathlib import Path

from tests.harness.changes_to_a_copy.changed_project import ChangedProject

ENGLISH = {
    "setting.skip_draws.name": "Skip draws a card",
    "house.skip_draws": "A player who is passed over by a Skip also draws a card.",
    "start.skip_draws": "Skip: the player on the dealer's left draws a card and is passed over.",
    "actions.skip_draws": "Skip: the player after you draws a card and is passed over.",
}
SPANISH = {
    "setting.skip_draws.name": "Salta hace tomar una carta",
    "house.skip_draws": "El jugador que pierde el turno por un Salta también toma una carta.",
    "start.skip_draws": (
        "Salta: el jugador a la izquierda del repartidor toma una carta y pierde el turno."
    ),
    "actions.skip_draws": "Salta: el siguiente jugador toma una carta y pierde el turno.",
}


def add_house_rule(project: ChangedProject) -> None:
    """Add the field, the module, its line in the registry, and the texts."""
    project.insert_after(
        "lanuno/rules/ruleset.py",
        "    winner_deals: bool = False\n",
        "    skip_draws: bool = False\n",
    )
    folder = "lanuno/rules/engine/house_rules"
    project.add(f"{folder}/skip_draws.py", Path(__file__).with_name("skip_draws.py"))
    project.insert_before(
        f"{folder}/registry.py",
        "from lanuno.rules.engine.house_rules.stacking import",
        "from lanuno.rules.engine.house_rules.skip_draws import SKIP_DRAWS\n",
    )
    project.insert_after(
        f"{folder}/registry.py", "            WINNER_DEALS,\n", "            SKIP_DRAWS,\n"
    )
    project.add_texts("en", ENGLISH)
    project.add_texts("es", SPANISH)
    project.compile_languages()
