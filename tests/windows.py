"""Hides what Windows lacks: call `hide` before shutbox is imported.

This simulates Windows: features that Python has only on Unix are hidden, and Python reports that it
runs on Windows. Files, paths and processes stay those of this system.
"""

import multiprocessing.connection  # noqa: F401 - what looks once where it runs, while it is here
import os
import select
import signal
import socket
import subprocess  # noqa: F401
import sys
from contextlib import suppress

with suppress(ImportError):
    import numpy  # noqa: F401

MODULES = (
    "curses",
    "fcntl",
    "grp",
    "pty",
    "pwd",
    "readline",
    "resource",
    "syslog",
    "termios",
    "tty",
)
SIGNALS = {"SIGABRT", "SIGBREAK", "SIGFPE", "SIGILL", "SIGINT", "SIGSEGV", "SIGTERM"}
"""The signals that Windows has."""
NAMES = {
    os: """chown chroot fchmod fchown fork forkpty getegid geteuid getgid getloadavg getpgid
        getpriority getuid killpg mkfifo nice openpty posix_fadvise pread pwrite register_at_fork
        sched_getaffinity sched_setaffinity sendfile setpriority setsid statvfs sync wait waitid
        O_CLOEXEC O_DIRECTORY O_NOFOLLOW O_NONBLOCK""",
    select: "epoll poll",
    signal: "alarm getitimer pause pthread_kill pthread_sigmask setitimer siginterrupt sigwait",
    socket: "AF_UNIX",
}


def hide() -> None:
    """Hide all of it for the rest of this Python process."""
    for module in MODULES:
        sys.modules[module] = None  # type: ignore[assignment]
    for name in dir(signal):
        if name.startswith("SIG") and not name.startswith("SIG_") and name not in SIGNALS:
            delattr(signal, name)
    for place, names in NAMES.items():
        for name in names.split():
            if hasattr(place, name):
                delattr(place, name)
    sys.platform = "win32"
