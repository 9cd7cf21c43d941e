"""Which language is spoken, and the change of it while the program runs.

The words themselves are in resources/languages: one .po for each language, compiled to the .qm that
is loaded here by packaging/compile_languages.py.
"""

from __future__ import annotations

import logging
import os

from PySide6.QtCore import QCoreApplication, QLocale, QObject, QTranslator

from lanuno.app.texts import LANGUAGE_PROPERTY
from lanuno.client.languages import SOURCE, Language, choose_language
from lanuno.store.errors import StoreError
from lanuno.store.resources import resource

_log = logging.getLogger(__name__)


class Translations(QObject):
    """The translator that is installed."""

    def __init__(self, parent: QObject | None = None) -> None:
        """Nothing is translated before `install`."""
        super().__init__(parent)
        self._installed: QTranslator | None = None
        self.language: Language = SOURCE
        """What is spoken now."""

    def install(self, wanted: str) -> bool:
        """Speak this language, or the system's for ""; whether the words are there."""
        self.remove()
        try:
            language = choose_language(wanted or None, os.environ)
            path = resource("languages", f"{language}.qm")
        except StoreError as error:
            _log.warning("the window has no translation: %s", error)
            return False
        self.language = language
        QLocale.setDefault(QLocale(language))
        application = QCoreApplication.instance()
        if application is not None:
            application.setProperty(LANGUAGE_PROPERTY, language)
        translator = QTranslator(self)
        if not translator.load(str(path)):
            _log.warning("the translation for %s is damaged", language)
            return False
        QCoreApplication.installTranslator(translator)
        self._installed = translator
        return True

    def remove(self) -> None:
        """Translate nothing any more: the words in the sources are shown."""
        if self._installed is not None:
            QCoreApplication.removeTranslator(self._installed)
            self._installed = None
