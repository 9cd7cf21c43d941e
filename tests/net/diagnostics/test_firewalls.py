"""Which firewalls are detected, from files that a test writes."""

from __future__ import annotations

from pathlib import Path

from lanuno.net.diagnostics.firewalls import Firewall, active


def test_firewalls_are_seen_by_their_files(tmp_path: Path) -> None:
    assert active(tmp_path, "linux") == ()
    conf = tmp_path / "etc" / "ufw" / "ufw.conf"
    conf.parent.mkdir(parents=True)
    conf.write_text("# ENABLED=yes\nENABLED=no\n")
    assert active(tmp_path, "linux") == ()
    conf.write_text('LOGLEVEL=low\nENABLED="yes"\n')
    assert active(tmp_path, "linux") == (Firewall.UFW,)
    (tmp_path / "run" / "firewalld").mkdir(parents=True)
    assert active(tmp_path, "linux") == (Firewall.UFW, Firewall.FIREWALLD)
    conf.write_bytes(b"\xff")
    assert active(tmp_path, "linux") == (Firewall.FIREWALLD,)
    assert active(tmp_path, "win32") == (Firewall.WINDOWS,)
    assert active(tmp_path, "darwin") == (Firewall.MACOS,)
