"""The desk: saving, opening, the draft that is kept after each deed, what is offered at the next start."""

from pathlib import Path
from typing import Any

import pytest

from hil.common.errors import AssemblyError, WorkbenchError
from hil.workbench.draft import DRAFT, LOCK, Drafts
from hil.workbench.page.desk import Desk
from sim.assembly.assembly_file import assembly_text, load_assembly
from tests.hil.workbench.toy_parts import toy_database

DATABASE = toy_database()
OFFER = "workbench-offer.toml"


class Bench:
    """A desk in folders of its own, and the way to a next one."""

    def __init__(self, folder: Path) -> None:
        self.state, self.files = folder / "state", folder / "files"
        self.files.mkdir()
        self.drafts: Drafts | None = None
        self.again()

    def again(self, path: Path | None = None) -> None:
        """Start the workbench anew; the last one was killed."""
        if self.drafts is not None:
            self.drafts.release()
        self.drafts = Drafts(self.state)
        self.desk = Desk(DATABASE, self.drafts, self.files, path)

    def do(self, deed: str, **more: Any) -> dict[str, Any]:
        said = self.desk.obey({"do": deed, **more})
        assert said["accepted"], said
        return said

    def refused(self, deed: str, **more: Any) -> tuple[str, str]:
        """Text and spot of a refusal, which has changed neither arm nor draft."""
        before, draft = self.desk.text, self.draft
        said = self.desk.obey({"do": deed, **more})
        assert not said["accepted"] and self.desk.text == before and self.draft == draft
        return said["text"], said["spot"]

    def build(self, *names: str) -> None:
        for name in names:
            self.do("add", component=name)

    @property
    def draft(self) -> str | None:
        file = self.state / DRAFT
        return file.read_text(encoding="utf-8") if file.exists() else None


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return Bench(tmp_path)


def test_after_each_deed_the_draft_is_the_arm(bench: Bench) -> None:
    """Also after undo and redo; a refused deed leaves it; of nothing there is none."""
    deeds: list[dict[str, Any]] = [{"do": "add", "component": name} for name in ("base", "pitch", "link")]
    deeds += [
        {"do": "turn", "at": 2, "turn": 45.0},
        {"do": "undo"},
        {"do": "redo"},
        {"do": "name", "name": "x"},
    ]
    for deed in deeds:
        assert bench.desk.obey(deed)["accepted"]
        assert bench.draft == bench.desk.text
        assert load_assembly(bench.state / DRAFT, DATABASE).parts == bench.desk.chain.parts
    assert bench.refused("add", component="wide") and bench.draft == bench.desk.text
    bench.do("clear")
    assert bench.draft is None


def test_a_killed_workbench_loses_nothing(bench: Bench) -> None:
    """The next one offers the draft, begins with nothing, goes on with it when asked; undo takes it back."""
    bench.build("base", "pitch", "link")
    text = bench.desk.text
    bench.again()
    assert bench.desk.state()["offer"].startswith("new_arm, 3 parts, of ") and not bench.desk.chain.parts
    bench.do("resume")
    assert bench.desk.text == text == bench.draft and bench.desk.state()["offer"] == ""
    assert bench.refused("resume")[1] == "offer"
    bench.do("undo")
    assert not bench.desk.chain.parts


def test_an_offer_survives_what_is_done_before_it_is_answered(bench: Bench) -> None:
    """New deeds have a draft of their own; a workbench without any deed keeps the offer for the next."""
    bench.build("base", "pitch")
    kept = bench.desk.text
    bench.again()
    bench.again()
    bench.build("base")
    assert (bench.state / OFFER).read_text(encoding="utf-8") == kept
    bench.do("resume")
    assert bench.desk.text == kept
    bench.do("save", file="kept.toml")
    bench.again()
    assert bench.desk.state()["offer"] == "", "what was taken up is not offered again"
    bench.build("base")
    bench.again()
    assert bench.desk.state()["offer"] != ""
    bench.do("dismiss")
    assert bench.desk.state()["offer"] == "" and not (bench.state / OFFER).exists()


