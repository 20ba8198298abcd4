"""Reading the file of a mating experiment; keys that are unique in it may be given without their table."""

import difflib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, get_args, get_origin

from pydantic import ValidationError

from hil.common.errors import ConfigurationError
from hil.configuration.faults import sentences
from hil.configuration.loading import table_of, text_of
from hil.configuration.overrides import leaves, overridden
from hil.configuration.quantities import Section, file_key
from hil.trials.mating.robot_schema import (
    CombinedExperiment,
    RectangularPegExperiment,
    RobotExperiment,
    RoundPegExperiment,
)
from hil.trials.mating.schema import ORingExperiment, SnapExperiment

SHIPPED = Path(__file__).resolve().parents[3] / "configs" / "mating"
Experiment = ORingExperiment | SnapExperiment | RobotExperiment
KINDS: dict[str, type[Experiment]] = {
    "o-ring": ORingExperiment,
    "snap-beam": SnapExperiment,
    "snap-plate": SnapExperiment,
    "round-peg": RoundPegExperiment,
    "rectangular-peg": RectangularPegExperiment,
    "combined": CombinedExperiment,
}

FILES = (("path", "file"), ("robot", "assembly"))  # keys that name other files


def load_mating(name: str, settings: Sequence[str] = ()) -> Experiment:
    """Return the experiment of that name, a shipped one, or that in a file.

    Args:
        name: for example `o-ring`, or a TOML file.
        settings: lines `KEY=VALUE` that stand in for the file's; of a dotted key the last part will do where
            it is the only one of its name.

    Raises:
        ConfigurationError: there is none, or its file breaks a rule; all faults are listed.
    """
    path = mating_file(name)
    table = _found_from(path.parent, table_of(text_of(path), path))
    data = overridden(table, [full_setting(table, text) for text in settings])
    kind = KINDS.get(str(data.get("experiment")))
    if kind is None:
        raise ConfigurationError(
            f"{path}: experiment = {data.get('experiment')!r} must be one of {', '.join(KINDS)}"
        )
    try:
        return kind.model_validate(data)
    except ValidationError as error:
        raise ConfigurationError("\n".join(f"{path}: {fault}" for fault in sentences(error, kind))) from None


def _found_from(folder: Path, table: dict[str, Any]) -> dict[str, Any]:
    """Return a table whose `FILES` are found from the folder of its own file."""
    for section, key in FILES:
        inner = table.get(section)
        if isinstance(inner, dict) and isinstance(inner.get(key), str) and inner[key]:
            table = table | {section: inner | {key: str(folder / inner[key])}}
    return table


def is_mating(name: str) -> bool:
    """Return whether a name, or the file of that path, is an experiment of parts that mate."""
    try:
        path = mating_file(name)
        return str(table_of(text_of(path), path).get("experiment")) in KINDS
    except ConfigurationError:
        return False


def mating_file(name: str) -> Path:
    """Return the file of a shipped experiment by its name, or of any other by its path.

    Raises:
        ConfigurationError: there is none.
    """
    shipped = SHIPPED / f"{name.replace('-', '_')}.toml"
    if "/" not in name and not name.endswith(".toml") and shipped.is_file():
        return shipped
    if not name.endswith(".toml") and not Path(name).is_file():
        known = ", ".join(sorted(file.stem.replace("_", "-") for file in SHIPPED.glob("*.toml")))
        raise ConfigurationError(f"there is no mating experiment {name!r}: {known}, or a TOML file")
    return Path(name)


def full_setting(table: dict[str, Any], text: str) -> str:
    """Return a setting `KEY=VALUE` with its table before the key, if the key stands in one table only.

    A key that the file leaves to its default is found among those that its experiment has.

    Raises:
        ConfigurationError: more than one table has such a key, or none.
    """
    key, equals, value = text.partition("=")
    key = key.strip()
    return f"{full_key(table, key)}={value}" if equals and key else text


def settled_keys(name: str, settings: Sequence[str]) -> list[str]:
    """Return the full keys of settings `KEY=VALUE` for an experiment, in their order.

    Raises:
        ConfigurationError: there is no such experiment, or no such key.
    """
    path = mating_file(name)
    table = table_of(text_of(path), path)
    return [full_key(table, text.partition("=")[0].strip()) for text in settings]


def full_key(table: dict[str, Any], key: str) -> str:
    """Return a key with its table before it, if it stands in one table only; a dotted one as it is.

    Raises:
        ConfigurationError: more than one table has such a key, or none.
    """
    kind = KINDS.get(str(table.get("experiment")))
    if "." in key or key in table:
        return key
    every = list(_keys_of(kind, table)) if kind is not None else []
    for known in ([name for name, _ in leaves(table)], every):
        found = [name for name in known if _last(name) == key]
        if len(found) > 1:
            raise ConfigurationError(f"--set {key}: say which one, {' or '.join(found)}")
        if found:
            return found[0]
    if kind is None:  # of which its reader will say something
        return key
    names = [_last(name) for name in every if name != "experiment"]
    near = difflib.get_close_matches(key, sorted(set(names)), n=3, cutoff=0.6)
    remedy = f"did you mean {' or '.join(near)}?" if near else f"it has {', '.join(dict.fromkeys(names))}"
    raise ConfigurationError(f"--set {key}: {table['experiment']} has no such key; {remedy}")


def _last(key: str) -> str:
    return key.rsplit(".", 1)[-1]


def _keys_of(section: type[Section], table: Any, above: str = "") -> Iterator[str]:
    """Yield the dotted keys of a table's class and of those in it, of a union that which the table is."""
    for name, field in section.model_fields.items():
        own = file_key(name, field.metadata)
        inner = table.get(own, {}) if isinstance(table, dict) else {}
        listed = get_origin(field.annotation) in (list, tuple)
        kinds = () if listed else (field.annotation, *get_args(field.annotation))
        tables = [kind for kind in kinds if isinstance(kind, type) and issubclass(kind, Section)]
        wanted = [kind for kind in tables if len(tables) == 1 or _type_of(kind) == inner.get("type")]
        if wanted:
            yield from _keys_of(wanted[0], inner, f"{above}{own}.")
        else:
            yield above + own


def _type_of(section: type[Section]) -> str | None:
    """Return what a table of this class has for its `type`."""
    field = section.model_fields.get("type")
    return None if field is None else next(iter(get_args(field.annotation)), None)
