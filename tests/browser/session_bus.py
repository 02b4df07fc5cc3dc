"""A separate session bus for a test, which starts no more than the test needs."""

from pathlib import Path

# Portals start when a program asks for them, and mount a file system below `XDG_RUNTIME_DIR`. It
# outlives the test and cannot be removed.
_PORTALS = ("Desktop", "Documents")


def without_portals(home: Path) -> None:
    """Keep the session bus with this home folder from starting the desktop's portals.

    A service in the user's folder takes precedence over the system's service of the same name.
    """
    services = home / ".local" / "share" / "dbus-1" / "services"
    services.mkdir(parents=True)
    for portal in _PORTALS:
        name = f"org.freedesktop.portal.{portal}"
        text = f"[D-BUS Service]\nName={name}\nExec=/bin/false\n"
        (services / f"{name}.service").write_text(text, encoding="utf-8")
