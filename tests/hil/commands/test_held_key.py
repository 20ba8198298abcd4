"""What a terminal tells of a key that is held: nothing with its first characters, nothing with a heap."""

import pytest

from hil.commands.held_key import REPEAT_S, HeldKey


def beats(times: list[float], counts: list[int] | None = None) -> list[float]:
    """The instants of those characters that tell of a held key."""
    key = HeldKey()
    counts = counts or [1] * len(times)
    return [t for t, n in zip(times, counts, strict=True) if key.look(t, n)]


@pytest.mark.parametrize("delay", [0.25, 0.4, 0.66])
@pytest.mark.parametrize("rate", [10.0, 25.0, 40.0])
def test_the_first_gap_moves_nothing_and_the_stream_does(delay: float, rate: float) -> None:
    """Every usual delay and rate: from the first repeats on, until the last one."""
    stream = [0.0, *(delay + k / rate for k in range(30))]
    told = beats(stream)
    assert told == stream[3:] and told[0] >= delay + 2.0 / rate - 1e-12


def test_single_strokes_move_nothing() -> None:
    """Typed as quickly as a finger does, and a press let go before it repeats."""
    assert not beats([0.0, 0.2, 0.4, 0.6, 0.8])
    assert not beats([0.0])
    assert not beats([0.0, 0.1])


def test_a_heap_is_one_character() -> None:
    """What waited while nobody read: however many, it is no stream, and ends one."""
    assert not beats([0.0, 1.0], [1, 40])
    held = [0.04 * k for k in range(10)]
    assert beats([*held, held[-1] + 0.5, held[-1] + 0.54], [1] * 10 + [12, 1])[-1] == held[-1]


def test_after_a_pause_it_begins_anew() -> None:
    """Let go and pressed again: the delay of the terminal moves nothing the second time either."""
    first = [0.04 * k for k in range(10)]
    second = [2.0, 2.25, 2.29, 2.33]
    assert [t for t in beats([*first, *second]) if t >= 2.0] == [2.33]
    assert REPEAT_S < 0.25


def test_what_was_forgotten_counts_no_more() -> None:
    """After a slow answer the stream must begin anew."""
    key = HeldKey()
    assert [key.look(0.04 * k, 1) for k in range(4)] == [False, False, True, True]
    key.forget()
    assert [key.look(0.16 + 0.04 * k, 1) for k in range(3)] == [False, False, True]
    assert not key.look(0.3, 0)
