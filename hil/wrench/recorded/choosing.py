"""Which columns of a table are the wrench and its time: by their names, or as the user says."""

import re
from collections import Counter, defaultdict
from dataclasses import dataclass
from pathlib import Path

from hil.common.errors import RecordingError
from hil.common.formats.table import Table
from hil.wrench.recorded.asked import FORCES, NOTHING, ROLES, TORQUES, Asked, ask
from hil.wrench.recorded.names import Sense, sense
from hil.wrench.recorded.units import FORCE, TIME, TORQUE

AGAIN = "again"  # in the group of columns whose names stand there twice
OWN_TIMES = ("t_s", "host_t_s")
Group = tuple[str, ...]
_SECONDS, _NANOSECONDS = (
    {"s", "sec", "secs", "seconds"},
    {"ns", "nsec", "nsecs", "nanos", "nanosec", "nanoseconds"},
)


@dataclass(frozen=True)
class Choice:
    """Columns by what they are.

    Attributes:
        wrench: numbers of the columns of fx .. tz; None for what the file lacks.
        time: of the stamps: one, two that belong together (seconds and nanoseconds, date and time of day), or
            none where a rate stands for them.
    """

    wrench: tuple[int | None, ...]
    time: tuple[int, ...]


class Chooser:
    """Looks at the names of one table."""

    def __init__(self, path: Path, table: Table, asked: Asked) -> None:
        self._path, self._table, self._asked = path, table, asked
        self._line = f"line {table.names_line}: " if table.names_line else ""
        self._said = {role: self._column_said(role, name) for role, name in asked.columns.items()}
        self._senses = [sense(name) if name else None for name in table.names]
        self._drop_longer_vectors()

    def choice(self) -> Choice:
        """Return which columns are what.

        Raises:
            RecordingError: that cannot be known.
        """
        if not any(self._table.names) and not self._said:
            ask(
                self._path,
                f"no line above the rows names their {len(self._table.units)} columns",
                "--columns t=1,fx=2,fy=3,fz=4",
            )
        self._refuse_absent_sensor()
        choice = Choice((*self._forces(), *self._torques()), self._time())
        self._refuse_twice(choice)
        return choice

    def _refuse_absent_sensor(self) -> None:
        """Refuse a sensor of which no column has the name: another one's wrench would stand for its."""
        names = self._table.names
        if self._asked.sensor and not any(map(self._is_meant, range(len(names)))):
            shown = ", ".join(names)
            raise RecordingError(
                f"{self._path}: --sensor {self._asked.sensor}: no column has it in its name, of {shown}"
            )

    def _refuse_twice(self, choice: Choice) -> None:
        """Refuse one column for two things, and forces of which none is there."""
        roles: dict[int, str] = {}
        taken = [*((column, "t") for column in choice.time), *zip(choice.wrench, ROLES[1:], strict=True)]
        for column, role in taken:
            if column is not None and roles.setdefault(column, role) != role:
                name = self._table.names[column] or f"column {column + 1}"
                raise RecordingError(
                    f"{self._path}: {name} is {roles[column]} and {role} at once: say --columns {role}=NAME, "
                    "or none where there is no such column"
                )
        if not any(column is not None for column in choice.wrench[: len(FORCES)]):
            raise RecordingError(
                f"{self._path}: --columns fx=none,fy=none,fz=none leaves no force: name one column at least"
            )

    def groups(self, quantity: str) -> dict[Group, dict[int, int]]:
        """Return the columns of a quantity by sensor and axis; those of one axis twice have both."""
        found: dict[Group, dict[int, int]] = defaultdict(dict)
        for column, said in enumerate(self._senses):
            if said is None or said.quantity != quantity or said.axis is None or not self._is_meant(column):
                continue
            group = said.group
            while said.axis in found[group]:
                group = (*group, AGAIN)
            found[group][said.axis] = column
        return {group: axes for group, axes in found.items() if axes}

    def _is_meant(self, column: int) -> bool:
        return _letters(self._asked.sensor) in _letters(self._table.names[column])

    def _forces(self) -> list[int | None]:
        if any(role in self._said for role in FORCES):
            return [self._said[role] if role in self._said else self._named(role) for role in FORCES]
        if self._has_all(FORCES) and not self._asked.sensor:
            return [self._table.names.index(role) for role in FORCES]
        groups = {g: axes for g, axes in self.groups(FORCE).items() if len(axes) == len(FORCES)}
        if len(groups) > 1:
            several = "; ".join(", ".join(self._names_of(axes)) for axes in groups.values())
            first, axes = next(iter(groups.items()))
            numbered = ",".join(f"{role}={axes[axis] + 1}" for axis, role in enumerate(FORCES))
            sure = first and not any(AGAIN in group for group in groups)
            option = f"--sensor {''.join(first)}" if sure else f"--columns {numbered}"
            ask(self._path, f"{self._line}several columns may be the forces ({several})", option)
        if not groups:
            self._lacking(FORCES, FORCE)
        self._force_group = next(iter(groups))
        return [groups[self._force_group][axis] for axis in range(3)]

    _force_group: Group | None = None

    def _torques(self) -> list[int | None]:
        if any(role in self._said for role in TORQUES):
            return [self._said[role] if role in self._said else self._named(role) for role in TORQUES]
        if any(role in self._table.names for role in TORQUES) and not self._asked.sensor:
            if not self._has_all(TORQUES):
                self._lacking(TORQUES, TORQUE)
            return [self._table.names.index(role) for role in TORQUES]
        groups = self.groups(TORQUE)
        if self._force_group in groups:
            mine = groups[self._force_group]
            if len(mine) < len(TORQUES):
                self._lacking(TORQUES, TORQUE)
            return [mine[axis] for axis in range(3)]
        full = [axes for axes in groups.values() if len(axes) == len(TORQUES)]
        if len(full) > 1:
            several = "; ".join(", ".join(self._names_of(axes)) for axes in full)
            ask(
                self._path,
                f"{self._line}several columns may be the torques ({several})",
                "--columns tx=NAME,ty=NAME,tz=NAME",
                " (none for no torques)",
            )
        return [full[0][axis] for axis in range(3)] if full else [None] * 3

    def _time(self) -> tuple[int, ...]:
        if "t" in self._said:
            column = self._said["t"]
            if column is None and self._asked.rate_hz is None:
                ask(
                    self._path, "without a time column the rate must be said", "--columns t=none --rate-hz HZ"
                )
            return () if column is None else (column,)
        found = self._times()
        if self._asked.rate_hz is not None:
            if found:
                raise RecordingError(
                    f"{self._path}: {self._line}has the time column {self._table.names[found[0]]}; leave out "
                    "--rate-hz, or say of `zerog import` --columns t=none"
                )
            return ()
        if not found:
            raise RecordingError(
                f"{self._path}: {self._line}there is no column t_s or host_t_s, and none with the name of a "
                "time; add one, say which it is (`zerog import --columns t=NAME`), or say --rate-hz"
            )
        return found

    def _times(self) -> tuple[int, ...]:
        """Return the column of the stamps, or both; none if there is no such name."""
        names = self._table.names
        for own in OWN_TIMES:
            if own in names:
                return (names.index(own),)
        every = [k for k, said in enumerate(self._senses) if said is not None and said.quantity == TIME]
        mine = [k for k in every if self._is_meant(k)] or every
        if len(mine) <= 1:
            return tuple(mine)
        for pair in ((a, b) for a in mine for b in mine if a != b):
            if self._is_pair(*pair):
                rest = [k for k in mine if k not in pair]
                if not rest or "header" in self._group(pair[0]):
                    return pair
        headers = [k for k in mine if "header" in self._group(k)]
        if len(headers) == 1:
            return (headers[0],)
        ask(
            self._path,
            f"{self._line}several columns may be the time ({', '.join(names[k] for k in mine)})",
            f"--columns t={names[mine[0]]}",
        )

    def _is_pair(self, a: int, b: int) -> bool:
        """Return whether two columns are one time: seconds and nanoseconds, or date and time of day."""
        one, other = self._senses[a], self._senses[b]
        assert one is not None and other is not None
        if one.group != other.group:
            return False
        if one.unit.lower() in _SECONDS and other.unit.lower() in _NANOSECONDS:
            return all(set(cell.strip()) <= set("0123456789") for cell in self._table.columns[a])
        dated = re.search(r"date|datum", self._table.names[a], re.IGNORECASE)
        return bool(dated) and not re.search(r"date|datum", self._table.names[b], re.IGNORECASE)

    def _group(self, column: int) -> Group:
        said = self._senses[column]
        return () if said is None else said.group

    def _named(self, role: str) -> int | None:
        """Return the column that a role has by its name, beside others that were said."""
        quantity = FORCE if role in FORCES else TORQUE
        axis = "xyz".index(role[1])
        columns = [axes[axis] for axes in self.groups(quantity).values() if axis in axes]
        if quantity == TORQUE and not columns:
            return None
        if len(columns) != 1:
            ask(self._path, f"{self._line}which column is {role} is not known", f"--columns {role}=NAME")
        return columns[0]

    def _lacking(self, roles: tuple[str, ...], quantity: str) -> None:
        """Refuse a table in which a column is missing."""
        known = {axis for axes in self.groups(quantity).values() for axis in axes}
        missing = [role for axis, role in enumerate(roles) if axis not in known] or list(roles)
        ask(
            self._path,
            f"{self._line}column {', '.join(missing)} is missing among {', '.join(self._table.names)}; "
            "needed are fx, fy, fz, and tx, ty, tz all three or none",
            f"--columns {','.join(f'{role}=NAME' for role in missing)}",
            " (none where there is no such column)",
        )

    def _has_all(self, roles: tuple[str, ...]) -> bool:
        return all(self._table.names.count(role) == 1 for role in roles)

    def _names_of(self, axes: dict[int, int]) -> list[str]:
        return [self._table.names[axes[axis]] for axis in sorted(axes)]

    def _column_said(self, role: str, name: str) -> int | None:
        if role not in ROLES:
            raise RecordingError(f"--columns {role}={name}: {role} must be one of {', '.join(ROLES)}")
        if name.lower() == NOTHING:
            return None
        names = self._table.names
        alike = [k for k, known in enumerate(names) if known == name] or [
            k for k, known in enumerate(names) if known.lower() == name.lower()
        ]
        if not alike and name.isdecimal() and 1 <= int(name) <= len(names):
            return int(name) - 1
        if len(alike) != 1:
            many = f"{len(alike)} columns have that name; give its number" if alike else "no column has it"
            shown = ", ".join(f"{k} {known}" for k, known in enumerate(names, start=1))
            raise RecordingError(f"{self._path}: --columns {role}={name}: {many}; the columns are {shown}")
        return alike[0]

    def _drop_longer_vectors(self) -> None:
        """Forget numbered columns that are not three: joints, not axes."""
        stems = [
            re.sub(r"\d+\W*$", "", name) if re.search(r"\d\W*$", name) else "" for name in self._table.names
        ]
        counts = Counter(stems)
        for k, said in enumerate(self._senses):
            if said is not None and stems[k] and said.quantity != TIME and counts[stems[k]] not in (3, 6):
                self._senses[k] = None

    def sense_of(self, column: int) -> Sense | None:
        """Return what the name of a column says."""
        return self._senses[column]


def _letters(name: str) -> str:
    return re.sub(r"\W|_", "", name.lower())
