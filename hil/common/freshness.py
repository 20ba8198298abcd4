"""Whether what was said at an instant still holds: judged by host time alone, in both directions.

No sample's stamp has a say: stamps are the controller's time, which may lie behind the host's. And what seems
to come from the future is no fresher than what is old: a clock has stepped, or is known badly.
"""

AHEAD_NS = 20_000_000  # an instant of another host's clock may seem to lie ahead by what that is known to


def is_fresh(now_ns: int, said_ns: int, timeout_ns: int) -> bool:
    """Return whether what was said at `said_ns` holds at `now_ns`: at most `timeout_ns` old, nor to come."""
    return -AHEAD_NS <= now_ns - said_ns <= timeout_ns
