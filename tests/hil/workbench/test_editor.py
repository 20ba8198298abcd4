"""The editor: what can be done, what is refused and where that shows, and that undo and redo lose nothing."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hil.workbench.editor import Editor, empty_editor, misfits
from hil.workbench.edits import Refusal, edit_of
from sim.assembly.assembly_file import assembly_text
from tests.hil.workbench.toy_parts import toy_database

DATABASE = toy_database()


def edited(editor: Editor, *deeds: dict[str, Any]) -> Editor:
    for deed in deeds:
        editor = editor.do(edit_of(deed))
    return editor


def arm(*names: str) -> Editor:
    return edited(empty_editor(DATABASE), *({"do": "add", "component": name} for name in names))


def names(editor: Editor) -> list[str]:
    return [part.name for part in editor.chain]


def refused(editor: Editor, deed: dict[str, Any]) -> Refusal:
    """The refusal of a deed, after which nothing has changed."""
    before = editor.chain
    with pytest.raises(Refusal) as caught:
        edited(editor, deed)
    assert editor.chain is before and "\n" not in str(caught.value)
    return caught.value


def test_parts_are_joined_put_between_replaced_and_taken_away() -> None:
    """Each deed by hand, names stay with their parts."""
    editor = arm("base", "pitch", "link", "pitch", "tool")
    assert names(editor) == ["base", "pitch", "link", "pitch_2", "tool"]
    editor = edited(editor, {"do": "add", "component": "link", "at": 1})
    assert names(editor) == ["base", "link_2", "pitch", "link", "pitch_2", "tool"]
    editor = edited(editor, {"do": "replace", "at": 3, "component": "long"})
    assert names(editor) == ["base", "link_2", "pitch", "long", "pitch_2", "tool"]
    editor = edited(
        editor, {"do": "turn", "at": 3, "turn": 90.0}, {"do": "name_part", "at": 3, "name": "arm"}
    )
    assert assembly_text(editor.chain).count("turn_deg = 90") == 1
    editor = edited(editor, {"do": "replace", "at": 3, "component": "link"})
    assert names(editor)[3] == "arm", "a name of its own stays"
    assert editor.chain.parts[3].turn == pytest.approx(1.5707963267948966)
    assert names(edited(editor, {"do": "remove", "at": 1})) == ["base", "pitch", "arm", "pitch_2", "tool"]
    assert names(edited(editor, {"do": "remove", "at": 2, "rest": True})) == ["base", "link_2"]
    assert len(edited(editor, {"do": "clear"}).chain) == 0
    named = edited(editor, {"do": "name", "name": "crane"}, {"do": "gravity", "gravity": [0.0, 0.0, 0.0]})
    assert named.chain.name == "crane" and named.chain.gravity == (0.0, 0.0, 0.0)


REFUSED = [
    ({"do": "add", "component": "wide"}, "component wide", "'tool'"),
    ({"do": "add", "component": "link"}, "component link", "behind the tool 'tool' nothing is joined"),
    ({"do": "add", "component": "wide", "at": 1}, "component wide", "of different size"),
    ({"do": "add", "component": "tool", "at": 1}, "part 1", "behind the tool"),
    ({"do": "add", "component": "lnk"}, "component lnk", "near: link"),
    ({"do": "add", "component": "motor", "at": 2}, "component motor", "a joint names it"),
    ({"do": "remove", "at": 0}, "part 1", "is no base"),
    ({"do": "remove", "at": 9}, "part 9", "there is no part 9"),
    ({"do": "remove", "at": -1}, "part -1", "greater than or equal to 0"),
    ({"do": "remove", "at": True}, "part True", "valid integer"),
    ({"do": "replace", "at": 1, "component": "wide"}, "part 1", "'base' (both flange 80 mm) and 'wide'"),
    ({"do": "replace", "at": 1, "component": "nothing"}, "component nothing", "there is no component"),
    ({"do": "turn", "at": 0, "turn": 10.0}, "part 0", "is the base"),
    ({"do": "turn", "at": 1, "turn": 400.0}, "part 1", "less than or equal to 360"),
    ({"do": "turn", "at": 1, "turn": float("nan")}, "part 1", "finite"),
    ({"do": "name_part", "at": 1, "name": "tool"}, "part 1", "a part 'tool' already"),
    ({"do": "name_part", "at": 1, "name": "two words"}, "part 1", "must be letters, digits"),
    ({"do": "name", "name": "../arm"}, "name", "must be small letters"),
    ({"do": "name", "name": "Größe"}, "name", "must be small letters, digits, - _ and . without spaces"),
    ({"do": "gravity", "gravity": [0.0, 0.0]}, "", "3 items"),
    ({"do": "fly"}, "", "fly"),
    ({}, "", "do"),
    ({"do": "remove", "at": 1, "also": 2}, "part 1", "also"),
]


@pytest.mark.parametrize(("deed", "spot", "words"), REFUSED, ids=[str(case[0]) for case in REFUSED])
def test_what_cannot_be_done_is_refused_at_its_spot(deed: dict[str, Any], spot: str, words: str) -> None:
    """One line that names both sides or the value, and where on the page it belongs; nothing has changed."""
    refusal = refused(arm("base", "pitch", "tool"), deed)
    assert words in str(refusal) and refusal.spot == spot


def test_what_fits_is_what_can_be_added() -> None:
    """For every component, at the end and before each part: a reason where adding is refused, else none."""
    for editor in (arm(), arm("base"), arm("base", "pitch", "link"), arm("base", "pitch", "tool")):
        for at in (None, *range(len(editor.chain))):
            for name, why in misfits(editor.chain, at).items():
                deed = {"do": "add", "component": name} | ({} if at is None else {"at": at})
                if why:
                    refused(editor, deed)
                else:
                    assert name in [part.component.name for part in edited(editor, deed).chain]


def test_undo_and_redo_go_through_all_that_was_done() -> None:
    """Back to the first and forth to the last; a new deed forgets what was undone; the ends are told."""
    editor = arm("base", "pitch", "link")
    texts = [assembly_text(step.chain) for step in editor.steps]
    for text in reversed(texts[:-1]):
        editor = editor.undo()
        assert assembly_text(editor.chain) == text
    assert editor.undone_next == "" and editor.redone_next == "base joined"
    with pytest.raises(Refusal, match="nothing to undo"):
        editor.undo()
    for text in texts[1:]:
        editor = editor.redo()
        assert assembly_text(editor.chain) == text
    with pytest.raises(Refusal, match="nothing to redo"):
        editor.redo()
    other = edited(editor.undo(), {"do": "add", "component": "long"})
    assert other.redone_next == "" and names(other) == ["base", "pitch", "long"]
    assert names(other.undo()) == ["base", "pitch"] and other.undo().redone_next == "long joined"


DEEDS = st.one_of(
    st.builds(lambda c: {"do": "add", "component": c}, st.sampled_from([c.name for c in DATABASE])),
    st.builds(
        lambda c, at: {"do": "add", "component": c, "at": at},
        st.sampled_from([c.name for c in DATABASE]), st.integers(0, 6)),
    st.builds(lambda at, rest: {"do": "remove", "at": at, "rest": rest}, st.integers(0, 6), st.booleans()),
    st.builds(lambda at: {"do": "replace", "at": at, "component": "long"}, st.integers(0, 6)),
    st.builds(
        lambda at, turn: {"do": "turn", "at": at, "turn": turn}, st.integers(0, 6), st.floats(-360, 360)),
    st.sampled_from([{"do": "undo"}, {"do": "redo"}]),
)  # fmt: skip


@settings(max_examples=120, deadline=None)
@given(st.lists(DEEDS, max_size=30))
def test_whatever_is_done_the_arm_is_one_that_can_be_built(deeds: list[dict[str, Any]]) -> None:
    """After any deeds the parts can be joined anew one by one, names differ, undo leads back to nothing."""
    editor = empty_editor(DATABASE)
    for deed in deeds:
        try:
            plain = {"undo": Editor.undo, "redo": Editor.redo}.get(deed["do"])
            editor = plain(editor) if plain else editor.do(edit_of(deed))
        except Refusal:
            continue
    again = empty_editor(DATABASE).chain
    for part in editor.chain:
        again = again.add(part.component.name, name=part.name)
    assert len({part.name for part in editor.chain}) == len(editor.chain)
    while editor.undone_next:
        editor = editor.undo()
    assert len(editor.chain) == 0
