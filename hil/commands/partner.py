"""`zerog partner`: lead the second arm of a run through a plan, over its controller's own FRI port."""

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hil.commands.grammar import add_command, add_runtime_directory, add_settings
from hil.common.errors import ConfigurationError

if TYPE_CHECKING:
    from hil.configuration import Configuration
    from hil.configuration.grasp import Partner

TEXT = (
    "Lead the second arm of a running `zerog run` through a plan: approach, touch, close, hold, drag, "
    "release. It begins when the object floats, stands when the run holds, and ends with the plan."
)
EXAMPLE = "zerog partner configs/grasps/drag.toml"
GIVEN = "[grasp] and [partner] give it one"


def add_partner(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the command's grammar."""
    sub = add_command(commands, "partner", partner, TEXT, EXAMPLE)
    sub.add_argument("plan", type=Path, metavar="PLAN.toml", help="phases of a grasp, as in configs/grasps")
    sub.add_argument(
        "configuration",
        type=Path,
        nargs="?",
        metavar="CONFIG",
        help="of the run, if not as its daemon has it",
    )
    add_settings(sub)
    add_runtime_directory(sub)


def partner(options: argparse.Namespace) -> int:
    """Lead the second arm; status 0 when the plan is over, 1 if it was given up.

    Raises:
        ConfigurationError: the plan cannot be done, or the run has no second arm.
        LinkError: no run, no controller, or another client at its port.
    """
    from hil.configuration.grasp_plan import load_plan
    from hil.messaging.bus import Bus
    from hil.messaging.runtime_directory import runtime_directory
    from hil.processes.partner_alone import lead

    load_plan(options.plan)  # a bad one is told before anything is looked for
    if options.configuration is not None:
        _with_second_arm(options.configuration, options.set)
    directory = runtime_directory(options.runtime_directory)
    bus = Bus(directory)
    try:
        status = bus.status()
        return lead(_configured(options, status), bus, directory, status)
    finally:
        bus.close()


def _configured(options: argparse.Namespace, status: dict[str, Any]) -> "Configuration":
    """Return the configuration of the run, with the plan that is asked for."""
    if "pace" in status:
        raise ConfigurationError(
            "a paced run leads its second arm itself, through partner.plan: nothing to lead"
        )
    path = options.configuration or Path(status["configuration"])
    settings = [*options.set] if options.configuration else [*status["settings"], *options.set]
    c, partner = _with_second_arm(path, settings)
    if status.get("grasp") is None:
        raise ConfigurationError(f"{status['configuration']}: the run has no second arm: {GIVEN}")
    own = partner.model_copy(update={"plan": options.plan})
    return c.model_copy(update={"partner": own})


def _with_second_arm(path: Path, settings: list[str]) -> "tuple[Configuration, Partner]":
    """Return a configuration and its second arm.

    Raises:
        ConfigurationError: it has none.
    """
    from hil.configuration import load_configuration

    c = load_configuration(path, settings)
    if c.partner is None:
        raise ConfigurationError(f"{path}: has no second arm: {GIVEN}")
    return c, c.partner
