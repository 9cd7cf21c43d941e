"""Which language is spoken, and the change of it while the program runs.

The words themselves are in resources/languages: one .po for each language, compiled to the .qm that
is loaded here by packaging/compile_languages.py.
"""

from __future__ import annotations

import logging
import os
from typing import Final

from PySide6.QtCore import QCoreApplication, QLibraryInfo, QLocale, QObject, QTranslator

from lanuno.app.texts import LANGUAGE_PROPERTY
from lanuno.client.languages import SOURCE, Language, choose_language
from lanuno.store.errors import StoreError
from lanuno.store.resources import resource

_log = logging.getLogger(__name__)


OF_QT: Final = ("qtbase", "qtdeclarative")
"""The catalogues of Qt itself: the buttons of a dialog where the desktop has none of its own."""


class Translations(QObject):
    """The translators that are installed."""

    def __init__(self, parent: QObject | None = None) -> None:
        """Nothing is translated before `install`."""
        super().__init__(parent)
        self._installed: list[QTranslator] = []
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
        locale = QLocale(language)
        QLocale.setDefault(locale)
        application = QCoreApplication.instance()
        if application is not None:
            application.setProperty(LANGUAGE_PROPERTY, language)
        folder = QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath)
        for name in OF_QT:
            of_qt = QTranslator(self)
            # Qt does not know every language.
            if of_qt.load(locale, name, "_", folder):
                self._add(of_qt)
        ours = QTranslator(self)
        if not ours.load(str(path)):
            _log.warning("the translation for %s is damaged", language)
            return False
        self._add(ours)
        return True

    def _add(self, translator: QTranslator) -> None:
        """Install it; it is asked before those that are installed already."""
        QCoreApplication.installTranslator(translator)
        self._installed.append(translator)

    def remove(self) -> None:
        """Translate nothing any more: the words in the sources are shown."""
        while self._installed:
            translator = self._installed.pop()
            QCoreApplication.removeTranslator(translator)
            translator.deleteLater()
