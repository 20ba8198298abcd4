"""What keys mean, and where they act: read from the schema's own text, where it stands under each field.

Only who asks pays for it: the processes of a run never read it.
"""

import ast
import functools
import inspect
import re
import textwrap
from typing import NamedTuple

from hil.configuration.quantities import Section

_WHERE = re.compile(r"\s*\bIn: ([^.]+)\.\s*$")


class Meaning(NamedTuple):
    """What a table or key is, in words, and the parts of the program in which it acts."""

    text: str
    acts_in: str


def of_table(table: type[Section]) -> Meaning:
    """Return what a table's docstring says, on one line."""
    return _split(inspect.getdoc(table) or "")


def of_field(table: type[Section], name: str) -> Meaning:
    """Return what stands under a field; what it does not say of the parts, its table's docstring does."""
    for owner in table.__mro__:
        text = _under_fields(owner).get(name)
        if text is not None:
            found = _split(text)
            return found if found.acts_in else Meaning(found.text, of_table(table).acts_in)
    return Meaning("", of_table(table).acts_in)


@functools.cache
def _under_fields(owner: type) -> dict[str, str]:
    """Return the text under each field that a class itself has."""
    if not issubclass(owner, Section) or owner is Section:
        return {}
    (tree,) = ast.parse(textwrap.dedent(inspect.getsource(owner))).body
    assert isinstance(tree, ast.ClassDef)
    found = {}
    for field, below in zip(tree.body, tree.body[1:], strict=False):
        if not (isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name)):
            continue
        if isinstance(below, ast.Expr) and isinstance(below.value, ast.Constant):
            found[field.target.id] = str(below.value.value)
    return found


def _split(text: str) -> Meaning:
    """Return text and parts apart, each on one line."""
    line = " ".join(text.split())
    where = _WHERE.search(line)
    return Meaning(_WHERE.sub("", line), where[1] if where else "")
