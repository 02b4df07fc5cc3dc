"""A session bus of a test's own, that starts no more than the test needs."""

from pathlib import Path

# They are started as soon as a program asks for them, and mount a file system below
# `XDG_RUNTIME_DIR`, which outlives the test and cannot be removed.
_PORTALS = ("Desktop", "Documents")


def without_portals(home: Path) -> None:
    """Keep the bus of a session whose home this is from starting the desktop's portals.

    A service in the user's own folder is found before the system's of the same name.
    """
    services = home / ".local" / "share" / "dbus-1" / "services"
    services.mkdir(parents=True)
    for portal in _PORTALS:
        name = f"org.freedesktop.portal.{portal}"
        text = f"[D-BUS Service]\nName={name}\nExec=/bin/false\n"
        (services / f"{name}.service").write_text(text, encoding="utf-8")
