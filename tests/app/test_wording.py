"""Tests of the wording: no text has a banned phrase, and every text has its translation.

resources/docs/translating.md has the Spanish vocabulary. Each banned phrase is listed with a better
one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Final

import catalogues
import pytest

from lanuno.app.desktop import translatable
from lanuno.client.languages import SOURCE, Language, languages
from tests.harness.catalogues import ids, with_context

ROOT = Path(__file__).resolve().parents[2]
RESOURCES = ROOT / "resources"
Text = tuple[str, str]
"""The place of a text, and the text."""

BANNED: Final[dict[Language, dict[str, str]]] = {
    "en": {
        r"\b[Ww]hoever\b": "the player who, players who",
        r"\b[Ss]o long (?:a|the)\b": "how long",
        r"\bit stands here": "it appears here",
        r"\bdirection turns": "Ada reverses",
        r"\basleep\b": "disconnected",
        r"^Last$": "Last move",
        r"^Another card$": "Take back, Choose a card",
        r"^all$": "until somebody wins",
        r"[Ee]very real one": "All",
        r"for what (?:is shown|has to be shown)": "to see the last move",
        r"sits? (?:in )?between": "nobody is pretending to be one of you",
        r"\b(?:gone|go) on with\b": "continue",
        r"\bcounts? for nothing\b": "does not count",
        r"\basks for a PIN": "needs a PIN",
        r"\bno longer owes|owes it no longer|\bowes it\b": "no longer has to say it",
        r"\b(?:be|been|just) laid\b|\bmay lay\b": "play, played",
        r"\bin this network\b": "on this network",
        r"\bmay lie\b": "is allowed",
    },
    "es": {
        # Phrases that players found odd.
        r"(?:\d|\}) Comodín\b": "{n} comodines, {n} comodines toma cuatro",
        r"debes? decir «UNO»": "tiene que decir «UNO»",
        r"leer tu mano": "ver tus cartas",
        r"se abren todas las suyas": "se descubren todas las manos",
        r"[Cc]ontarse las cartas": "decirse las cartas",
        r"demasiado lenta para ello": "para que nadie pierda por una conexión lenta",
        r"cambi\w+ de dirección": "cambia el sentido",
        r"que uno quede\b": "hasta que alguien gane el desempate",
        r"que nadie impuso": "decide tomar una carta",
        r"donde estaba antes este anfitrión": "en la última dirección de este anfitrión",
        r"^directo$": "en vivo",
        r"por lo que se muestra": "para ver la última jugada",
        r"nadie entre vuestros": "nadie se hace pasar por otra persona",
        # Chains of "quien", and "quien" for a player whose role has a name.
        r"quien va detrás": "el siguiente jugador",
        r"(?:^|[.;:] )[Qq]uien(?:es)? ": "el jugador que, si",
        r"\bquien\b.*\bquien\b": "repartidor, desafiante, ganador, el siguiente jugador",
        r"\b(?:a|de) quien(?:es)? (?:est|repart|desaf|jueg|gan|mir)\w+": "the same",
        # Forms for several people that only Spain uses.
        r"\b(?:[Vv]osotr[oa]s|[Vv]uestr[oa]s?|os|sois)\b": "todos, or nobody in particular",
        r"\b(?!pa[ií]s\b|ma[ií]s\b)\w+(?:áis|éis|ís)\b": "the third person",
        r"\b\w{3,}ad\b(?<!dad)(?<!tad)": "hay que, or tú",
        r"\b(?:abr|dec|escrib|eleg|ped|segu|sal|ven|añad|repart)id\b": "hay que, or tú",
        r"\b(?:hac|pon|ten|volv|mov|v|escog)ed\b": "hay que, or tú",
        r"\b\w+[aei]d(?:l[aoe]s?|me|nos)\b(?<!edades)": "hay que, or tú",
        # Words that are unknown, or mean something else, in Spain or in America.
        r"\b[Rr]ob(?!ot)[aeoáéó]\w*": "tomar",
        r"\b[Cc]o(?:g[eií]|j[aáo])\w*": "tomar, aceptar",
        r"\b[Pp]ill[aeoáéó]\w*": "atrapar",
        r"\b(?:ir|va|vas|van|iba|iban) de farol": "hacer un farol, era un farol",
        r"\b[Oo]rdenador(?:es)?\b": "equipo",
        r"\b[Cc]omputador\w*": "equipo",
        r"\b[Cc]ortafuegos\b": "firewall",
        r"\b[Rr]úter\b": "router",
        r"\b[Ss]itios? libres?\b": "asiento libre",
        r"\b[Pp]rotest(?:ar|a|e)\b": "objetar",
        r"\b[Pp]enalización\b": "castigo",
        r"descartes\b": "pila de descarte",
    },
}


@cache
def window_texts() -> frozenset[Text]:
    """Return every text in QML and Python that the window translates, with its context."""
    return frozenset((each.context, each.text) for each in catalogues.source_texts())


def texts(language: Language) -> Iterator[Text]:
    """Yield every text of a language that a person can read."""
    for key, forms in ids(language).items():
        yield from ((key, form) for form in forms)
    for context, _, forms in with_context(language):
        yield from ((context, form) for form in forms)
    if language == SOURCE:
        yield from window_texts()
        for path in sorted((RESOURCES / "desktop").iterdir()):
            yield from ((path.name, text) for text in translatable(path))


def found(language: Language, text: str) -> list[tuple[str, str]]:
    """Return the banned phrases of a text, each with a better one."""
    # Options, paths, file names and commands are not prose.
    prose = re.sub(r"--?[a-z][\w=.-]*|\S+[/\\]\S*|\S+\.lanuno\b|lanuno \w+", " ", text)
    return [
        (hit.group(), better)
        for pattern, better in BANNED.get(language, {}).items()
        if (hit := re.search(pattern, prose, re.MULTILINE))
    ]


@pytest.mark.parametrize("language", languages())
def test_no_text_has_a_banned_phrase(language: Language) -> None:
    """A failure shows each banned phrase with its place and a better phrase."""
    assert [
        (where, text, wrong) for where, text in texts(language) if (wrong := found(language, text))
    ] == []


@pytest.mark.parametrize("language", languages()[:-1])
def test_every_text_has_its_translation(language: Language) -> None:
    """After a failure: run `python packaging/catalogues.py update`, and add the translations."""
    known = {(context, text): forms for context, text, forms in with_context(language)}
    assert len(window_texts()) > 500
    assert sorted(window_texts() - known.keys()) == []
    assert [each for each, forms in known.items() if not all(forms)] == []


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "Whoever forgets it"),
        ("en", "In this deal, whoever has two"),
        ("en", "The direction turns"),
        ("en", "asleep, %1 s"),
        ("en", "So long a card waits before it takes effect."),
        ("es", "Además hay {wild} Comodín y {wild_four} Comodín toma cuatro, sin color."),
        ("es", "y ya no debe decir «UNO»"),
        ("es", "Salta: a quien está a la izquierda de quien reparte no le toca."),
        ("es", "las cartas se suman para quien va detrás."),
        ("es", "Quien gana la ronda ha ganado la partida."),
        ("es", "Actualizad los dos y vuelve a intentarlo."),
        ("es", "Si todos en la mesa veis estas mismas ocho cartas: decidlas en voz alta."),
        ("es", "en cuanto tú o tu pareja os quedáis sin cartas"),
        ("es", "Solo sois dos"),
        ("es", "Ana roba 2 cartas"),
        ("es", "Coger"),
        ("es", "¡Pillado!"),
        ("es", "Este ordenador"),
        ("es", "directo"),
    ],
)
def test_a_banned_phrase_is_found(language: Language, text: str) -> None:
    assert found(language, text)


@pytest.mark.parametrize(
    "text",
    [
        "La mitad de la verdad, con más velocidad y libertad, en esta ciudad de seis países.",
        "Usted tiene una red, una pared y sed en Madrid; después, además, inglés.",
        "¿Quién barajó? Nadie sabe quién gana.",
        "4 comodines y 4 comodines toma cuatro",
        "lanuno bot 192.168.1.20:47474 --name Robot --seed 7",
        "Un robot con quien ya jugaste",
        "todos, dos, nos, los, cosas; edades, medidas, salidas",
    ],
)
def test_ordinary_spanish_is_left_alone(text: str) -> None:
    assert found("es", text) == []
