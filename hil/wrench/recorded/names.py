"""What a column's name says: force, torque or time, its axis, its unit, and which of several it belongs to.

Names are taken apart into words: `Fx`, `F_x`, `Force X [N]`, `ft1.wrench.force.x`, `X-Kraft` and `fx_n` say
the same. What stays over tells sensors apart.
"""

import re
from dataclasses import dataclass

from hil.wrench.recorded.units import FORCE, TIME, TORQUE, factor

_FORCES = {"f", "force", "forces", "kraft", "fuerza", "forza"}
_TORQUES = {"t", "m", "mt", "torque", "torques", "moment", "moments", "momento", "tau", "drehmoment"}
_LETTERS = {"f", "t", "m"}  # words only with their axis beside them
_TIMES = {
    "time", "times", "timestamp", "timestamps", "stamp", "t", "ts", "zeit", "zeitstempel", "uhrzeit",
    "datetime", "date", "datum", "clock", "elapsed",
}  # fmt: skip
_NO_TIMES = {"cycle", "delay", "latency", "exec", "period", "runtime", "rtt", "zone", "dt", "start", "end"}
_NO_WRENCHES = {
    "ref", "reference", "desired", "des", "cmd", "command", "commanded", "target", "setpoint", "goal", "std",
    "sigma", "stddev", "var", "variance", "covariance", "min", "max", "error", "err", "offset", "bias", "dot",
    "rate", "limit", "threshold", "status", "valid", "joint",
}  # fmt: skip
_EMPTY = {"in", "axis", "axes", "direction", "richtung", "component", "value", "data", "field", "the", "of"}
_WORDS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-zµμ]+|\d+")
_JOINED = re.compile(r"([a-z]+)([xyz])")
_IN_BRACKETS = re.compile(r"^(.*\S)\s*[\[({]\s*([^\])}]*?)\s*[\])}]\s*$")
_BEHIND_A_STROKE = re.compile(r"^(.*\w)\s*(?:/|,|;|:|\bin\b)\s*([\w·*µμ. -]{1,8})$")
# vectors whose order of forces, then torques is documented: of this program, UR's and Franka's controllers
SIX_VECTORS = ("wrench_object", "actual_tcp_force", "o_f_ext_hat_k", "k_f_ext_hat_k")
BOTH_UNITS = "[N, N m]"  # behind them in tables of this program
AXES = "xyz"


@dataclass(frozen=True)
class Sense:
    """What a name says.

    Attributes:
        quantity: FORCE, TORQUE or TIME.
        axis: 0, 1 or 2; None for a time.
        unit: as it is written; empty if it is not.
        group: the words that are left: columns of one sensor have the same.
    """

    quantity: str
    axis: int | None
    unit: str
    group: tuple[str, ...]


def sense(name: str) -> Sense | None:
    """Return what a name says, or None if it is about something else."""
    six = _of_six(name)
    if six is not None:
        return six
    base, unit = _unit_apart(name)
    words = [word.lower() for word in _WORDS.findall(base)]
    return _wrench_with_unit(words, unit) or _time(words, unit)


def _wrench_with_unit(words: list[str], unit: str) -> Sense | None:
    """Return the force or torque that words tell of, their last ones being a unit or not: fx_n, tx_n_m."""
    for tail in (2, 1) if not unit else ():
        said = " ".join(words[-tail:])
        found = _wrench(words[:-tail], said)
        if found is not None and factor(said, found.quantity) is not None:
            return found
    return _wrench(words, unit)


def _unit_apart(name: str) -> tuple[str, str]:
    """Return a name without its unit, and that."""
    match = _IN_BRACKETS.match(name)
    if match and not match[2].isdigit() and match[2].lower() not in AXES:
        return match[1], match[2]
    match = _BEHIND_A_STROKE.match(name)
    if match and any(factor(match[2], kind) for kind in (FORCE, TORQUE, TIME)):
        return match[1], match[2]
    return name, ""


def _wrench(words: list[str], unit: str) -> Sense | None:
    """Return the force or torque that words tell of: the last axis, and the word nearest to it."""
    if _NO_WRENCHES & set(words):
        return None
    for at in range(len(words) - 1, -1, -1):
        joined = _JOINED.fullmatch(words[at])
        if joined and (kind := _kind(joined[1])):
            return Sense(kind, AXES.index(joined[2]), unit, _rest(words, at))
        if words[at] in AXES or (words[at] in ("0", "1", "2") and at == len(words) - 1):
            axis = AXES.index(words[at]) if words[at] in AXES else int(words[at])
            for beside in (*range(at - 1, -1, -1), *range(at + 1, len(words))):
                kind = _kind(words[beside])
                near = abs(beside - at) == 1 and words[at] in AXES
                if kind and (near or words[beside] not in _LETTERS):
                    return Sense(kind, axis, unit, _rest(words, at, beside))
    return None


def _kind(word: str) -> str:
    return FORCE if word in _FORCES else TORQUE if word in _TORQUES else ""


def _rest(words: list[str], *taken: int) -> tuple[str, ...]:
    return tuple(word for k, word in enumerate(words) if k not in taken and word not in _EMPTY)


def _time(words: list[str], unit: str) -> Sense | None:
    """Return the time that words tell of: the last of them, before a unit."""
    if unit and words[-1:] == [unit]:  # it stands there twice: t_ns [ns]
        words = words[:-1]
    if not words or _NO_TIMES & set(words):
        return None
    if not unit and factor(words[-1], TIME) is not None and words[-1] not in ("d", "h", "min"):
        words, unit = words[:-1], words[-1]
        if not words:
            return Sense(TIME, None, unit, ())
    if words and words[-1] in _TIMES:
        return Sense(TIME, None, unit, _rest(words, len(words) - 1))
    stamped = bool(words) and any(word in _TIMES - {"t"} for word in words)
    return Sense(TIME, None, unit, _rest(words)) if stamped else None


def _of_six(name: str) -> Sense | None:
    bare = name.strip().removesuffix(BOTH_UNITS).strip()
    match = re.fullmatch(r"(.*?)[\[_.(]?([0-5])[\])]?", bare)
    if not match:
        return None
    base = re.sub(r"\W+", "_", match[1].lower()).strip("_")
    if not base.endswith(SIX_VECTORS):
        return None
    index = int(match[2])
    return Sense(FORCE if index < 3 else TORQUE, index % 3, "", (base,))
