"""Words that lead to a command, and completions, which only an installed shutbox has.

`tests/wheel.sh` uses them after an installation.
"""

import pytest

from shutbox.cli.main import main


def test_a_clone_has_no_completions(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["completion", "bash"]) == 1
    assert "pip install ." in capsys.readouterr().err


@pytest.mark.parametrize(
    ("typed", "meant"),
    [("solve", "odds"), ("value", "odds"), ("hint", "advise"), ("new", "play"), ("list", "games")],
)
def test_words_of_other_programs_lead_to_the_command(
    typed: str, meant: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as stopped:
        main([typed, "classic"])
    assert stopped.value.code == 2
    assert f"there is no {typed}; did you mean {meant}?" in capsys.readouterr().err
