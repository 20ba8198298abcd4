"""`zerog check --explain`: what a key means, what it may be, and what it is in a file."""

import sys

from hil.configuration import Configuration
from hil.configuration.key_search import named, nearest
from hil.configuration.reference import Key
from hil.configuration.spelled import spelled

SHOWN = 80  # characters of what is no key
REFERENCE = "docs/use/configuration.md"


def explain(part: str, configuration: Configuration | None) -> int:
    """Print the key of that name, or all whose names have a piece of it; return 1 where there is none.

    Args:
        part: a key, dotted or its last piece, with or without its unit; a table; or a piece of any.
        configuration: whose values are shown beside.
    """
    found = named(part)
    if not found:
        near = nearest(part)
        hint = f"; nearest: {', '.join(near)}" if near else f": all keys stand in {REFERENCE}"
        print(f"zerog: there is no key {part[:SHOWN]!r}{hint}", file=sys.stderr)
        return 1
    here = {} if configuration is None else values_of(configuration)
    for key in found:
        if len(found) == 1:
            print("\n".join(in_full(key, here.get(key.name), configuration is not None)))
        else:
            print(in_short(key, here.get(key.name)))
    return 0


def values_of(configuration: Configuration) -> dict[str, str]:
    """Return the values of a configuration as its file spells them, by dotted key."""
    pairs = (line.split(" = ", 1) for line, _ in spelled(configuration))
    return {key: value for key, value in pairs}


def in_full(key: Key, here: str | None, has_file: bool) -> list[str]:
    """Return all that is known of a key, a line each."""
    lines = [key.name, f"  {key.meaning.text}"]
    rows = {"unit": key.unit or "none", "may be": key.bounds.replace("`", ""), "default": key.default}
    if has_file:
        rows["in this file"] = here or "absent"
    rows["acts in"] = key.meaning.acts_in
    return lines + [f"  {name:<13}{text}" for name, text in rows.items()]


def in_short(key: Key, here: str | None) -> str:
    """Return a key on one line."""
    return f"{key.name} = {here or key.default}: {key.meaning.text}"