def test_what_is_saved_is_no_draft(bench: Bench) -> None:
    """Saved, it is not offered; changed again, it is; back at what was saved by undo, it is not."""
    bench.build("base", "pitch")
    assert str(bench.files / "arm.toml") in bench.do("save", file="arm.toml")["text"]
    assert bench.draft is None and bench.desk.state()["saved"] and bench.desk.state()["file"] == "arm.toml"
    assert (bench.files / "arm.toml").read_text(encoding="utf-8") == bench.desk.text
    bench.build("link")
    assert bench.draft and not bench.desk.state()["saved"]
    bench.do("clear")
    assert bench.draft is None and bench.desk.state()["saved"], "of an empty arm nothing can be lost"
    bench.do("undo")
    assert bench.draft
    bench.do("undo")
    assert bench.draft is None and bench.desk.state()["saved"]
    bench.again(bench.files / "arm.toml")
    assert len(bench.desk.chain) == 2 and bench.desk.state()["saved"] and not bench.desk.state()["undo"]


def test_a_file_is_replaced_only_when_asked_twice(bench: Bench) -> None:
    """One's own is; another's is refused with its folder, then replaced if that is said."""
    (bench.files / "other.toml").write_text("precious", encoding="utf-8")
    bench.build("base")
    text, spot = bench.refused("save", file="other.toml")
    assert spot == "overwrite" and str(bench.files) in text
    assert (bench.files / "other.toml").read_text(encoding="utf-8") == "precious"
    bench.do("save", file="other.toml", overwrite=True)
    bench.build("pitch")
    bench.do("save", file="other.toml")
    assert len(load_assembly(bench.files / "other.toml", DATABASE)) == 2


def test_a_file_of_the_same_name_that_is_not_ours_is_kept(bench: Bench) -> None:
    """One that a page opened from elsewhere, and ours that another program has changed, are asked for too."""
    (bench.files / "crane.toml").write_text("precious", encoding="utf-8")
    text = 'name = "crane"\n[[parts]]\ncomponent = "base"\n'
    bench.do("open", file="crane.toml", text=text)
    assert bench.desk.state()["file"] == "crane.toml"
    assert bench.refused("save", file="crane.toml")[1] == "overwrite"
    bench.do("save", file="crane.toml", overwrite=True)
    bench.build("pitch")
    bench.do("save", file="crane.toml")
    (bench.files / "crane.toml").write_bytes(b"\xff changed meanwhile")
    assert bench.refused("save", file="crane.toml")[1] == "overwrite"
    (bench.files / "crane.toml").write_text(text, encoding="utf-8")
    bench.do("open", file="crane.toml", text=text)
    bench.build("link")
    bench.do("save", file="crane.toml")
    bench.again(bench.files / "crane.toml")
    bench.build("tool")
    bench.do("save", file="crane.toml")


def test_undo_goes_back_to_the_file_as_well(bench: Bench) -> None:
    """What was opened by mistake is not written over by the arm that was there before; redo has it again."""
    bench.build("base")
    bench.do("save", file="first.toml")
    text = 'name = "crane"\n[[parts]]\ncomponent = "base"\n'
    (bench.files / "crane.toml").write_text(text, encoding="utf-8")
    bench.do("open", file="crane.toml", text=text)
    bench.do("undo")
    assert bench.desk.state()["file"] == "first.toml" and bench.desk.state()["saved"]
    assert bench.refused("save", file="crane.toml")[1] == "overwrite"
    bench.do("redo")
    assert bench.desk.state()["file"] == "crane.toml"
    bench.do("clear")
    assert bench.desk.state()["file"] == ""
    bench.do("undo")
    bench.build("pitch")
    bench.do("save", file="crane.toml")
    bench.do("undo")
    bench.do("save", file="crane.toml")
    assert (bench.files / "first.toml").read_text(encoding="utf-8").count("pitch") == 0


