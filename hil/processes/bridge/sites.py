"""Which process runs on which host of a split run, and which topics travel between the two.

The site `robot` has the daemon and the driver, `compute` simulation and planner. Everything else (the table
of topics, the sockets of a host) is as on one host.
"""

from hil.common.errors import ConfigurationError
from hil.messaging.topics import TOPICS, Topic
from hil.processes.table import PROCESSES

ROBOT, COMPUTE = "robot", "compute"
BRIDGE = "bridge"
PARTS = {ROBOT: ("driver",), COMPUTE: ("sim", "planner")}  # what `zerog run --only` names
READ_AT_COMPUTE = (  # what simulation and planner want of the robot's host
    "impulse",
    "robot_state",
    "mode",
    "base_report",
)
READ_AT_ROBOT = ("base_plan",)  # what the driver wants of the other one, and nobody logs


def other_site(site: str) -> str:
    """Return the site at the other end of the link."""
    return COMPUTE if site == ROBOT else ROBOT


def site_of(only: str) -> str:
    """Return the site that `--only` names by its parts, in any order.

    Raises:
        ConfigurationError: these parts are no site.
    """
    named = sorted(part.strip() for part in only.split(","))
    for site, parts in PARTS.items():
        if named == sorted(parts):
            return site
    known = sorted(part for parts in PARTS.values() for part in parts)
    unknown = [part for part in named if part not in known]
    what = f"{unknown[0]!r} is no part of a run" if unknown else "these parts do not make a host"
    ways = " or ".join(f"--only {','.join(parts)}" for parts in PARTS.values())
    raise ConfigurationError(f"--only {only}: {what}; valid are {ways}")


def carried_from(site: str) -> list[Topic]:
    """Return the topics that the bridge carries from a site to the other one.

    The compute host gets what its processes read; the daemon's host gets all that is logged or tells who is
    alive, so that daemon, recorder and measuring tools find it there.
    """
    if site == ROBOT:
        return [TOPICS[name] for name in READ_AT_COMPUTE]
    own = [name for name, process in PROCESSES.items() if COMPUTE in process.sites and name != BRIDGE]
    alive = {f"alive_{name}" for name in own}
    wanted = alive | set(READ_AT_ROBOT)
    return [t for t in TOPICS.values() if t.publisher in own and (t.logged or t.name in wanted)]
