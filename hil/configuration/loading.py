"""Reading a configuration file: every fault in one report, each with key, value, bound and remedy."""

import difflib
import tomllib
import typing
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from hil.configuration.endpoints import endpoint_fault
from hil.configuration.overrides import overridden
from hil.configuration.quantities import Section, file_key
from hil.configuration.schema import Configuration
from hil.errors import ConfigurationError

BOUNDS = {
    "greater_than": ("gt", "must be above"),
    "greater_than_equal": ("ge", "must be at least"),
    "less_than": ("lt", "must be below"),
    "less_than_equal": ("le", "must be at most"),
}


def load_configuration(
    path: Path, settings: Sequence[str] = (), content: Path | None = None
) -> Configuration:
    """Return the configuration in `path`, its file names made absolute.

    `settings` are lines `KEY=VALUE` that stand in for the file's; `content` is a copy to read in its stead.

    Raises:
        ConfigurationError: the file cannot be read, is no TOML, or breaks any rule; all are listed.
    """
    try:
        data = tomllib.loads((content or path).read_text(encoding="utf-8"))
    except OSError as error:
        raise ConfigurationError(f"{path}: cannot be read: {error.strerror}") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ConfigurationError(f"{path}: is no TOML: {error}") from error
    return configuration_from(overridden(data, settings), path)


def configuration_from(data: dict[str, Any], path: Path) -> Configuration:
    """Return the configuration that the table `data` describes; `path` names it and anchors file names."""
    try:
        configuration = Configuration.model_validate(data)
    except ValidationError as error:
        lines = [f"{path}: {_sentence(item)}" for item in error.errors(include_url=False)]
        raise ConfigurationError("\n".join(lines)) from None
    faults = _rules_between_keys(configuration)
    anchored = _anchored(configuration, path.parent)
    files = [("robot.model", anchored.robot.model)]
    if anchored.scene is not None:
        files.append(("scene.file", anchored.scene.file))
    faults += [f"{key} = {str(file)!r} is no file" for key, file in files if not file.is_file()]
    if faults:
        raise ConfigurationError("\n".join(f"{path}: {fault}" for fault in faults))
    return anchored


def _anchored(configuration: Configuration, folder: Path) -> Configuration:
    robot = configuration.robot.model_copy(update={"model": folder / configuration.robot.model})
    scene = configuration.scene
    if scene is not None:
        scene = scene.model_copy(update={"file": folder / scene.file})
    network = configuration.network
    if network is not None:
        network = network.model_copy(update={"key_folder": folder / network.key_folder})
    return configuration.model_copy(update={"robot": robot, "scene": scene, "network": network})


def _rules_between_keys(c: Configuration) -> list[str]:
    """Return the faults that no single key shows."""
    faults = [
        f"realtime.{name}.scheduler = 'fifo' is refused: only driver and emulator may have it; a busy "
        "process under SCHED_FIFO uses up the kernel's real-time budget and stalls the driver"
        for name in ("sim", "planner", "bridge")
        if getattr(c.realtime, name).scheduler == "fifo"
    ]
    if c.robot.kind == "fri" and c.run.float_at_start:
        faults.append("run.float_at_start = true is refused with robot.kind = 'fri': float it by hand")
    if c.robot.kind == "fri" and c.experiments is not None:
        faults.append("experiments is refused with robot.kind = 'fri': it floats without an operator")
    a, b, d = sorted(c.object.inertia)
    if a + b < d:
        faults.append(
            f"object.inertia_kg_m2 = {list(c.object.inertia)} is no body's: the largest must be at most "
            "the sum of the other two"
        )
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
    if c.planner.horizon > c.simulation.prediction + 1e-9:
        faults.append(
            f"planner.horizon_s = {c.planner.horizon} must be at most simulation.prediction_s = "
            f"{c.simulation.prediction}"
        )
    return faults


def _sentence(item: Any) -> str:
    """Return one fault as a sentence: key, value, bound and remedy."""
    key, section = _key_in_file(item["loc"])
    kind, value, context = item["type"], item.get("input"), item.get("ctx", {})
    if kind == "missing":
        return f"{key} is missing"
    if kind == "extra_forbidden":
        name = str(item["loc"][-1])
        near = difflib.get_close_matches(name.strip(), section.keys() if section else [], n=1, cutoff=0.5)
        return f"{key.strip()} is unknown" + (f"; did you mean {near[0]}?" if near else "")
    if kind in BOUNDS:
        name, words = BOUNDS[kind]
        return f"{key} = {value} {words} {context[name]:g}"
    if kind in ("too_short", "too_long"):
        wanted = context.get("min_length", context.get("max_length"))
        return f"{key} has {context.get('actual_length')} values, expected {wanted}"
    if kind == "literal_error":
        return f"{key} = {value!r} must be one of {context['expected']}"
    return f"{key} = {value!r}: {item['msg']}"


def _key_in_file(loc: tuple[int | str, ...]) -> tuple[str, type[Section] | None]:
    """Return the dotted key as the user wrote it, and the table that it stands in."""
    section: type[Section] | None = Configuration
    parts: list[str] = []
    table = section
    for piece in loc:
        if isinstance(piece, int):
            parts[-1] += f"[{piece}]"
            continue
        table, field = section, None
        if section is not None:
            field = section.model_fields.get(piece)
        parts.append(file_key(piece, field.metadata) if field else piece)
        section = _section_of(field.annotation) if field else None
    return ".".join(parts), table


def _section_of(annotation: Any) -> type[Section] | None:
    """Return the table class inside an annotation such as `Scene | None` or `tuple[ScriptedPush, ...]`."""
    if isinstance(annotation, type) and issubclass(annotation, Section):
        return annotation
    for inner in typing.get_args(annotation):
        found = _section_of(inner)
        if found is not None:
            return found
    return None