@pytest.mark.parametrize("name", ["", "arm", "../arm.toml", "/arm.toml", ".toml", "a/b.toml", "a\n.toml"])
def test_files_lie_in_the_folder_and_nowhere_else(bench: Bench, name: str) -> None:
    """A page names a file, never a path."""
    bench.build("base")
    assert bench.refused("save", file=name)[1] == "file"
    assert not list(bench.files.iterdir())


def test_an_empty_arm_is_not_saved(bench: Bench) -> None:
    assert bench.refused("save", file="arm.toml") == (
        "there is nothing to save: the arm has no parts",
        "file",
    )


def test_opening_is_a_deed_like_others(bench: Bench) -> None:
    """Undo brings back what was there; text and source of a file stay in it; a broken one changes nothing."""
    bench.build("base", "pitch")
    before = bench.desk.text
    bench.do("save", file="first.toml")
    text = 'name = "crane"\ntext = "It lifts"\nsource = "a drawing"\n[[parts]]\ncomponent = "base"\n'
    bench.do("open", file="crane.toml", text=text)
    assert bench.desk.chain.name == "crane" and bench.desk.state()["file"] == "crane.toml"
    assert 'text = "It lifts"' in bench.desk.text and 'source = "a drawing"' in bench.desk.text
    bench.do("undo")
    assert bench.desk.text == before
    for broken, words in (
        ("name = ", "crane.toml: is no TOML"),
        ('name = "a"\nspeed = 3\n[[parts]]\ncomponent = "base"', "speed is unknown"),
        ('name = "a"\n[[parts]]\ncomponent = "base"\n[[parts]]\ncomponent = "wide"', "parts[1]"),
        ('name = "a"\n[[parts]]\ncomponent = "bas"', "near: base"),
        ('name = "a"\n[[parts]]\ncomponent = "base"\nturn_deg = 400.0', "must be at most 360"),
    ):
        said, spot = bench.refused("open", file="crane.toml", text=broken)
        assert words in said and spot == "file"


def test_a_draft_finds_components_that_lie_beside_its_arm(bench: Bench) -> None:
    """Drafts are kept in another folder than the arm's file, which names them from where it lies."""
    body = "{mass_kg = 3.0, centre_mm = [0.0, 0.0, 50.0], inertia_kg_m2 = [0.1, 0.1, 0.1, 0.0, 0.0, 0.0]}"
    mast = f"""
name = "mast"
kind = "base"
source = "made up"
bodies = [{body}]
output = {{gender = "both", type = "flange", size_mm = 80.0}}
"""
    (bench.files / "mast.toml").write_text(mast, encoding="utf-8")
    text = 'name = "own"\n[[components]]\nfile = "mast.toml"\n[[parts]]\ncomponent = "mast"\n'
    bench.do("open", file="own.toml", text=text)
    bench.build("pitch")
    bench.again()
    assert bench.desk.state()["notice"] == ""
    bench.do("resume")
    assert [part.component.name for part in bench.desk.chain] == ["mast", "pitch"]


def test_a_draft_that_cannot_be_read_stays_and_is_told(bench: Bench) -> None:
    """For example since a component has another name now."""
    bench.build("base")
    (bench.state / DRAFT).write_text('name = "a"\n[[parts]]\ncomponent = "gone"\n', encoding="utf-8")
    bench.again()
    assert "gone" in bench.desk.state()["notice"] and bench.desk.state()["offer"] == ""
    assert (bench.state / OFFER).exists()


@pytest.mark.parametrize("left", [b"\xff\xfe\x00", b"x = " + 999 * b"[" + 999 * b"]", b"name = 3", None])
def test_a_draft_that_is_none_is_told_and_harms_nothing(bench: Bench, left: bytes | None) -> None:
    """Bytes, a depth that no reader takes, another kind of file, a folder: it is told, and work goes on."""
    draft = bench.state / DRAFT
    if left is None:
        draft.mkdir()
    else:
        draft.write_bytes(left)
    bench.again()
    assert "cannot be read" in bench.desk.state()["notice"]
    bench.build("base")
    bench.again()
    assert bench.desk.state()["offer"].startswith("new_arm, 1 part, ")
    bench.do("resume")
    assert (bench.state / OFFER).exists(), "what could not be read is still there"


