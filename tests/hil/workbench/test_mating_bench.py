"""Mating behind the page: fields of a file, what a page may say, runs, cuts, files, the worker's ends."""

import asyncio
import csv
import io
import json
import zipfile
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any, Literal

import numpy as np
import pytest

from hil.common.errors import ExperimentError
from hil.configuration.quantities import Quantity, Section
from hil.trials.mating.loading import SHIPPED, load_mating
from hil.trials.mating.running import run_experiment
from hil.workbench.edits import Refusal
from hil.workbench.page.mating.form import experiments, fields_of, form, settings_of, source_of
from hil.workbench.page.mating.rig import Rig
from hil.workbench.page.mating.told import MOST_ROWS, bands, chosen_rows, cut, told
from hil.workbench.page.mating.worker import KEPT, Bench

COARSE = {"motion.sample_mm": "0.1"}


def unheard(share: Any) -> None:
    """Progress that nobody looks at."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with an experiment of one's own, an arm's file, a broken one, and one beside it."""
    place = tmp_path_factory.mktemp("mating")
    inside = place / "inside"
    inside.mkdir()
    own = (SHIPPED / "snap_beam.toml").read_text(encoding="utf-8").replace("mu = 0.2", "mu = 0.35")
    own = own.replace("slip_mm_s = 0.01\n", "")
    for path in (inside / "own.toml", place / "outside.toml"):
        path.write_text(own, encoding="utf-8")
    (inside / "arm.toml").write_text("name = 'arm'\n", encoding="utf-8")
    (inside / "broken.toml").write_text("experiment = \n", encoding="utf-8")
    return inside


@pytest.fixture(scope="module")
def bench(folder: Path) -> Bench:
    return Bench(folder, 0)


def by_key(source: str) -> dict[str, Any]:
    return {field["key"]: field for field in form(source)["fields"]}


def test_experiments_are_the_shipped_ones_and_the_folders(folder: Path) -> None:
    """Other files and such as cannot be read are left out; nothing else on this machine can be named."""
    found = {one["name"]: one["shipped"] for one in experiments(folder)}
    assert found.pop("own.toml") is False and set(found.values()) == {True}
    assert {"o-ring", "snap-beam", "snap-plate"} <= set(found)
    assert source_of(folder, "o-ring") == "o-ring"
    assert source_of(folder, "own.toml") == str(folder / "own.toml")
    for name in ("../outside.toml", str(folder / "own.toml"), "arm.toml", "broken.toml", "none", 3, None):
        with pytest.raises(Refusal, match="there is no mating experiment"):
            source_of(folder, name)


@pytest.mark.parametrize("file", sorted(SHIPPED.glob("*.toml")), ids=lambda file: file.stem)
def test_fields_say_again_what_the_file_says(file: Path) -> None:
    """Every number in another writing makes the same experiment; what is said unchanged sets nothing."""
    source = file.stem.replace("_", "-")
    fields = form(source)["fields"]
    assert len({field["key"] for field in fields}) == len(fields) and form(source)["words"]
    assert settings_of(source, {field["key"]: field["value"] for field in fields}) == []
    numbers = {f["key"]: f"{float(f['value']):.15e}" for f in fields if f["kind"] == "number" and f["value"]}
    settings = settings_of(source, numbers)
    assert len(settings) == len(numbers) > 3
    assert repr(load_mating(source, settings)) == repr(load_mating(source))


def test_fields_have_units_bounds_and_what_the_file_leaves_out() -> None:
    """In the key's unit, with the file's digits; what has a default is there as well."""
    fields = by_key("snap-beam")
    assert fields["snap.mu"]["value"] == "0.2" and fields["snap.mu"]["bounds"] == "at least 0, at most 5"
    assert fields["snap.support.length_mm"]["value"] == "40.0"
    assert fields["snap.support.length_mm"]["unit"] == "mm"
    assert fields["offset_z_mm"]["value"] == "0" and fields["snap.hook.entry_deg"]["value"] == "30.0"
    assert fields["snap.rule"]["choices"] == ["corners", "whole"]
    assert fields["snap.allowable_strain"]["bounds"] == "above 0, below 1"
    assert "experiment" not in fields and "snap.support.type" not in fields
    plate = by_key("snap-plate")
    assert plate["snap.support.printed"]["value"] == "true" and plate["snap.support.grid"]["kind"] == "list"
    assert by_key("o-ring")["o_ring.shore_a"]["value"] == ""


