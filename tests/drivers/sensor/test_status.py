"""Status words in words, and which of them end the trust."""

import pytest

from drivers.sensor.status import AXIA, MONITOR, NET, is_serious, status_in_words


def test_well_says_nothing_and_a_monitor_is_not_serious() -> None:
    """0 is well; a threshold of the user's own is told and no more."""
    assert status_in_words(0, "net") == "" and not is_serious(0)
    assert "monitor" in status_in_words(MONITOR, "net") and not is_serious(MONITOR)


@pytest.mark.parametrize("bit", [*range(31)])
def test_every_other_bit_is_serious_and_has_a_word(bit: int) -> None:
    """With the summary bit and without it; a bit that no manual names says its number."""
    status = 1 << bit
    assert is_serious(status)
    assert is_serious(status | 1 << 31) == (bit != 16)
    assert status_in_words(status, "net") == NET.get(bit, f"bit {bit}")
    assert status_in_words(status, "axia") == AXIA.get(bit, f"bit {bit}")


def test_several_bits_are_told_with_the_highest_first() -> None:
    """Saturation with a warm board; and the summary alone has a word as well."""
    assert status_in_words(0x80020004, "net") == (
        "transducer saturated, or converter error, internal temperature out of range"
    )
    assert is_serious(1 << 31) and status_in_words(1 << 31, "net") == "an error that it does not name"
