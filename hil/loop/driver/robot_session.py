"""What a robot's session is called."""

from drivers.fri.session import FriSample


def session_name(sample: FriSample) -> str:
    """Return in a word whether commands move the arm: monitor, command, or power off."""
    if not sample.power_on:
        return "power off"
    return "command" if sample.commanding else "monitor"
