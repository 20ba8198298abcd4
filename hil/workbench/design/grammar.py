"""The grammar of arms: which parts may follow one another, how many arms there are, and the n-th of them.

An arm is a base, then parts that fit by their connectors, turned in steps about them; with a tool at its end
where tools are allowed. A word of this grammar is found by its number without those before it: the arms that
can still come are counted at every part. Two turns that only differ in where a joint has its zero are one: a
part behind or before a joint that turns about the same axis is not turned, nor is a straight link. Nor do two
joints that follow one another turn about one axis: they would be one joint.
"""

from collections.abc import Iterator, Sequence
from functools import cache
from typing import NamedTuple

import numpy as np

from hil.common.arrays import Array
from sim.assembly.chain import Chain, marker, misfit, pose_of
from sim.assembly.component_schema import ComponentFile, Connector, Revolute
from sim.assembly.database import Database

PARALLEL = 1e-9  # sine of the angle between axes, and their distance [m]


class Turned(NamedTuple):
    """A component of an arm, and how it is turned about the marker where it is joined [deg]."""

    component: str
    turn_deg: float


Arm = tuple[Turned, ...]


class _Place(NamedTuple):
    """Where an arm has come to: its last component, joints still to come, parts without joints in a row.

    `loose`: the last joint turns about the axis at which the next part is joined.
    """

    last: int
    left: int
    row: int
    loose: bool


class Grammar:
    """All arms that can be made of components."""

    def __init__(
        self,
        components: Sequence[ComponentFile],
        turns_deg: Sequence[float],
        links_in_row: int,
        end: str = "",
    ) -> None:
        """Prepare.

        Args:
            components: that may be used; at least one base among them.
            turns_deg: of a part, to try.
            links_in_row: most parts without joints between two joints, base and tool apart.
            end: type of the connector at the tip; empty: any, that of a tool where there are tools.
        """
        self._parts = sorted(components, key=lambda c: c.name)
        self._turns, self._row, self._end = tuple(turns_deg), links_in_row, end
        self._tools = any(c.kind == "tool" for c in self._parts)
        self._fits = [[k for k, c in enumerate(self._parts) if _fit(before, c)] for before in self._parts]
        self._coaxial = [_coaxial(c) for c in self._parts]
        self._count = cache(self._counted)

    def count(self, joints: int) -> int:
        """Return how many arms there are with so many joints."""
        return sum(self._count(place) for place, _ in self._begins(joints))

    def arm(self, joints: int, number: int) -> Arm:
        """Return an arm by its number, from 0 to `count(joints)` - 1."""
        parts = list[Turned]()
        steps = self._begins(joints)
        while True:
            for place, turns in steps:
                ways = self._count(place)
                if number < ways * len(turns):
                    break
                number -= ways * len(turns)
            parts.append(Turned(self._parts[place.last].name, turns[number // ways]))
            number %= ways
            if self._ends(place):
                if number == 0:
                    return tuple(parts)
                number -= 1
            steps = self._steps(place)

    def _begins(self, joints: int) -> Iterator[tuple[_Place, tuple[float, ...]]]:
        for k, c in enumerate(self._parts):
            if c.kind == "base" and len(c.joints) <= joints:
                yield _Place(k, joints - len(c.joints), 0, self._coaxial[k].after), (0.0,)

    def _steps(self, place: _Place) -> Iterator[tuple[_Place, tuple[float, ...]]]:
        """Yield the parts that may come next, each with its turns."""
        for k in self._fits[place.last]:
            c, coaxial = self._parts[k], self._coaxial[k]
            left, row = place.left - len(c.joints), 0 if c.joints else place.row + 1
            if c.kind == "tool":
                row = 0
            twice = place.loose and coaxial.before
            if left < 0 or row > self._row or twice or (c.kind == "tool" and left):
                continue
            still = place.loose or coaxial.before or (coaxial.straight and c.kind != "tool")
            loose = coaxial.after if c.joints else place.loose and coaxial.straight
            yield _Place(k, left, row, loose), (0.0,) if still else self._turns

    def _ends(self, place: _Place) -> bool:
        last = self._parts[place.last]
        if place.left or last.output is None:
            return False
        return last.output.type == self._end if self._end else last.kind == "tool" or not self._tools

    def _counted(self, place: _Place) -> int:
        total = int(self._ends(place))
        return total + sum(self._count(step) * len(turns) for step, turns in self._steps(place))


class _Coaxial(NamedTuple):
    """Whether a part's first joint turns about its input's axis, its last about its output's."""

    before: bool
    after: bool
    straight: bool


def _fit(before: ComponentFile, after: ComponentFile) -> bool:
    if before.kind == "tool" or before.output is None or after.input is None:
        return False
    return not misfit(before.name, before.output, after.name, after.input)


def _coaxial(c: ComponentFile) -> _Coaxial:
    if not c.joints:
        return _Coaxial(False, False, c.output is not None and _on_axis(c.input, *_axis_of(c.output)))
    first, last = c.joints[0], c.joints[-1]
    T = pose_of(first.position, first.rotvec)
    before = isinstance(first, Revolute) and _on_axis(c.input, T[:3, 3], T[:3, :3] @ first.axis)
    after = isinstance(last, Revolute) and _on_axis(c.output, np.zeros(3), last.axis)
    return _Coaxial(before, after, False)


def _axis_of(connector: Connector) -> tuple[Array, Array]:
    T = marker(connector)
    return T[:3, 3], T[:3, 2]


def _on_axis(connector: Connector | None, point: Array, direction: Array) -> bool:
    """Return whether a line is the axis of a connector that is there."""
    if connector is None:
        return False
    origin, z = _axis_of(connector)
    parallel = np.linalg.norm(np.cross(z, direction)) < PARALLEL
    return bool(parallel and np.linalg.norm(np.cross(z, point - origin)) < PARALLEL)


def chain_of(name: str, arm: Arm, database: Database, gravity: Array) -> Chain:
    """Return an arm as an assembly; gravity in its base's axes [m/s2], shape (3,)."""
    x, y, z = gravity.tolist()
    chain = Chain(name, database, gravity=(x, y, z))
    for component, turn_deg in arm:
        chain = chain.add(component, turn_deg)
    return chain
