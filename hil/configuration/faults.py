"""The faults of a file of tables in words: each with key, value, bound and remedy."""

import difflib
import typing
from typing import Any

from pydantic import ValidationError

from hil.configuration.quantities import Section, file_key

BOUNDS = {
    "greater_than": ("gt", "must be above"),
    "greater_than_equal": ("ge", "must be at least"),
    "less_than": ("lt", "must be below"),
    "less_than_equal": ("le", "must be at most"),
}

# tables by which a kind of file is known, what it is, and which command takes it
KINDS = (
    ({"base", "trial"}, "a plan of experiments: `zerog experiment` takes it"),
    ({"object", "mockup"}, "the configuration of a run: `zerog run` and `zerog simulate` take it"),
    (
        {"parts"},
        "an assembly: `zerog assemble` and `zerog workbench` take it, and a run as its `robot.model`",
    ),
    ({"poses"}, "a task to design arms for: `zerog design` takes it"),
    ({"assembly", "input"}, "a mission: `zerog drive` takes it"),
    ({"first", "second"}, "two arms that share a relative motion: `zerog share` takes it"),
    ({"phase"}, "what a second arm is to do: `partner.plan` of a configuration names it"),
)
WANTED = {"model_type": "a table", "path_type": "the name of a file"}
SHOWN = 80  # characters of a value that is shown


def sentences(error: ValidationError, root: type[Section]) -> list[str]:
    """Return every fault as a sentence, keys as in the file; `root` is the class of the whole file.

    Of a file that is another kind of file that alone is said, not what of it all is unknown here.
    """
    found = error.errors(include_url=False)
    if kind := _other_kind(found, root):
        return [f"is {kind}"]
    wrong = {item["loc"][:n] for item in found for n in range(1, len(item["loc"]))}
    # of a list only the right items are counted: where one is wrong, its own fault says it
    kept = [item for item in found if item["type"] != "too_short" or item["loc"] not in wrong]
    return [_sentence(item, root) for item in kept]


def _other_kind(found: list[Any], root: type[Section]) -> str:
    """Return what a file is that lacks keys of `root` and has those of another kind; else nothing."""
    whole = next(
        (item["input"] for item in found if item["type"] == "missing" and len(item["loc"]) == 1), None
    )
    if not isinstance(whole, dict):
        return ""
    kinds = (kind for marks, kind in KINDS if marks <= whole.keys() and not marks <= set(root.keys()))
    return next(kinds, "")


def _sentence(item: Any, root: type[Section]) -> str:
    """Return one fault as a sentence: key, value, bound and remedy."""
    key, section = _key_in_file(item["loc"], root)
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
    if kind == "string_too_short":
        return f"{key} = {value!r} must say why, in at least {context['min_length']} characters"
    if kind in WANTED:
        return f"{key} = {_short(value)} must be {WANTED[kind]}"
    if kind == "literal_error":
        return f"{key} = {value!r} must be one of {context['expected']}"
    if kind == "string_pattern_mismatch":
        return f"{key} = {value!r} must match {context['pattern']}"
    if kind == "value_error" and isinstance(
        value, dict
    ):  # of a whole table, which nobody wants to read again
        said = item["msg"].removeprefix("Value error, ")
        return f"{key}: {said}" if key else said
    return f"{key} = {value!r}: {item['msg'].removeprefix('Value error, ')}"


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= SHOWN else f"{text[:SHOWN]}…"


def _key_in_file(loc: tuple[int | str, ...], root: type[Section]) -> tuple[str, type[Section] | None]:
    """Return the dotted key as the user wrote it, and the table that it stands in."""
    section: type[Section] | None = root
    parts: list[str] = []
    variants: dict[int | str, type[Section]] = {}
    table = section
    for piece in loc:
        if isinstance(piece, int):
            parts[-1] += f"[{piece}]"
            continue
        if piece in variants:  # says which kind of table it is, and is no key
            section = variants[piece]
            continue
        table, field = section, None
        if section is not None:
            field = section.model_fields.get(piece)
        parts.append(file_key(piece, field.metadata) if field else piece)
        section = _section_of(field.annotation) if field else None
        variants = _variants_of(field.annotation) if field else {}
    return ".".join(parts), table


def _variants_of(annotation: Any) -> dict[int | str, type[Section]]:
    """Return the table classes of a union by the value of their `type`; none where there is no union."""
    if isinstance(annotation, type) and issubclass(annotation, Section):
        kind = annotation.model_fields.get("type")
        values = () if kind is None else typing.get_args(kind.annotation)
        return {value: annotation for value in values if isinstance(value, str)}
    found: dict[int | str, type[Section]] = {}
    for inner in typing.get_args(annotation):
        found |= _variants_of(inner)
    return found


def _section_of(annotation: Any) -> type[Section] | None:
    """Return the table class inside an annotation such as `Scene | None` or `tuple[ScriptedPush, ...]`."""
    if isinstance(annotation, type) and issubclass(annotation, Section):
        return annotation
    for inner in typing.get_args(annotation):
        found = _section_of(inner)
        if found is not None:
            return found
    return None
