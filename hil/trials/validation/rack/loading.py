"""Reading the file of an unattended campaign, with a ready experiment for each of its pegs."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from pydantic import ValidationError

from hil.common.arrays import Array
from hil.common.errors import ConfigurationError
from hil.configuration.faults import sentences
from hil.configuration.loading import table_of, text_of
from hil.configuration.overrides import overridden
from hil.trials.validation.rack.schema import Rack, RackPeg
from hil.trials.validation.setup import Setup

APART = 1e-9
COUNT = "peg"  # the table that no experiment has as a list


@dataclass(frozen=True, eq=False)
class RackPlan:
    """A campaign made ready.

    Attributes:
        path: of its file.
        rack: what the file says.
        setups: the experiment with each peg, in the rack's order.
        stamp: of all that results depend on: those of another campaign are not gone on with.
    """

    path: Path
    rack: Rack
    setups: tuple[Setup, ...]
    stamp: str

    @property
    def attitudes(self) -> Array:
        """Joints in which a peg is weighed [rad], shape (n, 7)."""
        start = self.setups[0].experiment.arm.start
        q = np.tile(start, (len(self.rack.changer.turns), 1))
        q[:, 5:7] += self.rack.changer.turns
        return q


def is_rack(name: str) -> bool:
    """Return whether a name is that of a file that lists pegs."""
    path = Path(name)
    if path.suffix != ".toml" or not path.is_file():
        return False
    try:
        return isinstance(table_of(text_of(path), path).get(COUNT), list)
    except ConfigurationError:
        return False


def load_rack(path: Path, settings: Sequence[str] = ()) -> RackPlan:
    """Return the campaign in a file; `settings` are lines `KEY=VALUE` that stand in for the file's.

    Raises:
        ConfigurationError: the file breaks a rule, or its experiment does with one of the pegs.
    """
    text = text_of(path)
    try:
        rack = Rack.model_validate(overridden(table_of(text, path), settings))
    except ValidationError as error:
        raise ConfigurationError("\n".join(f"{path}: {fault}" for fault in sentences(error, Rack))) from None
    faults = _twice(rack)
    if faults:
        raise ConfigurationError("\n".join(f"{path}: {fault}" for fault in faults))
    name = rack.experiment
    if name.endswith(".toml"):
        name = str(path.parent / name)
    setups = tuple(_setup(path, name, rack, peg) for peg in rack.peg)
    plan = RackPlan(path, rack, setups, _stamp(rack, setups))
    _check(plan)
    return plan


def _setup(path: Path, name: str, rack: Rack, peg: RackPeg) -> Setup:
    """Return the experiment with one peg."""
    given = [
        f"peg.radius_mm={1e3 * peg.radius:.9g}",
        f"peg.length_mm={1e3 * peg.length:.9g}",
        f"peg.tip_mm={1e3 * peg.tip:.9g}",
        f"peg.mass_kg={peg.mass:.9g}",
    ]
    try:
        return Setup.load(name, [*rack.settings, *given])
    except ConfigurationError as error:
        raise ConfigurationError(f"{path}: peg {peg.name!r}: {error}") from None


def _stamp(rack: Rack, setups: Sequence[Setup]) -> str:
    """Return a hash of all that results depend on; what goes wrong in the emulated cell may be mended."""
    pegs = tuple(peg.model_copy(update={"fault": ""}) for peg in rack.peg)
    said = [repr(rack.model_copy(update={"peg": pegs}))]
    said += [repr(setup.experiment) for setup in setups]
    return hashlib.sha256("\n".join(said).encode()).hexdigest()[:16]


def _twice(rack: Rack) -> list[str]:
    """Return the faults that no single peg shows."""
    faults = []
    for key in ("name", "slot"):
        values = [getattr(peg, key) for peg in rack.peg]
        faults += [
            f"peg.{key} = {value!r} stands there more than once" for value in dict.fromkeys(values)
            if values.count(value) > 1
        ]  # fmt: skip
    return faults


def _check(plan: RackPlan) -> None:
    e, path = plan.setups[0].experiment, plan.path
    if e.sensor.kind != "emulated":
        raise ConfigurationError(
            f"{path}: settings: sensor.kind = {e.sensor.kind!r} must be 'emulated': the emulated changer's "
            'pegs are weighed by the emulated sensor (settings = ["sensor.kind=emulated"])'
        )
    if e.campaign is None:
        raise ConfigurationError(
            f"{path}: the experiment {plan.rack.experiment!r} has no [campaign]: add one"
        )
    q, arm = plan.attitudes, plan.setups[0].arm
    beyond = (q < arm.lower) | (q > arm.upper)
    if beyond.any():
        row, joint = (int(i) for i in np.argwhere(beyond)[0])
        raise ConfigurationError(
            f"{path}: changer.turns_deg[{row}] takes A{joint + 1} to {np.degrees(q[row, joint]):.1f} deg, "
            f"beyond its {np.degrees(arm.lower[joint]):.1f} to {np.degrees(arm.upper[joint]):.1f}"
        )
