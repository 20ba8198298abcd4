"""Keys by a name or a piece of one, and those that are most like a name that is none."""

import difflib
import re

from hil.configuration.quantities import UNITS
from hil.configuration.reference import Key, all_keys

LONGEST = 200  # characters that are compared
NEAREST = 5  # keys that are proposed for an unknown one


def named(part: str) -> list[Key]:
    """Return the key of that name; otherwise those whose name has a piece of it; otherwise none."""
    wanted = _plain(part)
    if not re.search(r"\w", wanted):  # a piece of every name, or of none
        return []
    keys = all_keys()
    names = {key.name: _plain(key.name) for key in keys}
    unitless = {key.name: ".".join([*names[key.name].split(".")[:-1], _field(key)]) for key in keys}
    for test in (
        lambda key: wanted in (names[key.name], unitless[key.name]),
        lambda key: f"{names[key.name]}.".startswith(f"{wanted}."),
        lambda key: wanted in (names[key.name].split(".")[-1], _field(key)),
        lambda key: wanted in names[key.name],
    ):
        found = [key for key in keys if test(key)]
        if found:
            return found
    return []


def nearest(part: str) -> list[str]:
    """Return the names that are most like one that is none."""
    wanted = _plain(part)[:LONGEST]
    by_form = {_plain(key.name): key.name for key in all_keys()}
    by_last: dict[str, list[str]] = {}
    for key in all_keys():
        by_last.setdefault(_field(key), []).append(key.name)
    close = [by_form[form] for form in difflib.get_close_matches(wanted, by_form, n=NEAREST, cutoff=0.6)]
    last = wanted.split(".")[-1]
    for form in difflib.get_close_matches(last, by_last, n=NEAREST, cutoff=0.6):
        close += by_last[form]
    return list(dict.fromkeys(close))[:NEAREST]


def _plain(name: str) -> str:
    return re.sub(r"\[\d*\]", "", name.strip()).strip("[]").rstrip(".").lower()


def _field(key: Key) -> str:
    """Return the last piece of a key's name without its unit."""
    last = key.name.split(".")[-1]
    unit = next(
        (unit for unit in sorted(UNITS, key=len, reverse=True) if unit and last.endswith(f"_{unit}")), ""
    )
    return last.removesuffix(f"_{unit}") if unit and key.unit else last
