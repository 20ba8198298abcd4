"""What cannot be done with a base is refused in a line that says why, before anything starts."""

from pathlib import Path

import pytest

from hil.commands.cli import main

PLATFORM = str(Path(__file__).parents[3] / "configs" / "platform.toml")
OUTSIDE = ("--set", "base.vehicle=outside", "--set", "emulator.patient=false")


@pytest.mark.parametrize(
    ("words", "remedy"),
    [
        (["run", PLATFORM, "--paced", *OUTSIDE], "an outside program does not wait"),
        (["run", PLATFORM, "--set", "base.vehicle=outside"], "emulator.patient = false"),
        (["run", PLATFORM, "--set", "base.deck_mm=[[-600,-300],[500,300]]"], "end the deck sooner"),
    ],
)
def test_a_base_is_refused_in_one_line(
    words: list[str], remedy: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    """Status 2, one line with file or key and remedy; nothing is written."""
    monkeypatch.chdir(tmp_path)
    assert main(words) == 2
    said = capsys.readouterr().err.strip()
    assert said.startswith("zerog: ") and "\n" not in said and "base." in said and remedy in said
    assert not any(tmp_path.iterdir())
