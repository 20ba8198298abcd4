"""A short name for a message's whole content."""

import hashlib

from hil.messaging.codec import Message, encode


def digest(msg: Message) -> str:
    """Return 16 hexadecimal digits: messages that are the same to the bit, and no others, have the same."""
    return hashlib.sha256(encode(msg)).hexdigest()[:16]
