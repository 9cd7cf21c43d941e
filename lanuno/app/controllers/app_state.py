"""The app state, which is kept between starts and shared by all controllers that change it.

It is written at every change, because changes are rare.
"""

from __future__ import annotations

import logging
from typing import Any

import msgspec

from lanuno.app.controllers.navigator import Navigator
from lanuno.app.problem_texts import store_problem
from lanuno.store.app_state import AppState, KnownPlace, load_app_state, save_app_state
from lanuno.store.errors import StoreError

_log = logging.getLogger(__name__)


class SavedAppState:
    """The newest app state, and saving it."""

    def __init__(self, navigator: Navigator) -> None:
        """Load it; a file that cannot be read is reported and replaced by defaults."""
        self._navigator = navigator
        self.state, trouble = load_app_state(navigator.home_folders)
        if trouble is not None:
            navigator.notice(store_problem(trouble), "error")

    def change(self, **parts: Any) -> None:
        """Replace parts of the app state. `parts`: fields of `AppState`."""
        self._keep(msgspec.structs.replace(self.state, **parts))

    def remember_host(self, place: KnownPlace) -> None:
        """Remember the address of a host."""
        self._keep(self.state.with_place(place))

    def _keep(self, changed: AppState) -> None:
        if changed == self.state:
            return
        self.state = changed
        try:
            save_app_state(self._navigator.home_folders, changed)
        except (StoreError, ValueError) as error:
            # A small loss: the next start only remembers less.
            _log.warning("not remembered: %s", error)
