"""Reading a configuration file: every fault in one report, each with key, value, bound and remedy."""

import hashlib
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from hil.common.arm_files import read_arm
from hil.common.arrays import plain_numbers
from hil.common.errors import ConfigurationError
from hil.common.input_file import refuse_device
from hil.configuration.admittance import admittance_faults
from hil.configuration.base_rules import base_faults
from hil.configuration.docking import docking_faults
from hil.configuration.endpoints import endpoint_fault
from hil.configuration.faults import sentences
from hil.configuration.force import force_faults
from hil.configuration.grasp_rules import grasp_faults
from hil.configuration.load_stamp import load_stamp
from hil.configuration.overrides import overridden
from hil.configuration.port import port_faults
from hil.configuration.schema import Configuration
from hil.configuration.sensor import sensor_faults
from hil.configuration.shared import shared_faults
from hil.configuration.tables.inside import inside_faults
from hil.configuration.whole_mockup import beyond_mockup

MODEL = "robot.model"
ARM_INSIDE = "object.inside.arm"
ARMS = (MODEL, ARM_INSIDE)


@dataclass(frozen=True)
class Accepted:
    """A configuration with what it was made of: what others are to read must be the same.

    Attributes:
        configuration: as it was accepted.
        text: of its file, to the letter.
        stamp: of the files that it names, see `stamp_of`.
    """

    configuration: Configuration
    text: str
    stamp: str


def accept(path: Path, settings: Sequence[str] = (), content: Path | None = None) -> Accepted:
    """Return the configuration in `path`, and what it was made of, each file read once.

    For arguments and errors see `load_configuration`.
    """
    text = text_of(path, content)
    configuration = configuration_from(overridden(table_of(text, path), settings), path)
    return Accepted(configuration, text, stamp_of(configuration))


def stamp_of(configuration: Configuration) -> str:
    """Return a hash of the files that a configuration names: the arm's model, scenes and interfaces.

    Raises:
        ConfigurationError: one of them cannot be read.
    """
    digest = hashlib.sha256()
    for key, file in _files_of(configuration):
        try:
            content = read_arm(file).stamped if key in ARMS else file.read_bytes()
            digest.update(f"{key}:{hashlib.sha256(content).hexdigest()};".encode())
        except OSError as error:
            raise ConfigurationError(f"{key} = {str(file)!r} cannot be read: {error.strerror}") from error
    return digest.hexdigest()[:16]


def load_configuration(
    path: Path, settings: Sequence[str] = (), content: Path | None = None
) -> Configuration:
    """Return the configuration in `path`, its file names made absolute.

    `settings` are lines `KEY=VALUE` that stand in for the file's; `content` is a copy to read in its stead.

    Raises:
        ConfigurationError: the file cannot be read, is no TOML, or breaks any rule; all are listed.
    """
    return configuration_from(overridden(table_of(text_of(path, content), path), settings), path)


