"""A voice that is a process: it reads sentences from its input, a line each, and speaks them.

Nothing of what is spoken ever stands on a command line or is read by a shell as more than a line.
"""

import os
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress

from shutbox.term.speech import spoken

BEFORE_EACH = 'while IFS= read -r line; do printf "%s\\n" "$line" | "$@" || exit; done'
"""For `sh -c`: runs a program that speaks its whole input, once for each line."""

SAPI = """
Add-Type -AssemblyName System.Speech
[Console]::InputEncoding = New-Object System.Text.UTF8Encoding $false
$voice = New-Object System.Speech.Synthesis.SpeechSynthesizer
$voice.Rate = [int]$env:SHUTBOX_SAPI_RATE
if ($env:SHUTBOX_SAPI_VOICE) { try { $voice.SelectVoice($env:SHUTBOX_SAPI_VOICE) } catch { } }
while ($null -ne ($line = [Console]::In.ReadLine())) {
    if ($line) { [void]$voice.SpeakAsync($line) } else { $voice.SpeakAsyncCancelAll() }
}
while ($voice.State -ne 'Ready') { Start-Sleep -Milliseconds 50 }
"""
"""For PowerShell, which takes a second to start and so has to stay: an empty line is silence."""


class ProcessVoice:
    """A program that speaks each line of its input.

    It is silenced by ending it, and started anew by the next sentence; or, where `silence` is
    given, by these bytes. `settings` are added to its environment.
    """

    def __init__(
        self,
        command: Sequence[str],
        settings: Mapping[str, str] | None = None,
        silence: bytes = b"",
    ) -> None:
        self._command = tuple(command)
        self._settings = dict(settings or {})
        self._silence = silence
        self._process: subprocess.Popen[bytes] | None = self._started()

    def say(self, sentence: str) -> None:
        """Speak a sentence after those that are still to be spoken."""
        if not (text := spoken(sentence)):
            return
        if self._process is None:
            self._process = self._started()
        self._write(self._process, text.encode("utf-8", "replace") + b"\n")

    def stop(self) -> None:
        """Be silent at once, and forget what was still to be spoken."""
        process = self._process
        if process is None or process.poll() is not None:  # died by itself: the next sentence tells
            return
        if self._silence:
            self._write(process, self._silence)
            return
        self._process = None
        _end(process)

    def close(self) -> None:
        """There is nothing more to say: the program ends once it has spoken what it was given."""
        process, self._process = self._process, None
        if process is not None and process.stdin is not None:
            with suppress(OSError):
                process.stdin.close()

    def _started(self) -> subprocess.Popen[bytes]:
        process = subprocess.Popen(
            self._command,
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env={**os.environ, **self._settings},
            bufsize=0,
            start_new_session=True,  # Ctrl-C and Ctrl-Z are meant for the game
        )
        if sys.platform != "win32" and process.stdin is not None:
            os.set_blocking(process.stdin.fileno(), False)  # a voice that hangs must not hold us
        return process

    def _write(self, process: subprocess.Popen[bytes], line: bytes) -> None:
        if process.stdin is None or process.poll() is not None:
            raise OSError(f"{self._command[0]} has ended")
        if process.stdin.write(line) != len(line):
            raise OSError(f"{self._command[0]} does not listen")


def _end(process: subprocess.Popen[bytes]) -> None:
    """End a voice and what it has started; wait until it is gone, which is at once."""
    with suppress(OSError):
        if sys.platform == "win32":
            process.kill()
        else:
            os.killpg(process.pid, signal.SIGKILL)
    if process.stdin is not None:
        with suppress(OSError):
            process.stdin.close()
    process.wait()
