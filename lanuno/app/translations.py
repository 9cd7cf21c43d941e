"""Which language is spoken, and the change of it while the program runs.

The words themselves are in resources/i18n: one .ts for each language, compiled to .qm by
packaging/compile_languages.py.
"""

from __future__ import annotations

import logging
import os
from typing import Final

from PySide6.QtCore import QCoreApplication, QLocale, QObject, QTranslator

from lanuno.client.texts import Language, choose_language
from lanuno.store.errors import StoreError
from lanuno.store.resources import resource

_log = logging.getLogger(__name__)

LOCALES: Final = {"es": QLocale.Language.Spanish, "en": QLocale.Language.English}


class Translations(QObject):
    """The translator that is installed."""

    def __init__(self, parent: QObject | None = None) -> None:
        """Nothing is translated before `install`."""
        super().__init__(parent)
        self._installed: QTranslator | None = None
        self.language: Language = "en"
        """What is spoken now."""

    def install(self, wanted: str) -> bool:
        """Speak this language, or the system's for ""; whether the words are there."""
        self.language = choose_language(wanted or None, os.environ)
        QLocale.setDefault(QLocale(LOCALES[self.language]))
        self.remove()
        translator = QTranslator(self)
        try:
            path = resource("i18n", f"lanuno_{self.language}.qm")
        except StoreError:
            _log.info("no compiled translation for %s", self.language)
            return False
        if not translator.load(str(path)):
            _log.warning("the translation for %s is damaged", self.language)
            return False
        QCoreApplication.installTranslator(translator)
        self._installed = translator
        return True

    def remove(self) -> None:
        """Translate nothing any more: the words in the sources are shown."""
        if self._installed is not None:
            QCoreApplication.removeTranslator(self._installed)
            self._installed = None