def text_of(path: Path, content: Path | None = None) -> str:
    """Return the text of the file at `path`, or of the copy that is read in its stead.

    Raises:
        ConfigurationError: it cannot be read, or is no text.
    """
    try:
        refuse_device(content or path)
        return (content or path).read_text(encoding="utf-8")
    except OSError as error:
        raise ConfigurationError(f"{path}: cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise ConfigurationError(f"{path}: is no TOML: {error}") from error


def table_of(text: str, path: Path) -> dict[str, Any]:
    """Return the table that a file's text is; `path` names it in the error.

    Raises:
        ConfigurationError: it is no TOML.
    """
    try:
        return tomllib.loads(text)
    except ValueError as error:  # numbers of thousands of digits are one that is no fault of TOML's
        raise ConfigurationError(f"{path}: is no TOML: {error}") from error
    except RecursionError as error:
        raise ConfigurationError(f"{path}: its lists or tables lie too deep in one another") from error


def configuration_from(data: dict[str, Any], path: Path) -> Configuration:
    """Return the configuration that the table `data` describes; `path` names it and anchors file names."""
    try:
        configuration = Configuration.model_validate(data)
    except ValidationError as error:
        lines = [f"{path}: {fault}" for fault in sentences(error, Configuration)]
        raise ConfigurationError("\n".join(lines)) from None
    faults = _rules_between_keys(configuration)
    anchored = _anchored(configuration, path.parent)
    faults += [f"{key} = {str(file)!r} is no file" for key, file in _files_of(anchored) if not file.is_file()]
    faults = faults or _found_for_another_load(anchored)
    if faults:
        raise ConfigurationError("\n".join(f"{path}: {fault}" for fault in faults))
    return anchored


def _found_for_another_load(anchored: Configuration) -> list[str]:
    """Return that what was found of the load belongs to another one, if it does: it would falsify pushes."""
    found = anchored.mockup.found
    if found is None:
        return []
    try:
        stamp = load_stamp(anchored)
    except OSError as error:
        return [f"{MODEL} = {str(anchored.robot.model)!r} cannot be read: {error.strerror}"]
    if found.stamp == stamp:
        return []
    return [
        f"mockup.found.stamp = {found.stamp!r} is not that of this arm, tool, object, mock-up and wrench "
        f"({stamp!r}): take [mockup.found] out and calibrate anew (`zerog calibrate load`)"
    ]


def _files_of(anchored: Configuration) -> list[tuple[str, Path]]:
    """Return key and path of each file that a configuration names."""
    files = [(MODEL, anchored.robot.model)]
    if anchored.mockup.shape is not None:
        files.append(("mockup.shape", anchored.mockup.shape))
    inside = anchored.object.inside
    if inside is not None:
        named = ((ARM_INSIDE, inside.arm), ("object.inside.script", inside.script))
        files += [(key, file) for key, file in named if file is not None]
    if anchored.scene is not None:
        files.append(("scene.file", anchored.scene.file))
        if anchored.scene.interfaces is not None:
            files.append(("scene.interfaces", anchored.scene.interfaces))
    if anchored.docking is not None:
        files.append(("docking.scene", anchored.docking.scene))
        files.append(("docking.interfaces", anchored.docking.interfaces))
    if anchored.sensor.kind == "bota" and anchored.sensor.settings is not None:
        files.append(("sensor.settings", anchored.sensor.settings))
    if anchored.port is not None and anchored.port.interfaces is not None:
        files.append(("port.interfaces", anchored.port.interfaces))
    if anchored.partner is not None:
        files.append(("partner.plan", anchored.partner.plan))
    if anchored.shared is not None:
        files.append(("shared.pair", anchored.shared.pair))
    return files


def _anchored(configuration: Configuration, folder: Path) -> Configuration:
    robot = configuration.robot.model_copy(update={"model": folder / configuration.robot.model})
    mockup = configuration.mockup
    if mockup.shape is not None:
        mockup = mockup.model_copy(update={"shape": folder / mockup.shape})
    body, inside = configuration.object, configuration.object.inside
    if inside is not None:
        of = {name: getattr(inside, name) for name in ("arm", "script")}
        files = {name: folder / file for name, file in of.items() if file is not None}
        body = body.model_copy(update={"inside": inside.model_copy(update=files)})
    scene = configuration.scene
    if scene is not None:
        interfaces = None if scene.interfaces is None else folder / scene.interfaces
        scene = scene.model_copy(update={"file": folder / scene.file, "interfaces": interfaces})
    network = configuration.network
    if network is not None:
        network = network.model_copy(update={"key_folder": folder / network.key_folder})
    docking = configuration.docking
    if docking is not None:
        files = {"scene": folder / docking.scene, "interfaces": folder / docking.interfaces}
        docking = docking.model_copy(update=files)
    sensor = configuration.sensor
    if sensor.settings is not None:
        sensor = sensor.model_copy(update={"settings": folder / sensor.settings})
    port = configuration.port
    if port is not None and port.interfaces is not None:
        port = port.model_copy(update={"interfaces": folder / port.interfaces})
    partner = configuration.partner
    if partner is not None:
        partner = partner.model_copy(update={"plan": folder / partner.plan})
    shared = configuration.shared
    if shared is not None:
        shared = shared.model_copy(update={"pair": folder / shared.pair})
    update = {
        "robot": robot, "object": body, "mockup": mockup, "scene": scene, "network": network,
        "docking": docking, "port": port, "partner": partner, "shared": shared,
    }  # fmt: skip
    return configuration.model_copy(update={**update, "sensor": sensor})


def _rules_between_keys(c: Configuration) -> list[str]:
    """Return the faults that no single key shows."""
    faults = [
        f"realtime.{name}.scheduler = 'fifo' is refused: only driver and emulator may have it; a busy "
        "process under SCHED_FIFO uses up the kernel's real-time budget and stalls the driver"
        for name in ("sim", "planner", "vehicle", "bridge")
        if getattr(c.realtime, name).scheduler == "fifo"
    ]
    if c.robot.kind == "fri" and c.run.float_at_start:
        faults.append("run.float_at_start = true is refused with robot.kind = 'fri': float it by hand")
    if c.robot.kind == "fri" and "patient" in c.emulator.model_fields_set:
        faults.append("emulator.patient is refused with robot.kind = 'fri': no real robot waits")
    if c.robot.kind == "fri" and c.experiments is not None:
        faults.append("experiments is refused with robot.kind = 'fri': it floats without an operator")
    a, b, d = sorted(c.object.inertia)
    if a + b < d:
        faults.append(
            f"object.inertia_kg_m2 = {plain_numbers(c.object.inertia)} is no body's: the largest must be "
            "at most the sum of the other two"
        )
    faults += beyond_mockup(c.mockup)
    random = c.operator.random
    if random is not None and random.impulse_min > random.impulse_max:
        faults.append("operator.random.impulse_min_n_s must be at most impulse_max_n_s")
    if random is not None and random.duration_min > random.duration_max:
        faults.append("operator.random.duration_min_ms must be at most duration_max_ms")
    if c.network is not None:
        ends = {"network.robot": c.network.robot, "network.compute": c.network.compute}
        found = [(key, end, endpoint_fault(end)) for key, end in ends.items()]
        faults += [f"{key} = {end!r} {fault}" for key, end, fault in found if fault]
        if c.network.robot == c.network.compute:
            faults.append(f"network.robot = network.compute = {c.network.robot!r}: they must differ")
    tables = ("scene", "docking", "network", "admittance")
    load_known = c.robot.kind != "fri" or c.mockup.found is not None
    faults += force_faults(c.force, [name for name in tables if getattr(c, name) is not None], load_known)
    if c.admittance is not None:
        beside = [name for name in ("scene", "docking", "network") if getattr(c, name) is not None]
        faults += admittance_faults(c.robot.kind, beside)
    if c.object.inside is not None:
        beside = [name for name in ("scene", "docking", "admittance") if getattr(c, name) is not None]
        faults += inside_faults(c.object.inside, c.object.mass, c.force.mode, beside)
    faults += sensor_faults(c)
    if c.docking is not None:
        faults += docking_faults(c.docking)
    if c.docking is not None and c.scene is not None:
        faults.append("docking and scene are both given: a run has walls or a servicer, not both")
    if c.port is not None:
        faults += port_faults(c.port, c.emulator.control, c.emulator.elastic)
    faults += base_faults(c) + grasp_faults(c)
    alone = ("scene", "docking", "network", "admittance", "port", "grasp", "experiments")
    beside = [name for name in alone if getattr(c, name) is not None]
    beside += ["robot.kind = 'fri'"] * (c.robot.kind == "fri")
    beside += [f"base.kind = {c.base.kind!r}"] * (c.base.kind != "none")
    faults += shared_faults(None if c.shared is None else c.shared.arm, beside)
    if c.planner.horizon > c.simulation.prediction + 1e-9:
        faults.append(
            f"planner.horizon_s = {c.planner.horizon} must be at most simulation.prediction_s = "
            f"{c.simulation.prediction}"
        )
    return faults
