"""Writes docs/use/configuration.md from the schema: `python -m docs.use.make_configuration`."""

from pathlib import Path

from hil.configuration.reference import Key, Table, tables

PAGE = Path(__file__).with_name("configuration.md")
HEAD = """# Configuration

For whoever writes a configuration: every key with unit, bounds, default and meaning, and the part of the
program in which it acts. Before the first command: `. .venv/bin/activate`.

This page is written from the schema (`hil/configuration/schema.py`) by
`python -m docs.use.make_configuration`; a test holds it up to date. On the command line:

```sh
zerog check --explain knot
zerog check configs/cube.toml --explain emulator.delay_ms
zerog check configs/cube.toml --set emulator.delay_ms=20
```

* A key ends with its unit, and its value is in that unit; inside the program all is SI
  ([conventions](../conventions.md#units)).
  `zerog check` prints a whole configuration as a file spells it;
  behind a `#` stand what is a default, and the value in SI.
* What has no default must be given. An unknown key is refused, and the nearest one named; a value out of
  bounds is refused with its bound.
* `--set KEY=VALUE` of `zerog run`, `simulate`, `check` and others stands in for the file's value; the key is
  dotted: table and key.
* File names are relative to the configuration's folder.
* *Acts in* names processes ([architecture](../architecture.md)) or commands.
"""
COLUMNS = ("key", "unit", "bounds", "default", "meaning", "acts in")


def page() -> str:
    """Return the text of the page."""
    return "\n".join([HEAD, *(_section(table) for table in tables())])


def _section(table: Table) -> str:
    note = f" ({table.note})" if table.note else ""
    lines = [f"## {table.head}", "", f"{table.meaning.text}{note}", ""]
    if table.keys:
        lines += [_row(COLUMNS), "|" + "---|" * len(COLUMNS), *(_row(_cells(key)) for key in table.keys), ""]
    return "\n".join(lines)


def _cells(key: Key) -> tuple[str, ...]:
    name = f"`{key.name.rsplit('.', 1)[1]}`"
    default = key.default if " " in key.default and "[" not in key.default else f"`{key.default}`"
    default = key.default if key.default == "absent" else default
    return name, key.unit, key.bounds, default, key.meaning.text, key.meaning.acts_in


def _row(cells: tuple[str, ...]) -> str:
    return f"| {' | '.join(cell.replace('|', '/') for cell in cells)} |"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
    print(f"written: {PAGE.name}")
