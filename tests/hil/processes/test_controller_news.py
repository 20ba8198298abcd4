"""What the controller alone tells: why command mode was left, once; its skipped cycles apart from misses."""

from drivers.fri.layout import SessionState
from hil.processes.controller_news import SPAN_S, Changes, SkippedCycles, skipped_words

MONITOR, COMMAND = SessionState.MONITOR, SessionState.COMMAND


def test_why_it_falls_back_is_said_once_for_each_kind() -> None:
    """A client that comes again and again fills no page; another reason is another line; all are counted."""
    changes, said = Changes(), []
    for k in range(50):
        said += changes.news(MONITOR, f"{20 + k} answers missed in a row" if k else "", "")
        said += changes.news(COMMAND, "", "")
        said += changes.news(COMMAND, "", "")
    said += changes.news(MONITOR, "drives off", "")
    said += changes.news(COMMAND, "drives off", "A1 is too fast")
    assert said == [
        "monitor mode", "command mode", "back to monitor mode: 21 answers missed in a row", "command mode",
        "back to monitor mode: drives off", "a command breaks a limit: A1 is too fast", "command mode",
    ]  # fmt: skip
    assert changes.falls() == [
        "left command mode 49 times: 21 answers missed in a row",
        "left command mode 1 times: drives off",
    ]


def test_skipped_cycles_are_told_when_they_are_many_and_again_when_they_return() -> None:
    """One in ten is told once, one in a thousand is not; after a good stretch it is told anew."""
    skips, lines, cycle = SkippedCycles(0.002), [], 0
    per_span = round(SPAN_S / 0.002)
    for every in (1000, 10, 10, 10**9, 10):
        for _ in range(per_span):
            cycle += 1
            if cycle % every and (line := skips.sent(cycle)):
                lines.append(line)
    assert len(lines) == 2 and all("lost packets" in line and "too late to send" in line for line in lines)
    assert "(10.0%)" in lines[0]
    assert skipped_words(0, 100) == "0 of them skipped, which this machine was too late to send"