def test_no_offer_is_written_over_by_the_next(bench: Bench) -> None:
    """Three workbenches are killed, nobody has answered: all arms are offered, newest first."""
    for parts in (("base",), ("base", "pitch"), ("base", "pitch", "link")):
        bench.build(*parts)
        bench.again()
    assert "3 parts" in bench.desk.state()["offer"] and "2 more" in bench.desk.state()["offer"]
    bench.do("dismiss")
    assert "2 parts" in bench.desk.state()["offer"]
    bench.do("resume")
    assert len(bench.desk.chain) == 2 and "1 part," in bench.desk.state()["offer"]
    bench.do("resume")
    assert bench.desk.state()["offer"] == "" and bench.refused("resume")[1] == "offer"
    bench.again()
    assert (
        bench.desk.state()["offer"].startswith("new_arm, 1 part, of ")
        and ";" not in bench.desk.state()["offer"]
    )


def test_a_second_workbench_leaves_the_first_ones_draft(bench: Bench) -> None:
    """It is refused with what helps; the draft stays the first one's."""
    bench.build("base", "pitch")
    with pytest.raises(WorkbenchError, match=r"another workbench is at work.*XDG_STATE_HOME"):
        Drafts(bench.state)
    assert bench.draft == bench.desk.text and not (bench.state / OFFER).exists()


def test_what_others_have_written_meanwhile_is_not_lost(bench: Bench) -> None:
    """A file of ours is saved without asking until another program changes it; asked twice, it is ours."""
    bench.build("base")
    bench.do("save", file="arm.toml")
    bench.build("pitch")
    bench.do("save", file="arm.toml")
    file = bench.files / "arm.toml"
    by_hand = file.read_text(encoding="utf-8") + "# measured on Monday\n"
    file.write_text(by_hand, encoding="utf-8")
    bench.build("link")
    text, spot = bench.refused("save", file="arm.toml")
    assert spot == "overwrite" and "has been changed since" in text
    assert file.read_text(encoding="utf-8") == by_hand
    bench.do("save", file="arm.toml", overwrite=True)
    assert file.read_text(encoding="utf-8") == bench.desk.text
    file.unlink()
    bench.build("pitch")
    bench.do("save", file="arm.toml")
    assert file.read_text(encoding="utf-8") == bench.desk.text


def test_a_file_that_was_begun_with_is_watched_too(bench: Bench) -> None:
    """Also one whose name we would not give."""
    file = bench.files / "my arm (1).toml"
    file.write_text('name = "mine"\n[[parts]]\ncomponent = "base"\n', encoding="utf-8")
    bench.again(file)
    bench.build("pitch")
    bench.do("save", file=file.name)
    file.write_text("changed", encoding="utf-8")
    bench.build("link")
    assert bench.refused("save", file=file.name)[1] == "overwrite"


def test_a_file_belongs_to_its_arm(bench: Bench) -> None:
    """Undone beyond an opening, or taken up, an arm is not saved into another one's file."""
    crane = 'name = "crane"\n[[parts]]\ncomponent = "base"\n'
    (bench.files / "crane.toml").write_text(crane, encoding="utf-8")
    bench.build("base", "pitch")
    bench.do("open", file="crane.toml", text=crane)
    assert bench.desk.state()["file"] == "crane.toml" and bench.desk.state()["saved"] and bench.draft is None
    bench.do("undo")
    assert bench.desk.state()["file"] == "" and bench.draft == bench.desk.text
    assert bench.refused("save", file="crane.toml")[1] == "overwrite"
    bench.do("save", file="mine.toml")
    bench.do("redo")
    assert bench.desk.state()["file"] == "crane.toml" and bench.desk.state()["saved"]
    bench.do("clear")
    assert bench.desk.state()["file"] == ""
    bench.build("base", "link")
    bench.again(bench.files / "crane.toml")
    bench.do("resume")
    assert len(bench.desk.chain) == 2 and bench.desk.state()["file"] == ""
    assert (bench.files / "crane.toml").read_text(encoding="utf-8") == crane


