"""A wrench in files of messages, MCAP and ROS bags: the topic that has it, and which time is meant."""

from pathlib import Path

from hil.common.errors import RecordingError
from hil.common.formats.mcap_frames import MAGIC
from hil.common.formats.mcap_topics import tables_of_mcap
from hil.common.formats.ros_bags import is_bag, tables_of_bag
from hil.common.formats.table import Table
from hil.common.formats.topics import LOGGED
from hil.wrench.recorded.asked import FORCES, Asked, ask
from hil.wrench.recorded.names import sense
from hil.wrench.recorded.units import FORCE, TIME

LOG_TIME = "log_time [ns]"
OWN_TOPIC, OWN_WRENCH = "/cycle", "wrench_object[0]"  # in recordings of this program
SHOWN = 12  # names of columns


def is_of_messages(path: Path) -> bool:
    """Return whether a path is a file of messages, or a folder of one."""
    begin = _begin(path)
    return is_bag(path, begin) or begin.startswith(MAGIC) or path.suffix == ".mcap"


def table_of_messages(path: Path, asked: Asked) -> tuple[Table, list[str]]:
    """Return the one topic with forces in a file, and notes of what was left out.

    Raises:
        RecordingError: it cannot be read, there is none, or there are several and none is said.
    """
    read = tables_of_bag if is_bag(path, _begin(path)) else tables_of_mcap
    others: list[list[str]] = []

    def wanted(names: list[str]) -> bool:
        found = _may_have_a_wrench(names, asked)
        if not found:
            others.append(names)
        return found

    tables, notes = read(path, wanted)
    if asked.sensor:
        said = [table for table in tables if table.origin == asked.sensor]
        tables = said or [table for table in tables if asked.sensor.lower() in table.origin.lower()]
    else:
        tables = [table for table in tables if table.origin == OWN_TOPIC and _is_own(table)] or tables
    if not tables:
        what = f"of the name {asked.sensor} " if asked.sensor else ""
        seen = "; ".join(", ".join(names[:SHOWN]) for names in others if len(names) > len(FORCES))
        ask(
            path,
            f"no topic {what}in it has forces by their names (its messages have {seen or 'no numbers'})",
            "--columns fx=NAME,fy=NAME,fz=NAME",
        )
    if len(tables) > 1:
        topics = ", ".join(f"{table.origin} ({len(table.lines)} messages)" for table in tables)
        ask(path, f"several topics have forces: {topics}", f"--sensor {tables[0].origin}")
    return _with_one_time(tables[0], asked), notes


def _begin(path: Path) -> bytes:
    if path.is_dir():
        return b""
    try:
        with path.open("rb") as file:
            return file.read(16)
    except OSError as error:
        raise RecordingError(f"{path}: cannot be read: {error.strerror}") from error


def _may_have_a_wrench(names: list[str], asked: Asked) -> bool:
    if any(name in names for role, name in asked.columns.items() if role in FORCES):
        return True
    found = [said for name in names if (said := sense(name)) is not None and said.quantity == FORCE]
    return len({said.axis for said in found}) == len(FORCES)


def _with_one_time(table: Table, asked: Asked) -> Table:
    """Return a table in which only the time that is meant has the name of one.

    That of the message where it is set; otherwise, as drivers leave it at zero, when it was recorded.
    """
    own = [k for k, name in enumerate(table.names) if (said := sense(name)) and said.quantity == TIME]
    if any(len(set(table.columns[k])) > 1 for k in own) or "t" in asked.columns:
        return table
    for k in own:
        table.names[k] = f"unset {k}"
    table.names[table.names.index(LOGGED)] = LOG_TIME
    return table


def _is_own(table: Table) -> bool:
    return OWN_WRENCH in table.names
