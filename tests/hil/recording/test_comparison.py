"""What a replayed core says against what was recorded of it."""

import numpy as np

from hil.messaging.messages import Witness
from hil.recording.protobuf import coder_of
from hil.recording.replaying.comparison import Expected, Verdict


def said(t_ns: int, value: float = 1.0) -> Witness:
    """A message."""
    return Witness(t_ns, 1, 0, np.full(6, value))


def expected(*messages: Witness) -> tuple[Verdict, Expected]:
    """A verdict, and the messages that it awaits."""
    verdict = Verdict("driver")
    rows = [(msg.t_ns, coder_of(Witness).encode(msg)) for msg in messages]
    return verdict, Expected(verdict, "witness", Witness, rows)


def test_the_same_to_the_bit_is_the_same_and_nothing_else() -> None:
    """Two of one instant are awaited one after the other; the last bit of one number is a difference."""
    verdict, awaited = expected(said(10), said(10, 2.0), said(20))
    for msg in (said(10), said(10, 2.0), said(20, np.nextafter(1.0, 2.0))):
        awaited.hear(msg)
    awaited.rest(0, 100)
    assert verdict.compared["witness"] == 3 and verdict.different["witness"] == 1
    assert verdict.first[0].t_ns == 20 and "disagreement: by up to 2.22e-16" in verdict.first[0].text
    assert not verdict.same


def test_what_is_said_twice_or_no_longer_is_a_difference() -> None:
    """Said again though recorded once; not said at all; beyond the recording's end nothing is judged."""
    verdict, awaited = expected(said(10), said(20), said(30))
    for msg in (said(10), said(10), said(30), said(40)):
        awaited.hear(msg)
    awaited.rest(0, 25)
    awaited.rest(26, 100)
    assert [(d.t_ns, d.text) for d in verdict.first] == [(10, "was not said then"), (20, "is not said now")]
    assert verdict.compared["witness"] == 4


def test_nothing_compared_is_no_agreement() -> None:
    """An empty verdict is not `same`."""
    assert not Verdict("driver").same
    verdict, awaited = expected(said(10))
    awaited.hear(said(10))
    assert verdict.same
