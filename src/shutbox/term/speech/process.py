"""A voice that is a process: it reads sentences from its input, a line each, and speaks them.

Spoken text never appears on a command line, and a shell reads it only as a line of data.
"""

import os
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress

from shutbox.term.speech import spoken

BEFORE_EACH = 'while IFS= read -r line; do printf "%s\\n" "$line" | "$@" || exit; done'
"""For `sh -c`: runs a program once for each line, as it reads its whole input before it speaks."""

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
"""For PowerShell, which starts slowly and so keeps running: an empty line silences the voice."""


class ProcessVoice:
    """A program that speaks each line of its input.

    To silence it, it is killed, and the next sentence starts it again. If `silence` is given,
    these bytes are written to it instead. `settings` are added to its environment. Raises OSError
    if it cannot be started.
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
        """Queue a sentence. Raises OSError if the voice is dead."""
        if not (text := spoken(sentence)):
            return
        if self._process is None:
            self._process = self._started()
        self._write(self._process, text.encode("utf-8", "replace") + b"\n")

    def stop(self) -> None:
        """Stop speaking at once, and clear the queue. Raises OSError if the voice does not read."""
        process = self._process
        if process is None or process.poll() is not None:  # it died: the next sentence reports that
            return
        if self._silence:
            self._write(process, self._silence)
            return
        self._process = None
        _end(process)

    def close(self) -> None:
        """Close the input of the program, which ends once it has spoken everything in it."""
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
            os.set_blocking(process.stdin.fileno(), False)  # a hung voice must not block the game
        return process

    def _write(self, process: subprocess.Popen[bytes], line: bytes) -> None:
        if process.stdin is None or process.poll() is not None:
            raise OSError(f"{self._command[0]} has ended")
        if process.stdin.write(line) != len(line):
            raise OSError(f"{self._command[0]} does not listen")


def _end(process: subprocess.Popen[bytes]) -> None:
    """Kill a voice and what it has started, and wait for its end, which comes at once."""
    with suppress(OSError):
        if sys.platform == "win32":
            process.kill()
        else:
            os.killpg(process.pid, signal.SIGKILL)
    if process.stdin is not None:
        with suppress(OSError):
            process.stdin.close()
    process.wait()
