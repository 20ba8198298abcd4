"""The waits of a run as rows of its report: in all, and the longest ones."""

from collections.abc import Sequence

from hil.messaging.messages import Wait

MOST_ROWS = 20


def waits_rows(waits: Sequence[Wait], begin_ns: int) -> list[tuple[str, str]]:
    """Return when, and how long for which process emulated time stood; the longest ones, by time.

    Args:
        waits: of the run.
        begin_ns: from which instants are counted.
    """
    longest = sorted(waits, key=lambda wait: -wait.duration)[:MOST_ROWS]
    return [
        (f"{1e-9 * (wait.t_ns - begin_ns):.2f} s", f"{wait.duration:.3f} s for the {wait.process}")
        for wait in sorted(longest, key=lambda wait: wait.t_ns)
    ]


def waits_words(waits: Sequence[Wait]) -> str:
    """Return in a sentence what was waited for; empty if nothing was."""
    if not waits:
        return ""
    longest = max(waits, key=lambda wait: wait.duration)
    return (
        f"The machine was busy: emulated time waited {waits[-1].total:.1f} s in {len(waits)} waits, the "
        f"longest {longest.duration:.2f} s for the {longest.process}. The loop sees nothing of them: all "
        "times here are emulated ones."
    )
