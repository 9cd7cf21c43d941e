"""The current language, and changing it while the program runs.

The texts are in resources/languages: one .po for each language, which
packaging/compile_languages.py compiles to the .qm that is loaded here.
"""

from __future__ import annotations

import logging
import os
from typing import Final

from PySide6.QtCore import QCoreApplication, QLibraryInfo, QLocale, QObject, QTranslator

from lanuno.app.texts import LANGUAGE_PROPERTY
from lanuno.client.languages import (
    SOURCE,
    Language,
    catalogue,
    choose_language,
    with_fallbacks,
)
from lanuno.store.errors import FileProblem, StoreError
from lanuno.store.resources import resource

_log = logging.getLogger(__name__)


OF_QT: Final = ("qtbase", "qtdeclarative")
"""The catalogues of Qt itself: the buttons of a dialog where the desktop has none of its own."""


class Translations(QObject):
    """The installed translators."""

    def __init__(self, parent: QObject | None = None) -> None:
        """Translate nothing before `install`."""
        super().__init__(parent)
        self._installed: list[QTranslator] = []
        self.language: Language = SOURCE
        """The current language."""

    def install(self, wanted: str) -> bool:
        """Install a language, or the system's for ""; English if the files are damaged.

        Returns whether the chosen language is installed. Raises `StoreError` if English is damaged,
        too.
        """
        chosen = choose_language(wanted or None, os.environ, QLocale.system().uiLanguages())
        try:
            translators = self._loaded(chosen)
            language = chosen
        except StoreError as error:
            _log.warning("the window speaks English: %s", error)
            translators = self._loaded(SOURCE)
            language = SOURCE
        self.remove()
        self._set_language(language)
        for translator in translators:
            QCoreApplication.installTranslator(translator)
        self._installed = translators
        return language == chosen

    def _loaded(self, language: Language) -> list[QTranslator]:
        """Load the translators to install. Qt asks the last first: language, fallbacks, Qt's own.

        Raises `StoreError` if a file is missing or damaged, including the catalogue of messages.
        """
        catalogue(language)
        loaded = []
        folder = QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath)
        for name in OF_QT:
            of_qt = QTranslator(self)
            # Qt lacks some languages.
            if of_qt.load(QLocale(language), name, "_", folder):
                loaded.append(of_qt)
        for each in reversed(with_fallbacks(language)):
            path = resource("languages", f"{each}.qm")
            ours = QTranslator(self)
            if not ours.load(str(path)):
                raise StoreError(FileProblem.DAMAGED, path)
            loaded.append(ours)
        return loaded

    def remove(self) -> None:
        """Remove the translators, so that everything is English, as in the sources."""
        while self._installed:
            translator = self._installed.pop()
            QCoreApplication.removeTranslator(translator)
            translator.deleteLater()
        self._set_language(SOURCE)

    def _set_language(self, language: Language) -> None:
        self.language = language
        QLocale.setDefault(QLocale(language))
        application = QCoreApplication.instance()
        if application is not None:
            application.setProperty(LANGUAGE_PROPERTY, language)