def test_a_changed_value_is_that_of_the_command_line(bench: Bench) -> None:
    """The same features as `load_mating` with the same settings; only what has changed is said."""
    values = {**COARSE, "snap.mu": "0.3", "snap.halves": "2", "snap.rule": "whole", "offset_z_mm": "-0.1"}
    made = bench.run("snap-beam", {**values, "motion.end_mm": "16.0"}, unheard)
    settings = ["sample_mm=0.1", "mu=0.3", "halves=2", "rule=whole", "offset_z_mm=-0.1"]
    theirs = run_experiment(load_mating("snap-beam", settings))
    assert dict(made["features"])["max_n"] == f"{theirs.features['max_n']:.3g}"
    assert made["series"]["force_n"] == pytest.approx(theirs.series["force_n"], rel=1e-5, abs=1e-9)
    assert len(made["settings"]) == len(values) and json.loads(json.dumps(made)) == made


@pytest.mark.parametrize(
    ("values", "text", "spot"),
    [
        ({"snap.mu": "slippery"}, "snap.mu = 'slippery' must be a number", "snap.mu"),
        ({"snap.mu": "nan"}, "snap.mu = 'nan' must be a number", "snap.mu"),
        ({"snap.mu": ""}, "snap.mu = '' must be a number", "snap.mu"),
        ({"snap.mu": "-1"}, "snap.mu = -1 must be at least 0", "snap.mu"),
        ({"snap.halves": "3"}, "snap.halves = 3 must be at most 2", "snap.halves"),
        ({"snap.rule": "guess"}, "snap.rule = 'guess' must be one of corners, whole", "snap.rule"),
        ({"motion.end_mm": "-5"}, "motion: end_mm = -5 must be above begin_mm = -0.5", "motion"),
        ({"snap.mu": "9" * 300}, "snap.mu: 300 characters are more than 200", "snap.mu"),
        ({"snap.glue": "1"}, "snap.glue is unknown", "experiment"),
        ("mu", "values must be a table", "experiment"),
    ],
)
def test_a_wrong_value_is_one_line_at_its_field(bench: Bench, values: Any, text: str, spot: str) -> None:
    """With key, value and bound, and where it belongs."""
    with pytest.raises(Refusal) as caught:
        bench.run("snap-beam", values, unheard)
    assert str(caught.value) == text and caught.value.spot == spot


def test_own_files_are_run(bench: Bench) -> None:
    """With their own values, and in the key's unit those that they leave out."""
    fields = by_key(source_of(bench._folder, "own.toml"))
    assert fields["snap.mu"]["value"] == "0.35" and fields["snap.slip_mm_s"]["value"] == "2"
    made = bench.run("own.toml", COARSE, unheard)
    assert made["name"] == "own.toml" and len(made["rows"]) == 166


def test_files_to_download(bench: Bench) -> None:
    """All rows and courses as CSV; report, pictures, features in one archive."""
    made = bench.run("o-ring", COARSE, unheard)
    content, name = bench.packed(made["run"], "csv")
    rows = list(csv.DictReader(io.StringIO(content.decode())))
    assert name == f"o-ring-{made['run']}.csv" and len(rows) == len(made["rows"])
    assert [float(row["force_n"]) for row in rows] == pytest.approx(made["series"]["force_n"], rel=1e-5)
    content, _ = bench.packed(made["run"], "zip")
    with zipfile.ZipFile(io.BytesIO(content)) as pack:
        files = {Path(entry).name for entry in pack.namelist()}
        assert {"report.html", "series.csv", "features.json", "force.png", "strip.png"} <= files


def test_runs_are_kept_for_a_while(folder: Path) -> None:
    """The oldest one goes; who asks for it is told what to do."""
    bench = Bench(folder, 2)
    first = bench.run("o-ring", {"motion.sample_mm": "1"}, unheard)["run"]
    assert bench.cut(first, 3) is not None
    for _ in range(KEPT):
        bench.run("o-ring", {"motion.sample_mm": "1"}, unheard)
    for run, row in ((first, 3), ("a", 3), (first + 1, "b")):
        with pytest.raises(ExperimentError, match=r"run it again|whole number"):
            bench.cut(run, row)


def test_a_page_sets_no_words() -> None:
    """A field of free words would name files of this machine: only numbers, lists and choices are offered."""

    class Words(Section):
        file: str | None = None
        name: str = "a"
        rule: Literal["a", "b"] = "a"
        mu: Annotated[float, Quantity(ge=0.0)] = 0.5

    assert [field["key"] for field in fields_of(Words())] == ["rule", "mu"]


