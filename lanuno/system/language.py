"""The languages of the user, as the system has them set."""

from __future__ import annotations

import sys

if sys.platform == "win32":
    import ctypes
    import locale

    def ui_languages() -> tuple[str, ...]:
        number = ctypes.WinDLL("kernel32").GetUserDefaultUILanguage()
        name = locale.windows_locale.get(number)
        return () if name is None else (name,)

else:

    def ui_languages() -> tuple[str, ...]:
        """Return the languages that no environment variable says, the most wanted first.

        On other systems than Windows, variables say them: there are none here.
        """
        return ()
