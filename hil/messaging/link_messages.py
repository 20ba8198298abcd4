"""What the two bridges of a split run say to each other and to their own host.

Questions and answers travel between the hosts as they are: each instant in them is of the clock of the
host that took it.
"""

from hil.messaging.codec import Message, message, scalar_field


@message
class LinkQuestion(Message):
    """A bridge asks the other for the time; `t_ns` is when it asked."""

    number: int = scalar_field("int")


@message
class LinkAnswer(Message):
    """The answer; `t_ns` and `heard_ns` are of the answering host's clock, `asked_ns` is the question's."""

    number: int = scalar_field("int")
    asked_ns: int = scalar_field("int", "ns")
    heard_ns: int = scalar_field("int", "ns")
    stamp: str = scalar_field("str")  # of the answering host's configuration
    trouble: str = scalar_field("str")  # why the answering bridge passes nothing on; empty: it does


@message
class LinkState(Message):
    """How the link to the other host is, for this host."""

    live: bool = scalar_field("bool")  # both bridges pass messages on
    reason: str = scalar_field("str")  # why not; empty while it lives
    offset: float = scalar_field("float", "s")  # other host's monotonic clock minus ours
    uncertainty: float = scalar_field("float", "s")  # of the offset; negative while it is unknown
    round_trip: float = scalar_field("float", "s")  # the shortest of the last seconds
    refused: int = scalar_field("int")  # connections without the right key