def test_a_run_without_rows_is_told(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In one line: there is nothing to draw."""
    whole = run_experiment(load_mating("o-ring", ["sample_mm=1"]))
    bare = replace(whole, series={"force_n": np.zeros(0)}, phases=[], frames=(), drawn=None)
    monkeypatch.setattr("hil.workbench.page.mating.worker.run_experiment", lambda *_: bare)
    with pytest.raises(ExperimentError, match="ended before its first row"):
        Bench(folder, 0).run("o-ring", {}, unheard)


def test_bands_are_stretches_of_one_phase() -> None:
    """Side by side, in order, without gaps."""
    assert bands(["", "a", "a", "b", "a"]) == [
        {"name": "", "begin": 0, "end": 1},
        {"name": "a", "begin": 1, "end": 3},
        {"name": "b", "begin": 3, "end": 4},
        {"name": "a", "begin": 4, "end": 5},
    ]


def test_many_rows_are_thinned_and_the_peak_stays() -> None:
    """No more than are drawn; the greatest force is among them."""
    result = run_experiment(load_mating("o-ring", ["sample_mm=0.007"]))
    rows = chosen_rows(result)
    assert len(result.phases) == 3001 > MOST_ROWS >= len(rows) > 1400 and (np.diff(rows) > 0).all()
    assert rows[0] == 0 and rows[-1] == 3000
    for peak in range(1000, 1010):
        force = np.zeros(3001)
        force[peak], force[peak + 1000] = 1.0, -1.0
        assert {peak, peak + 1000} <= set(chosen_rows(replace(result, series={"force_n": force})).tolist())


def test_without_cuts_at_every_row_the_nearest_or_none_are_shown() -> None:
    """From the strip, by its rows; an experiment without any has its curves all the same, even with gaps."""
    whole = run_experiment(load_mating("snap-beam", ["sample_mm=0.1"]))
    strip = replace(whole, drawn=None)
    assert told(strip)["picture"]["everywhere"] is False
    titles = [cut(strip, row)["title"] for row in range(len(whole.phases))]  # type: ignore[index]
    assert list(dict.fromkeys(titles)) == [frame.title for frame in whole.frames]
    force = whole.series["force_n"].copy()
    force[3] = np.nan
    bare = replace(strip, frames=(), series={**whole.series, "force_n": force})
    made = told(bare)
    assert made["picture"] is None and cut(bare, 5) is None and made["series"]["force_n"][3] is None
    assert "NaN" not in json.dumps(made)


def test_cuts_and_the_box_that_holds_them() -> None:
    """Every outline lies in it, no force exceeds the strongest; rows beyond the ends are the ends'."""
    result = run_experiment(load_mating("o-ring", ["sample_mm=0.1"]))
    made = told(result)
    x0, y0, x1, y1 = made["picture"]["box"]
    for row in range(len(result.phases)):
        seen = cut(result, row)
        assert seen is not None
        points = np.vstack([np.array(one) for one in [*seen["moving"], *seen["resting"]]])
        assert (points.min(axis=0) >= np.array([x0, y0]) - 0.5).all()
        assert (points.max(axis=0) <= np.array([x1, y1]) + 0.5).all()
        forces = np.array(seen["forces"]).reshape(-1, 2)
        assert np.linalg.norm(forces, axis=1).max(initial=0.0) <= made["picture"]["strongest"] * 1.01
    assert cut(result, -5) == cut(result, 0) and cut(result, 10**9) == cut(result, len(result.phases) - 1)


def test_the_worker_tells_progress_is_stopped_and_begins_anew(folder: Path) -> None:
    """Shares rise; a stopped run says so at once; the next question is answered by another worker."""

    async def go() -> None:
        rig, heard = Rig(folder), list[float]()

        def hear(said: dict[str, Any]) -> None:
            heard.extend([said["progress"]] if "progress" in said else [])

        try:
            names = [one["name"] for one in (await rig.obey({"ask": "experiments"}, unheard))["experiments"]]
            assert "o-ring" in names
            asked = {"ask": "run", "name": "o-ring", "values": COARSE}
            first = (await rig.obey(asked, hear))["run"]["run"]
            assert heard == sorted(heard) and len(heard) > 2
            long = asyncio.ensure_future(rig.obey({**asked, "values": {"motion.sample_mm": "0.0001"}}, hear))
            begun = len(heard)
            while len(heard) < begun + 2:
                await asyncio.sleep(0.01)
            assert await rig.obey({"ask": "stop"}, unheard) == {}
            assert (await long)["refused"] == {"ask": "run", "text": "the run was stopped", "spot": ""}
            gone = await rig.obey({"ask": "cut", "run": first, "row": 1}, unheard)
            assert "run it again" in gone["refused"]["text"]
            assert (await rig.obey(asked, unheard))["run"]["run"] != first
            for noise in (
                3,
                {},
                {"ask": "packed"},
                {"ask": "cut"},
                {"ask": ["run"]},
                {"ask": "form", "name": "x"},
            ):
                assert "\n" not in (await rig.obey(noise, unheard))["refused"]["text"]
        finally:
            await rig.end()

    asyncio.run(go())
