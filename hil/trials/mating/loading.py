"""Reading the file of a mating experiment; keys that are unique in it may be given without their table."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

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
    table = table_of(text_of(path), path)
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
        ConfigurationError: more than one table has such a key.
    """
    key, equals, value = text.partition("=")
    key = key.strip()
    if not equals or "." in key or key in table:
        return text
    known = [name for name, _ in leaves(table)]
    kind = KINDS.get(str(table.get("experiment")))
    if kind is not None and not any(name.rsplit(".", 1)[-1] == key for name in known):
        known = list(_keys_of(kind))
    found = [name for name in known if name.rsplit(".", 1)[-1] == key and "." in name]
    if len(found) > 1:
        raise ConfigurationError(f"--set {key}: say which one, {' or '.join(found)}")
    return f"{found[0]}={value}" if found else text


def _keys_of(section: type[Section], above: str = "") -> Iterator[str]:
    """Yield the dotted keys of a table and of those in it."""
    for name, field in section.model_fields.items():
        key, kind = above + file_key(name, field.metadata), field.annotation
        if isinstance(kind, type) and issubclass(kind, Section):
            yield from _keys_of(kind, f"{key}.")
        else:
            yield key
