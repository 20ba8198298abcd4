"""What was found of drives and skew, for people and for the configuration."""

from hil.configuration import Configuration
from hil.force.timing.drive_fit import FoundDrive
from hil.force.timing.skew import FoundSkew
from hil.force.timing.spring import SpringSkew
from hil.loop.calibration.shown_timing import FoundTiming

MS = 1e3
WRITE = "write these keys into the tables of the configuration, and the next `zerog run` takes them:"
BY_SPRING = "let the mock-up bounce off a steel spring, and `zerog calibrate spring` finds it"


def timing_lines(found: FoundTiming, c: Configuration) -> list[str]:
    """Return the finding, what it means, and the keys that the motion has shown."""
    keys = drive_keys(found.drive, c)
    if found.skew.shown:
        keys.setdefault("force", []).append(skew_key(found.skew.skew))
    lines = [*drive_lines(found.drive, c), *skew_lines(found.skew, c)]
    return [*lines, *key_lines(keys)] if keys else lines


def drive_lines(drive: FoundDrive, c: Configuration) -> list[str]:
    """Return what was found of the drives."""
    dead, lag, damping = drive.intervals
    lines = [
        "the drives, from a command to the motion that is measured (95 %):",
        f"  dead time  {MS * drive.dead_time:8.2f} +- {MS * dead:.2f} ms   one cycle of it is the command's",
        f"  lag        {MS * drive.lag:8.2f} +- {MS * lag:.2f} ms   configured {MS * c.force.drive_lag:g}",
        f"  damping    {drive.damping:8.3f} +- {damping:.3f}      configured {c.force.drive_damping:g}",
        f"  together   {MS * drive.total:8.2f} +- {MS * drive.total_interval:.2f} ms",
        f"  left over  {MS * drive.misfit:8.2f} ms of motion; joints up to {MS * drive.spread:.2f} ms apart",
    ]
    if not drive.apart:
        lines.append(
            "  this motion does not tell lag and dead time apart: only what they are together is known"
        )
    if not drive.suits:
        lines.append(
            "  the arm follows by no single lag: contacts at well-damped ports will be less accurate "
            "(docs/understand/contact_loop.md)"
        )
    return lines


def skew_lines(skew: FoundSkew, c: Configuration) -> list[str]:
    """Return what was found of the skew."""
    if not skew.bounded:
        return [f"the wrench's skew is not shown: the load data leaves too little inertia; {BY_SPRING}"]
    line = (
        f"the wrench is later than the joints by {MS * skew.skew:.2f} +- {MS * skew.interval:.2f} ms (95 %), "
        f"configured {MS * c.force.wrench_skew:g}"
    )
    if skew.shown:
        return [line]
    return [f"{line}: too uncertain to be written down; {BY_SPRING}"]


def spring_lines(found: SpringSkew | None, heard: int, c: Configuration) -> list[str]:
    """Return what bounces off a spring have shown.

    Args:
        found: of the contacts that could be used.
        heard: contacts that ended while it was listened.
        c: the run's.
    """
    if found is None:
        return [f"{heard} contacts ended: too few that were long enough to find a skew in"]
    told = [
        f"the wrench is later than the joints by {MS * found.skew:.2f} +- {MS * found.interval:.2f} ms "
        f"(95 %, {found.contacts} contacts), configured {MS * c.force.wrench_skew:g}"
    ]
    if found.damped:
        return [*told, "no wrench is earlier than its joints: this port is damped, and no steel spring"]
    if not found.shown:
        return [*told, "too uncertain to be written down: let it bounce more often, or faster"]
    return [*told, *key_lines({"force": [skew_key(found.skew)]})]


def drive_keys(drive: FoundDrive, c: Configuration) -> dict[str, list[str]]:
    """Return the keys that the drives' finding writes, by their table."""
    keys: dict[str, list[str]] = {}
    if drive.apart:
        keys["force"] = [f"drive_lag_ms = {MS * drive.lag:.2f}", f"drive_damping = {drive.damping:.3f}"]
    if c.interpolation.lead != "none":
        keys["interpolation"] = [f"lead_time_ms = {MS * drive.total:.2f}"]
    return keys


def skew_key(skew: float) -> str:
    """Return the key's line; a wrench is never earlier than its joints."""
    return f"wrench_skew_ms = {MS * max(skew, 0.0):.2f}"


def key_lines(keys: dict[str, list[str]]) -> list[str]:
    """Return keys under the heads of their tables."""
    lines = [WRITE]
    for table, rows in keys.items():
        lines += ["", f"[{table}]", *rows]
    return lines
