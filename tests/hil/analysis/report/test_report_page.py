"""The page as a reader gets it: complete in itself, well-formed, legible, honest about what is missing."""

import itertools
import json
import re
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import pytest

from hil.analysis.report import style
from hil.analysis.report.certificate import certificate
from hil.analysis.report.output import folder_of
from hil.analysis.report.page import HERE, value_text
from hil.analysis.report.run_evidence import evidence_of
from hil.analysis.report.run_report import run_report
from hil.analysis.report.solid_mesh import faces_of
from hil.analysis.report.style import MOST_POINTS, thin
from hil.commands.cli import main
from hil.configuration.schema import Override
from hil.loop.solid import Solid
from hil.recording.mcap_file import McapFile
from tests.hil.analysis.report.conftest import CUBE
from tests.hil.analysis.report.synthetic_run import made_up, pushed_run

VOID = {"meta", "img", "br", "input", "wbr"}
READABLE = 4.5  # contrast of text, by the Web Content Accessibility Guidelines
PNG = b"\x89PNG\r\n\x1a\n"


class Page(HTMLParser):
    """Collects tags, attributes and text; a tag that is not closed in its order is a fault."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open, self.faults, self.tags, self.attributes, self.words = [], [], [], [], []
        self.feed(text)
        self.close()
        self.faults += self.open

    def handle_starttag(self, tag, attrs) -> None:
        self.tags.append(tag)
        self.attributes += attrs
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag) -> None:
        if not self.open or self.open.pop() != tag:
            self.faults.append(f"/{tag}")

    def handle_data(self, data) -> None:
        if not self.open or self.open[-1] != "style":
            self.words.append(data)

    @property
    def text(self) -> str:
        return " ".join(" ".join(self.words).split())

    def values(self, name: str) -> list[str]:
        return [value for key, value in self.attributes if key == name]


@pytest.fixture(scope="module")
def written(both, tmp_path_factory) -> Path:
    """The report of a recorded run."""
    target = tmp_path_factory.mktemp("report") / "report.html"
    assert main(["report", str(both.path), "-o", str(target), "--tolerance", "tracking_bounce=9"]) in (
        0,
        1,
    )
    return target


def test_the_page_needs_no_other_file(written) -> None:
    """No address, no script, no style sheet or picture from elsewhere; all links lead within the page."""
    text = written.read_text(encoding="utf-8")
    page = Page(text)
    assert "http://" not in text and "https://" not in text and "@import" not in text
    assert not {"script", "link", "iframe", "object", "embed", "base"} & set(page.tags)
    assert page.values("src") and all(src.startswith("data:image/png;base64,") for src in page.values("src"))
    assert all(href.startswith("#") for href in page.values("href"))
    assert not re.findall(r"url\(", text) and not [key for key, _ in page.attributes if key.startswith("on")]


def test_the_page_is_well_formed_and_says_what_a_stranger_needs(written, both) -> None:
    """Tags are closed, pictures have texts, ids are unique; run, machine and configuration are named."""
    page = Page(written.read_text(encoding="utf-8"))
    assert page.faults == []
    ids = page.values("id")
    assert len(ids) == len(set(ids))
    assert page.tags.count("img") == len(page.values("alt")) >= 6
    assert all(len(alt) > 60 for alt in page.values("alt"))
    for words in ("ideal body", "60 kg", "in lock-step", "What was not measured is no pass", "configs/robots",
                  "object.mass", "interface delay 0 ms", "✓ pass", "– not measured"):  # fmt: skip
        assert words in page.text, words
    assert both.recorded.summary.metadata["zerog"]["machine"] in page.text
    assert "looser than the default 4" in page.text
    assert "<h2>Contacts" not in written.read_text(encoding="utf-8"), "force acts as pushes"
    assert "created in a contact" not in page.text
    assert "worth of an impulse" in page.text and "not known: less than 5 s" in page.text


def test_pictures_lie_beside_the_page(written) -> None:
    """One PNG a picture, the same as within the page."""
    files = sorted(folder_of(written).iterdir())
    page = Page(written.read_text(encoding="utf-8"))
    assert [file.stem for file in files] == sorted(
        set(page.values("id")) & {"overview", "path", "input", "push", "snapshots", "impulses"}
    )
    assert len(files) == 6 and all(file.read_bytes().startswith(PNG) for file in files)


def luminance(colour: str) -> float:
    """Relative luminance of `#rrggbb`."""
    parts = np.array([int(colour[k : k + 2], 16) for k in (1, 3, 5)]) / 255.0
    linear = np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)
    return float(linear @ [0.2126, 0.7152, 0.0722])


def contrast(a: str, b: str) -> float:
    low, high = sorted([luminance(a), luminance(b)])
    return (high + 0.05) / (low + 0.05)


def test_text_is_legible_on_its_ground() -> None:
    """Every colour of text on white, on shaded and on failed rows."""
    css = (HERE / "page.css").read_text(encoding="utf-8")
    texts = set(re.findall(r"[ {;]color: (#\w{6})", css)) | set(re.findall(r"--(?:ink|soft): (#\w{6})", css))
    grounds = set(re.findall(r"background: (#\w{6})", css)) | set(
        re.findall(r"--(?:ground|shade): (#\w{6})", css)
    )
    assert len(texts) >= 5 and len(grounds) >= 3
    for text, ground in itertools.product(texts, grounds):
        assert contrast(text, ground) >= READABLE, (text, ground)


def test_curves_are_told_apart_without_colour() -> None:
    """Ideal, simulation and arm differ in width or dashes, and in grey; pushes from the white ground."""
    styles = [style.IDEAL, style.SIM, style.ARM]
    assert len({(item["lw"], str(item["ls"])) for item in styles}) == 3
    for item in styles:
        assert contrast(item["color"], "#ffffff") >= 3.0, "as a graphical object"


def test_a_thinned_curve_keeps_its_peaks() -> None:
    """At most so many points, rising in time, with the least and the largest value."""
    t = np.arange(123_457) * 0.002
    values = np.sin(t)
    values[77_777], values[100] = 5.0, -4.0
    shown_t, shown = thin(t, values)
    assert len(shown) <= MOST_POINTS + 2 and shown.max() == 5.0 and shown.min() == -4.0
    assert np.all(np.diff(shown_t) > 0)


def test_faces_enclose_the_shapes_volume() -> None:
    """Of a box exactly, of a cylinder and a ball nearly that of the round one; moved and turned as asked."""
    quat, p = np.array([0.5, 0.5, 0.5, 0.5]), np.array([1.0, 2.0, 3.0])
    for shape, expected in (("box", 0.06), ("cylinder", 0.06 * np.pi / 4), ("sphere", 0.06 * np.pi / 6)):
        solid = Solid(
            "f", shape, np.array([0.2, 0.3, 1.0]), np.zeros(3), np.array([1.0, 0, 0, 0]), np.ones(4)
        )
        faces = faces_of(solid, p, quat)
        middle = np.mean(np.concatenate(faces), axis=0)
        volume = 0.0
        for face in faces:  # pyramids from the middle, cut into tetrahedra
            a = face[0] - middle
            volume += sum(
                abs(np.dot(a, np.cross(b - middle, c - middle))) / 6.0
                for b, c in itertools.pairwise(face[1:])
            )
        assert volume == pytest.approx(expected, rel=1e-9 if shape == "box" else 0.08)
        low, high = np.concatenate(faces).min(axis=0), np.concatenate(faces).max(axis=0)
        # the turn takes x to y, y to z, z to x
        np.testing.assert_allclose(high - low, [1.0, 0.2, 0.3], atol=0.02)
        np.testing.assert_allclose(0.5 * (low + high), p, atol=1e-9)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, "–"),
        (0.0, "0"),
        (12.0, "12"),
        (8.523, "8.52"),
        (1e-8, "1 × 10⁻⁸"),
        (0.05, "0.05"),
        ("ab", "ab"),
    ],
)
def test_values_are_written_for_people(value, text) -> None:
    """Three digits, powers of ten as such."""
    assert value_text(value) == text


def test_a_failed_metric_is_at_the_top_and_in_the_status(both, tmp_path, capsys) -> None:
    """Status 1, the row marked in words, the verdict of the whole first."""
    target = tmp_path / "r.html"
    assert main(["report", str(both.path), "-o", str(target), "--tolerance", "reaction=1"]) == 1
    assert "failed: Reaction, median: " in capsys.readouterr().out
    text = Page(target.read_text(encoding="utf-8")).text
    assert text.index("Failed") < text.index("What was run") and "✗ FAIL" in text


def test_a_real_arms_report_says_that_nobody_knows_the_force() -> None:
    """No ideal body in words or curves, the metrics of force not measured, the joints named."""
    arrays = pushed_run().arrays
    arrays["push_t_start"] = arrays["push_t_end"] = np.empty(0)
    arrays["push_value"] = np.empty((0, 6))
    run = made_up(arrays, live=True, missing={"force": "a real arm: nobody knows", "motion": "by the joints"})
    made = run_report(run, {}, None, "x")
    text = Page(made.html).text
    assert text.count("a real arm: nobody knows") > 5 and "by the joints" in text
    assert "what a body in free flight would do" not in text
    assert all(line.value is None for line in made.certificate.lines if "impulse" in line.name)
    assert "latency" in {name.removesuffix(".png") for name in made.pictures}


def test_what_a_real_arm_was_let_do_unchecked_stands_at_the_top(real_arm) -> None:
    """Each override with its reason, before what was run; without one nothing."""
    arrays, why = pushed_run().arrays, "measured by hand, all of it"
    fri = real_arm.fri.model_copy(update={"override": Override(certificate=why, wrench_check="tried alone")})
    unchecked = real_arm.model_copy(update={"fri": fri})
    for c, told in ((unchecked, True), (real_arm, False)):
        run = replace(made_up(arrays, live=True), configuration=c)
        text = Page(run_report(run, {}, None, "x").html).text
        head = text[: text.index("What was run")]
        assert (f"fri.override.certificate: {why}" in head) is told
        assert ("fri.override.wrench_check: tried alone" in head) is told


def test_a_broken_recording_says_so_at_the_top(both, tmp_path, capsys) -> None:
    """The part that can be read is reported, the warning stands before all else."""
    cut, target = tmp_path / "cut.mcap", tmp_path / "cut.html"
    data = both.path.read_bytes()
    cut.write_bytes(data[: len(data) * 7 // 10])
    assert main(["report", str(cut), "-o", str(target)]) in (0, 1)
    text = Page(target.read_text(encoding="utf-8")).text
    assert text.index("the recording is broken off") < text.index("What was run")


def test_a_recording_with_nothing_in_it_gives_a_page_without_a_pass(tmp_path) -> None:
    """A head and no message: everything not measured; status 0, since nothing failed."""
    from hil.configuration import load_configuration
    from hil.recording.recorder import head_of

    path, target = tmp_path / "empty.mcap", tmp_path / "empty.html"
    text = CUBE.read_text(encoding="utf-8")
    McapFile(path, 0, head_of(load_configuration(CUBE), text, [], 0)).close()
    assert main(["report", str(path), "-o", str(target)]) == 0
    page = Page(target.read_text(encoding="utf-8"))
    assert "Nothing was measured" in page.text and "✓ pass" not in page.text
    assert "the recording has no cycles of the driver" in page.text and page.tags.count("img") == 0


def test_bad_input_is_one_clear_line(both, tmp_path, capsys) -> None:
    """Missing, foreign, empty, a place that is taken or not there: status 2, and nothing is overwritten."""
    foreign, taken = tmp_path / "foreign.mcap", tmp_path / "taken.html"
    foreign.write_text("nothing of the kind", encoding="utf-8")
    taken.write_text("my own page", encoding="utf-8")
    free, empty = str(tmp_path / "free.html"), tmp_path / "empty"
    empty.mkdir()
    (tmp_path / "mine_files").mkdir()
    for words, expected in (
        ([str(tmp_path / "no.mcap"), "-o", free], "no.mcap cannot be read: No such file"),
        ([str(foreign), "-o", free], "is no recording"),
        ([str(empty), "-o", free], "is no experiment's folder"),
        ([str(both.path), "-o", str(taken)], "is there already and is no report: give another name with -o"),
        ([str(both.path), "-o", str(tmp_path / "mine.html")], "is there already and is no report's"),
        ([str(both.path), "-o", str(tmp_path / "no" / "a.html")], "there is no folder"),
        ([str(both.path), "-o", free, "--tolerance", "holds"], "must read NAME=VALUE"),
    ):
        assert main(["report", *words]) == 2, words
        error = capsys.readouterr().err
        assert expected in error and error.count("\n") == 1, error
    assert taken.read_text(encoding="utf-8") == "my own page" and not Path(free).exists()


def test_a_report_of_ours_is_made_anew(written, both) -> None:
    """The page and its pictures are replaced, nothing of the old one stays."""
    old = folder_of(written) / "old.png"
    old.write_bytes(PNG)
    assert main(["report", str(both.path), "-o", str(written), "--tolerance", "tracking_bounce=9"]) in (
        0,
        1,
    )
    assert not old.exists() and (folder_of(written) / "overview.png").exists()


def test_the_json_has_the_rows_of_the_page(both, tmp_path) -> None:
    """Every row with its verdict; the exit status is that of the verdict."""
    target, told = tmp_path / "page.html", tmp_path / "rows.json"
    status = main(["report", str(both.path), "-o", str(target), "--json", str(told)])
    content = json.loads(told.read_text(encoding="utf-8"))
    assert status == int(content["verdict"] == "fail")
    own = certificate([evidence_of(both.recorded)], {})
    assert [row["name"] for row in content["rows"]] == [line.name for line in own.lines]
    for row, line in zip(content["rows"], own.lines, strict=True):
        assert row["verdict"] == line.verdict.value and row["value"] == line.value, line.name
    assert content["worth_of_an_impulse"].startswith("not known")
    assert content["in_words"] in target.read_text(encoding="utf-8")