def test_another_file_of_the_same_name_is_not_the_opened_one(bench: Bench) -> None:
    """A browser opens from any folder: what ours has under that name is replaced only when asked twice."""
    (bench.files / "crane.toml").write_text("another one", encoding="utf-8")
    bench.do("open", file="crane.toml", text='name = "crane"\n[[parts]]\ncomponent = "base"\n')
    assert not bench.desk.state()["saved"] and bench.draft
    assert bench.refused("save", file="crane.toml")[1] == "overwrite"


def test_folders_that_refuse_are_told(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    """No rights, a folder of that name, a folder that is gone, too long a name, a text that is none."""
    bench.build("base")
    (bench.files / "folder.toml").mkdir()
    assert "Is a directory" in bench.refused("save", file="folder.toml")[0]
    assert "at most 100" in bench.refused("save", file="a" * 300 + ".toml")[0]
    assert bench.refused("open", file="odd.toml", text="\ud800") == ("odd.toml: is no text", "file")
    with monkeypatch.context() as patch:

        def denied(*_: object, **__: object) -> bytes:
            raise PermissionError(13, "Permission denied")

        patch.setattr("pathlib.Path.read_bytes", denied)
        assert "Permission denied" in bench.refused("save", file="arm.toml")[0]
    bench.files.joinpath("folder.toml").rmdir()
    bench.files.rmdir()
    text, spot = bench.refused("save", file="arm.toml")
    assert "No such file or directory" in text and spot == "file"


def test_a_state_directory_that_is_cleaned_up_comes_back(bench: Bench) -> None:
    """The draft is kept on."""
    bench.build("base")
    for file in bench.state.iterdir():
        file.unlink()
    bench.state.rmdir()
    bench.build("pitch")
    assert bench.draft == bench.desk.text


def test_a_file_to_begin_with_must_be_one(bench: Bench) -> None:
    with pytest.raises(AssemblyError, match=r"missing\.toml"):
        bench.again(bench.files / "missing.toml")


def test_a_state_directory_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    """One line with the folder and what helps."""
    (tmp_path / "file").write_text("")
    with pytest.raises(WorkbenchError, match="XDG_STATE_HOME"):
        Drafts(tmp_path / "file" / "below")


def test_a_disk_that_is_full_is_told_and_the_deed_is_done(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The old draft is whole; what cannot be kept is said."""
    bench.build("base")
    kept = bench.draft

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.replace", full)
    said = bench.desk.obey({"do": "add", "component": "pitch"})
    assert not said["accepted"] and "No space left" in said["text"]
    assert len(bench.desk.chain) == 2 and bench.draft == kept
    assert {file.name for file in bench.state.iterdir()} == {DRAFT, LOCK}, "nothing half-written lies about"


def test_what_the_page_is_told_of_an_arm(bench: Bench) -> None:
    """Bodies by their parts, in the link units that they move with; joints with their limits."""
    bench.build("base", "pitch", "link", "slide", "tool")
    assert bench.desk.state()["revision"] == 5, "pages tell old answers from new ones by it"
    bench.do("turn", at=2, turn=45.0)
    bench.refused("turn", at=9, turn=1.0)
    bench.do("save", file="arm.toml")
    state = bench.desk.state()
    assert state["revision"] == bench.desk.look(None)["revision"] == 6
    assert [part["turn"] for part in state["parts"]] == [0.0, 0.0, 45.0, 0.0, 0.0]
    assert [[body["part"] for body in unit] for unit in state["units"]] == [[0, 1], [1, 2, 3], [3, 4]]
    assert [joint["linear"] for joint in state["joints"]] == [False, True]
    assert state["joints"][1]["upper"] == pytest.approx(0.2) and state["mass"] == pytest.approx(11.5)
    assert bench.desk.look(1)["misfits"]["link"] == "" and "tool" in bench.desk.look(1)["misfits"]["tool"]
    assert bench.desk.look("x")["at"] is None
    assert assembly_text(bench.desk.chain) == bench.desk.text
