"""Recordings as they come: one known wrench written in many ways is read as itself, or asked about.

The truth is the arrays before they are written; every way of writing is plain text made here.
"""

import bz2
import datetime
import gzip
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from hil.common.errors import RecordingError
from hil.common.formats.numbers import decimal_marks, numbers
from hil.wrench.recorded.asked import Asked
from hil.wrench.recorded.importing import import_recording, judged
from hil.wrench.recorded.reading import read_recording, take

ROWS, STEP = 600, 0.002
EPOCH = 1_700_000_000
T = STEP * np.arange(ROWS)
RNG = np.random.default_rng(3)
W = RNG.normal(0.0, [0.06] * 3 + [0.006] * 3, (ROWS, 6))
W[:, 0] += 1.27 * np.pi / 0.2 * np.sin(np.pi * np.clip((T - 0.5) / 0.1, 0.0, 1.0))
W[:, 2] += 12.5
W = np.round(W, 5)
OWN = "t_s,fx,fy,fz,tx,ty,tz"
NAMES = ("fx", "fy", "fz", "tx", "ty", "tz")
LBF, LBF_IN = 4.4482216152605, 4.4482216152605 * 0.0254

Stamp = Callable[[int], str]
Cells = list[list[str]]


def seconds(k: int) -> str:
    return f"{T[k]:.6f}"


def millis(k: int) -> str:
    return f"{1e3 * T[k]:.1f}"


def nanos(k: int) -> str:
    return str(EPOCH * 10**9 + 2_000_000 * k)


def iso(k: int) -> str:
    begin = datetime.datetime(2024, 5, 1, 23, 59, 59, 500_000)
    return (begin + datetime.timedelta(seconds=float(T[k]))).isoformat(timespec="microseconds")


def cells(
    stamp: Stamp = seconds, force: float = 1.0, torque: float = 1.0, form: str = "%.9f"
) -> list[list[str]]:
    scale = np.repeat([force, torque], 3)
    return [[stamp(k), *(form % value for value in W[k] * scale)] for k in range(ROWS)]


def text(head: str, rows: Cells, sep: str = ",", comma: bool = False, above: str = "") -> str:
    lines = [sep.join(row) for row in rows]
    if comma:
        lines = [line.replace(".", ",") for line in lines]
    return above + (head + "\n" if head else "") + "\n".join(lines) + "\n"


def grouped(value: str, group: str, mark: str) -> str:
    return f"{float(value):,.3f}".replace(",", "#").replace(".", mark).replace("#", group)


def in_groups(group: str, mark: str) -> str:
    rows = [[grouped(str(1e3 * float(cell)), group, mark) for cell in row] for row in cells()]
    return text("t [ms];Fx [mN];Fy [mN];Fz [mN];Mx [mNm];My [mNm];Mz [mNm]", rows, ";")


GERMAN = (
    "Zeit [s];Kraft X [N];Kraft Y [N];Kraft Z [N];Drehmoment X [N·m];Drehmoment Y [N·m];Drehmoment Z [N·m]"
)
ENGLISH = "Time (s)\tForce X (N)\tForce Y (N)\tForce Z (N)\tTorque X (Nm)\tTorque Y (Nm)\tTorque Z (Nm)"
ALIGNED = "  Time (s)   Fx (N)   Fy (N)   Fz (N)   Tx (Nm)   Ty (Nm)   Tz (Nm)"
ROS = [f"wrench.{what}.{axis}" for what in ("force", "torque") for axis in "xyz"]
KINDS: dict[str, str | bytes] = {
    "own": text(OWN, cells()),
    "semicolons and commas": text("Zeit;Fx;Fy;Fz;Mx;My;Mz", cells(), ";", comma=True),
    "latin-1": text(GERMAN, cells(), ";", comma=True).encode("cp1252"),
    "utf-8": text(GERMAN, cells(), ";"),
    "byte order mark": text(OWN, cells()).encode("utf-8-sig"),
    "utf-16": text(ENGLISH, cells(), "\t").encode("utf-16"),
    "utf-16 without a mark": text(ENGLISH, cells(), "\t").encode("utf-16-le"),
    "tabs": text(ENGLISH, cells(), "\t"),
    "tabs and commas": text(ENGLISH, cells(), "\t", comma=True),
    "blanks": text(OWN.replace(",", " "), cells(), " "),
    "aligned": text(
        "  Time (s)   Fx (N)   Fy (N)   Fz (N)   Tx (Nm)   Ty (Nm)   Tz (Nm)", cells(form="%15.9f"), "  "
    ),
    "numpy": text("# " + OWN.replace(",", " "), cells(form="%.18e"), " "),
    "commas in commas": text(OWN, cells(), comma=True),
    "quoted commas": text(OWN, [[f'"{cell.replace(".", ",")}"' for cell in row] for row in cells()]),
    "comments": text(OWN, cells(), above="# sensor: x\n% y\n// z\n"),
    "preamble": text(OWN.replace(",", ";"), cells(), ";", above="Sensor;ATI\nDate;2024-05-01\n\n"),
    "old Mac": text(OWN, cells()).replace("\n", "\r"),
    "DOS": text(OWN, cells()).replace("\n", "\r\n"),
    "last separator": text(OWN.replace(",", ";"), [[*row, ""] for row in cells()], ";"),
    "Excel": text(OWN.replace(",", ";"), cells(), ";", comma=True, above="sep=;\n"),
    "gz": gzip.compress(text(OWN, cells()).encode()),
    "bz2": bz2.compress(text(OWN, cells()).encode()),
    "kN": text("t [ms],Fx [kN],Fy [kN],Fz [kN],Mx [Nmm],My [Nmm],Mz [Nmm]", cells(millis, 1e-3, 1e3)),
    "mN": text("t [us],Fx/mN,Fy/mN,Fz/mN,Mx/mNm,My/mNm,Mz/mNm", cells(lambda k: f"{2000 * k}", 1e3, 1e3)),
    "lbf": text(
        "t (s),Fx (lbf),Fy (lbf),Fz (lbf),Tx (lbf-in),Ty (lbf-in),Tz (lbf-in)",
        cells(force=1 / LBF, torque=1 / LBF_IN, form="%.12f"),
    ),
    "units in names": text("t_ms,fx_n,fy_n,fz_n,tx_n_m,ty_n_m,tz_n_m", cells(millis)),
    "line of units": text("Time;Fx;Fy;Fz;Tx;Ty;Tz\nms;N;N;N;Nm;Nm;Nm", cells(millis), ";", comma=True),
    "ATI": text(
        "Status (hex), RDT Sequence, F/T Sequence, Fx, Fy, Fz, Tx, Ty, Tz, Time",
        [["0x00000000", str(k), str(7 * k), *row[1:], iso(k)[11:]] for k, row in enumerate(cells())],
        ", ",
        above="Start Time: 7/15/2010 10:10:10\nForce Units: N, Torque Units: Nm\n",
    ),
    "Robotiq": text("time_ms,FX,FY,FZ,MX,MY,MZ", cells(millis)),
    "OnRobot": text("Timestamp;Fx[N];Fy[N];Fz[N];Tx[Nm];Ty[Nm];Tz[Nm]", cells(), ";"),
    "Schunk": text(
        "Time[s];Force.X[N];Force.Y[N];Force.Z[N];Torque.X[Nm];Torque.Y[Nm];Torque.Z[Nm]", cells(), ";"
    ),
    "Bota": text(",".join(["time", *ROS, "temperature"]), [[*row, "25.0"] for row in cells()]),
    "UR": text(" ".join(["timestamp", *(f"actual_TCP_force_{k}" for k in range(6))]), cells(), " "),
    "rostopic": text(
        ",".join(["%time", "field.header.seq", "field.header.stamp", *(f"field.{name}" for name in ROS)]),
        [
            [
                str(EPOCH * 10**9 + 2_000_000 * k + 12345 * (k % 3)),
                str(k),
                str(EPOCH * 10**9 + 2_000_000 * k),
                *row[1:],
            ]
            for k, row in enumerate(cells())
        ],
    ),
    "PlotJuggler": text(
        ",".join(["__time", *("/ft/" + name.replace(".", "/") for name in ROS)]),
        cells(lambda k: f"{EPOCH + T[k]:.6f}"),
    ),
    "seconds and nanoseconds": text(
        ",".join(["header.stamp.sec", "header.stamp.nanosec", *ROS]),
        [[str(EPOCH + k // 500), str(k % 500 * 2_000_000), *row[1:]] for k, row in enumerate(cells())],
    ),
    "since 1970 in s": text(OWN.replace("t_s", "timestamp"), cells(lambda k: f"{EPOCH + T[k]:.6f}")),
    "since 1970 in ms": text(OWN.replace("t_s", "timestamp"), cells(lambda k: str(EPOCH * 10**3 + 2 * k))),
    "since 1970 in us": text(OWN.replace("t_s", "timestamp"), cells(lambda k: str(EPOCH * 10**6 + 2000 * k))),
    "since 1970 in ns": text(OWN.replace("t_s", "timestamp"), cells(nanos)),
    "ISO dates over midnight": text(OWN.replace("t_s", "timestamp"), cells(iso)),
    "ISO dates with a zone": text(OWN.replace("t_s", "stamp"), cells(lambda k: iso(k) + "+02:00")),
    "German dates": text(
        OWN.replace("t_s", "Zeitstempel"),
        cells(lambda k: f"{iso(k)[8:10]}.{iso(k)[5:7]}.{iso(k)[:4]} {iso(k)[11:]}"),
    ),
    "date and time": text(
        "Date,Time,fx,fy,fz,tx,ty,tz", [[iso(k)[:10], iso(k)[11:], *row[1:]] for k, row in enumerate(cells())]
    ),
    "time of day": text(OWN.replace("t_s", "Time"), cells(lambda k: iso(k)[11:])),
    "thousands": in_groups(",", "."),
    "German thousands": in_groups(".", ","),
    "Swiss thousands": in_groups("'", "."),
    "French thousands": in_groups("\u202f", ","),
    "minus signs of typesetters": text(OWN, cells()).replace("-", "\u2212"),
    "Fortran": text(OWN.replace(",", " "), cells(form="%.12e"), " ").replace("e", "D").replace("tD", "te"),
    "numbered rows": text("," + OWN, [[str(k), *row] for k, row in enumerate(cells())]),
    "R": text(OWN, [[f'"{k + 1}"', *row] for k, row in enumerate(cells())]),
    "other columns": text("x [mm]," + OWN + ",note", [["1", *row, "a b; c"] for row in cells()]),
    "names again": text(OWN, cells()[:300]) + text(OWN, cells()[300:]),
    "zeros behind": text(OWN, cells()).encode() + bytes(5000),
}


def written(folder: Path, content: str | bytes, name: str = "recording.csv") -> Path:
    path = folder / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


@pytest.mark.parametrize("kind", KINDS)
def test_the_same_wrench_written_in_many_ways(tmp_path: Path, kind: str) -> None:
    """Times and wrenches are those that were written, to the digits that were."""
    taken = take(written(tmp_path, KINDS[kind]), Asked(whole=True))
    np.testing.assert_allclose(taken.t, T, atol=1e-6)
    np.testing.assert_allclose(taken.wrench, W, atol=2e-6)


NOT_KNOWN: dict[str, tuple[str, str, Asked | None]] = {
    "unit of time": (text("time,fx,fy,fz,tx,ty,tz", cells(millis)), "--time-unit", Asked(time_unit="ms")),
    "days of a workbook": (
        text("Time,fx,fy,fz,tx,ty,tz", cells(lambda k: f"{45000 + T[k] / 86400:.12f}")),
        "--time-unit",
        Asked(time_unit="days"),
    ),
    "unit of forces": (
        text(OWN, cells(force=1e3, torque=1e3)),
        "--force-unit",
        Asked(force_unit="mN", torque_unit="mNm"),
    ),
    "counts": (
        text("t_s,Fx [counts],Fy [counts],Fz [counts],tx,ty,tz", cells()),
        "--force-unit",
        Asked(force_unit="N"),
    ),
    "unit of torques": (
        text("t_s,Fx [kN],Fy [kN],Fz [kN],Mx,My,Mz", cells(force=1e-3)),
        "--torque-unit",
        Asked(torque_unit="Nm"),
    ),
    "one of two sensors": (
        text("t_s,ft1_fx,ft1_fy,ft1_fz,ft2_fx,ft2_fy,ft2_fz", cells()),
        "--sensor ft1",
        None,
    ),
    "raw or filtered": (
        text("t_s,Fx_raw,Fy_raw,Fz_raw,Fx_filtered,Fy_filtered,Fz_filtered", cells()),
        "--sensor raw",
        None,
    ),
    "the same name twice": (text("t_s,Fx,Fy,Fz,Fx,Fy,Fz", cells()), "--columns fx=2,fy=3,fz=4", None),
    "one of two times": (
        text("bag_t_s,sensor_t_s,fx,fy,fz,tx,ty,tz", [[row[0], *row] for row in cells()]),
        "--columns t=bag_t_s",
        Asked(columns={"t": "sensor_t_s"}),
    ),
    "no names": (
        text("", cells()),
        "--columns t=1",
        Asked(columns={role: str(k) for k, role in enumerate(("t", *NAMES), start=1)}),
    ),
    "names that say nothing": (
        text("t_s,A,B,C,D,E,F", cells()),
        "--columns fx=NAME",
        Asked(columns=dict(zip(NAMES, "ABCDEF", strict=True))),
    ),
    "no time": (text(OWN[4:], [row[1:] for row in cells()]), "--rate-hz", Asked(rate_hz=500.0)),
    "stamps of too few digits": (
        text(OWN, cells(lambda k: "1.7e+09")),
        "--columns t=none --rate-hz",
        Asked(columns={"t": "none"}, rate_hz=500.0),
    ),
    "time that goes back": (text(OWN, [*cells()[1::-1], *cells()[2:]]), "--sort", Asked(sort=True)),
    "comma of decimals or of thousands": (
        "t_ms;Fx;Fy;Fz\n" + "".join(f"{10 * k};1,{k:03d};2,000;3,000\n" for k in range(600)),
        "--decimal",
        None,
    ),
}


@pytest.mark.parametrize("kind", NOT_KNOWN)
def test_what_cannot_be_known_is_asked_and_the_answer_taken(tmp_path: Path, kind: str) -> None:
    """The message names the option; with it the wrench is the one that was written."""
    content, option, answer = NOT_KNOWN[kind]
    path = written(tmp_path, content)
    with pytest.raises(RecordingError) as refusal:
        take(path, Asked())
    assert option in str(refusal.value) and "zerog import" in str(refusal.value)
    if answer is not None:
        taken = take(path, answer)
        np.testing.assert_allclose(taken.t, T, atol=1e-6)
        np.testing.assert_allclose(taken.wrench, W, atol=2e-6)


def test_the_sensor_that_is_said_is_taken(tmp_path: Path) -> None:
    """By a part of its name; an open decimal comma by the option."""
    path = written(tmp_path, NOT_KNOWN["one of two sensors"][0])
    np.testing.assert_allclose(take(path, Asked(sensor="FT2")).wrench[:, :3], W[:, 3:], atol=1e-6)
    path = written(tmp_path, NOT_KNOWN["comma of decimals or of thousands"][0])
    assert take(path, Asked(decimal=",")).wrench[7].tolist() == [1.007, 2.0, 3.0, 0.0, 0.0, 0.0]
    assert take(path, Asked(decimal=".", force_unit="mN")).wrench[7, 0] == pytest.approx(1.007)


BROKEN = {
    "short and long rows": (
        lambda rows: [*rows[:100], rows[100][:3], [*rows[101], "9"], *rows[102:]],
        "length",
    ),
    "no numbers": (
        lambda rows: [*rows[:9], [rows[9][0], *["nan"] * 6], [rows[10][0], *[""] * 6], *rows[11:]],
        "number",
    ),
    "cut off": (lambda rows: [*rows[:-2], rows[-2][:4], [rows[-1][0]]], "length"),
}


@pytest.mark.parametrize("kind", BROKEN)
def test_rows_that_are_not_whole_are_left_out_and_told(tmp_path: Path, kind: str) -> None:
    """By import; detect refuses them with the line and the remedy."""
    spoil, word = BROKEN[kind]
    path = written(tmp_path, text(OWN, spoil(cells())))
    taken = take(path, Asked())
    assert len(taken.t) == ROWS - 2 and any("2 rows" in note and word in note for note in taken.notes)
    with pytest.raises(RecordingError, match=r"line \d+: .*`zerog import`"):
        read_recording(path)


NO_TABLES = {
    "workbook": b"PK\x03\x04" + bytes(range(200)),
    "picture": b"\x89PNG\r\n\x1a\n" + bytes(range(256)),
    "page": b"<html><body>404</body></html>",
    "prose": b"hello\nworld\n",
    "packed and cut": gzip.compress(text(OWN, cells()).encode())[:-2000],
    "lines of JSON": b'{"t": 0, "fx": 1}\n{"t": 1, "fx": 2}\n',
    "nothing": b"",
    "zeros": bytes(9000),
}


@pytest.mark.parametrize("kind", NO_TABLES)
def test_what_is_no_table_is_one_clear_line(tmp_path: Path, kind: str) -> None:
    """Never a traceback."""
    with pytest.raises(RecordingError, match=str(tmp_path)):
        take(written(tmp_path, NO_TABLES[kind]), Asked())


def test_any_bytes_are_read_or_refused(tmp_path: Path) -> None:
    """A hundred random files, and a hundred in which a few bytes of a good one are others."""
    rng = np.random.default_rng(11)
    good = bytearray(text(OWN, cells()[:40]).encode())
    for n in range(200):
        if n % 2:
            content = bytearray(good)
            for at in rng.integers(0, len(good), 4):
                content[at] = rng.integers(256)
        else:
            content = bytearray(rng.integers(0, 256, int(rng.integers(1, 400)), dtype=np.uint8))
        try:
            taken = take(written(tmp_path, bytes(content)), Asked())
        except RecordingError:
            continue
        assert np.isfinite(taken.t).all() and np.isfinite(taken.wrench).all()


@pytest.mark.parametrize(
    ("rate", "words"), [(8.0, "shows no push"), (30.0, "few"), (100.0, None), (2e6, "no sensor")]
)
def test_a_rate_that_cannot_show_a_push_is_told(tmp_path: Path, rate: float, words: str | None) -> None:
    """Refused where pushes of 200 ms fall between the samples; a warning where short ones do."""
    path = written(tmp_path, "t_s,fx,fy,fz\n" + "".join(f"{k / rate:.9f},{k % 7},0,0\n" for k in range(400)))
    if words is None:
        assert read_recording(path).notes == ()
    elif rate == 30.0:
        (note,) = read_recording(path).notes
        assert words in note and "83 ms" in note
    else:
        with pytest.raises(RecordingError, match=words):
            read_recording(path)


def test_what_is_imported_is_read_as_it_is(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """To the bit, by detect's own reader; every column is shown with its unit."""
    path, out = written(tmp_path, KINDS["latin-1"]), tmp_path / "out.csv"
    import_recording(path, out, Asked())
    told = capsys.readouterr().out
    for part in ("600 rows", "semicolons", "Zeit [s]", "fx: Kraft X [N]", "tz: Drehmoment Z [N·m]", str(out)):
        assert part in told
    first, second = take(path, Asked()), read_recording(out)
    assert second.wrench.tolist() == first.wrench.tolist()
    np.testing.assert_allclose(second.t, first.t, atol=1e-9)


def test_forces_that_say_nothing_in_newtons_are_noted(tmp_path: Path) -> None:
    """Bare names, values of kilonewtons."""
    (note,) = take(written(tmp_path, text(OWN, cells(force=1e-3))), Asked()).notes
    assert "--force-unit kN" in note


def test_a_comma_is_never_dropped_from_a_number_that_needs_it() -> None:
    """Groups are groups of three; a column with two points in a number has them by points."""
    values = numbers(["1,000.5", "1,5", "12,34", "-1,234,567.25", "0.5"], ".")
    np.testing.assert_array_equal(values, [1000.5, np.nan, np.nan, -1234567.25, 0.5])
    np.testing.assert_array_equal(numbers(["0.001", "1.000,5", "7"], ","), [np.nan, 1000.5, 7.0])
    assert decimal_marks([["1.234.567", "2"]]) == [","]
    assert decimal_marks([["1,5", "2,25", "1,2,3.4,5"]]) == [","]
    assert decimal_marks([["1.5"], ["1,234"]]) == [".", "."] and decimal_marks([["1,234"]]) is None


def test_bunches_and_gaps(tmp_path: Path) -> None:
    """Sixteen readings of one stamp are no low rate; a second without rows is told with its place."""
    rows = [[f"{0.032 * (k // 16):.3f}", *row[1:]] for k, row in enumerate(cells())]
    path = written(tmp_path, text(OWN, rows))
    assert judged(path, take(path, Asked())) == []
    rows = [[f"{T[k] + (k > 300):.3f}", *row[1:]] for k, row in enumerate(cells())]
    path = written(tmp_path, text(OWN, rows))
    (note,) = judged(path, take(path, Asked()))
    assert "1 s from 0.6 s on" in note


@pytest.mark.parametrize(
    ("head", "asked", "words"),
    [
        (OWN, Asked(sensor="FT2"), "--sensor FT2: no column has it in its name, of t_s, fx"),
        ("t_s,a_fx,a_fy,a_fz,b_fx,b_fy,b_fz", Asked(sensor="c"), "--sensor c: no column has it"),
        (OWN, Asked(columns={"fx": "fy"}), "fy is fx and fy at once: say --columns fy=NAME"),
        (OWN, Asked(columns={"t": "fx"}), "fx is t and fx at once"),
        (OWN, Asked(columns={"tx": "2"}), "fx is fx and tx at once"),
        (OWN, Asked(columns=dict.fromkeys(("fx", "fy", "fz"), "none")), "leaves no force"),
        (OWN, Asked(columns={"fx": "\u00b2"}), "fx=\u00b2: no column has it"),
        (OWN, Asked(columns={"fx": "9"}), "fx=9: no column has it"),
        (OWN, Asked(columns={"fx": "0"}), "fx=0: no column has it"),
    ],
)
def test_an_answer_that_fits_no_column_or_one_twice_is_refused(
    tmp_path: Path, head: str, asked: Asked, words: str
) -> None:
    """Another sensor's wrench, a column for two axes or none at all would be figures of nothing."""
    with pytest.raises(RecordingError) as refusal:
        take(written(tmp_path, text(head, cells())), asked)
    assert words in str(refusal.value)


def test_the_sensor_that_is_said_is_taken_before_columns_of_this_programs_names(tmp_path: Path) -> None:
    """Beside fx, fy, fz of one sensor stand those of another, which the user asks for."""
    head = "t_s,fx,fy,fz,hand_fx,hand_fy,hand_fz"
    taken = take(written(tmp_path, text(head, cells())), Asked(sensor="hand"))
    np.testing.assert_allclose(taken.wrench[:, :3], W[:, 3:], atol=1e-6)
    head = "t_s,tx,ty,tz,hand_fx,hand_fy,hand_fz"
    assert not take(written(tmp_path, text(head, cells())), Asked(sensor="hand")).wrench[:, 3:].any()


def test_a_sensor_that_never_changes_is_noted(tmp_path: Path) -> None:
    """Dead, or cut off; one that changes is not."""
    rows = [[seconds(k), *["1.5"] * 6] for k in range(ROWS)]
    (note,) = take(written(tmp_path, text(OWN, rows)), Asked()).notes
    assert note == "the forces never change from first to last: was the sensor connected?"
    rows[7][3] = "1.6"
    assert "never change" not in str(take(written(tmp_path, text(OWN, rows)), Asked()).notes)


def clocked(begin: str, form: str, zone: str = "") -> Stamp:
    start = datetime.datetime.fromisoformat(begin)
    return lambda k: (start + datetime.timedelta(seconds=float(T[k]))).strftime(form) + zone


def turned(first: Stamp, then: Stamp) -> Stamp:
    """One way of writing in the first 200 rows, another behind them."""
    return lambda k: first(k) if k < 200 else then(k)


ISO = "%Y-%m-%dT%H:%M:%S.%f"
CLOCKS = {
    "minutes and seconds": lambda k: f"07:{T[k]:09.6f}",
    "basic ISO 8601": clocked("2026-03-29T23:59:59.9", "%Y%m%dT%H%M%S.%f", "Z"),
    "month with a name": clocked("2026-10-31T23:59:59.9", "%d-%b-%Y %H:%M:%S.%f"),
    "month in capitals": lambda k: clocked("2026-10-31T23:59:59.9", "%d-%b-%Y %H:%M:%S.%f")(k).upper(),
    "German month": lambda k: f"1. März 2026 12:00:{T[k]:09.6f}".replace("1. ", "01."),
    "into summer time": turned(
        clocked("2026-03-29T01:59:59.6", ISO, "+01:00"), clocked("2026-03-29T02:59:59.6", ISO, "+02:00")
    ),
    "out of summer time": turned(
        clocked("2026-10-25T02:59:59.6", ISO, "+0200"), clocked("2026-10-25T01:59:59.6", ISO, "+0100")
    ),
}


@pytest.mark.parametrize("kind", CLOCKS)
def test_clocks_as_programs_write_them(tmp_path: Path, kind: str) -> None:
    """Over midnight, the end of a month and the change of a zone time goes on evenly."""
    taken = take(written(tmp_path, text(OWN.replace("t_s", "time"), cells(CLOCKS[kind]))), Asked())
    np.testing.assert_allclose(taken.t, T, atol=1e-6)
    assert taken.notes == []


def test_a_clock_that_is_not_known_is_shown(tmp_path: Path) -> None:
    """With its first stamp, and the way around it."""
    rows = cells(lambda k: f"T+{k}")
    with pytest.raises(RecordingError, match=r"time = 'T\+0' is no number, and no date .*--rate-hz"):
        take(written(tmp_path, text(OWN.replace("t_s", "time"), rows)), Asked())


@pytest.mark.parametrize(
    ("name", "span", "per_second", "unit"),
    [
        ("t_us", 2**32, 10**6, ""),
        ("t_ms", 2**16, 1000, ""),
        ("time", 2**32, 10**6, "us"),
        ("t_s", 86400, 1, ""),
    ],
)
def test_a_counter_that_runs_over_goes_on(
    tmp_path: Path, name: str, span: int, per_second: int, unit: str
) -> None:
    """As long as its next stamp is where it would be; whoever sorted would find a gap of its span."""
    rows = cells(
        lambda k: (
            f"{round((span - 0.3 * per_second + T[k] * per_second) % span, 6):g}"
            if per_second == 1
            else str(int(span - 0.3 * per_second + 0.002 * per_second * k) % span)
        )
    )
    if per_second == 1:
        rows = cells(lambda k: f"{(span - 0.3 + T[k] + 1e-9) % span:.6f}")
    path = written(tmp_path, text(OWN.replace("t_s", name), rows))
    taken = take(path, Asked(time_unit=unit))
    np.testing.assert_allclose(taken.t, T, atol=2e-6)
    assert taken.notes == [f"the counter of the time {name} ran over 1 times and is carried on"]
    cut = written(tmp_path, text(OWN.replace("t_s", name), [*rows[:140], *rows[190:]]))  # 0.1 s are missing
    with pytest.raises(RecordingError, match="goes back behind"):
        take(cut, Asked(time_unit=unit))


def test_rows_that_come_late_are_sorted_and_recordings_are_not(tmp_path: Path) -> None:
    """A late row, a late block: one recording. A second one would be mixed into the first, row by row."""
    rows = cells()
    late = [*rows[:300], rows[304], *rows[300:304], *rows[305:]]
    block = [*rows[:200], *rows[300:400], *rows[200:300], *rows[400:]]
    for mixed in (late, block, rows[::-1]):
        path = written(tmp_path, text(OWN, mixed))
        with pytest.raises(RecordingError, match="--sort"):
            take(path, Asked())
        np.testing.assert_allclose(take(path, Asked(sort=True)).t, T, atol=1e-9)
    for two in ([*rows, *rows], [*rows[:400], *rows[:200]], [*rows[100:], *rows[:300]]):
        with pytest.raises(RecordingError, match=r"line \d+: a second recording begins here"):
            take(written(tmp_path, text(OWN, two)), Asked(sort=True))


@pytest.mark.parametrize("cell", ["1.2.3", "1_000", "1,5", "1e999", "0x1F", "1,2,3.4,5"])
def test_one_spoilt_cell_spoils_one_row(tmp_path: Path, cell: str) -> None:
    """Neither the mark of all other numbers nor a value is taken from it; detect names cell and line."""
    rows = cells()
    rows[100][1] = f'"{cell}"'
    path = written(tmp_path, text(OWN, rows))
    taken = take(path, Asked())
    np.testing.assert_array_equal(taken.wrench, np.delete(W, 100, axis=0))
    assert any("1 rows without a number are left out (lines 102)" in note for note in taken.notes)
    with pytest.raises(RecordingError, match=r"line 102: fx = '.*' must be a finite number"):
        read_recording(path)


def test_a_cell_of_a_damaged_file_is_shown_in_brief(tmp_path: Path) -> None:
    """Thousands of digits, or a stamp with an exponent that no number has: one line that can be read."""
    for column, cell in ((1, "9" * 5000), (0, "1e99999999"), (0, "1e9999999999999999999")):
        rows = cells()
        rows[100][column] = cell
        path = written(tmp_path, text(OWN, rows))
        assert len(take(path, Asked()).t) == ROWS - 1
        with pytest.raises(RecordingError) as refusal:
            read_recording(path)
        assert f"line 102: {OWN.split(',')[column]} = " in str(refusal.value)
        assert len(str(refusal.value)) < 220 + len(str(path))


def test_the_cell_that_has_no_number_is_named_beside_dates(tmp_path: Path) -> None:
    """The date is none either, but it is a time: the force is what lacks."""
    rows = cells(iso)
    rows[100][2] = "#REF!"
    with pytest.raises(RecordingError, match="line 102: fy = '#REF!'"):
        read_recording(written(tmp_path, text(OWN.replace("t_s", "time"), rows)))


def test_a_gap_is_told_by_detect_and_replay_too(tmp_path: Path) -> None:
    """Half a push may be in it; bunches with a second between them are none."""
    rows = cells()
    (note,) = read_recording(written(tmp_path, text(OWN, [*rows[:260], *rows[285:]]))).notes
    assert note == "no rows for 0.052 s from 0.518 s on; a push there is missing"
    bunched = cells(lambda k: f"{0.04 * (k // 20):.3f}")
    assert read_recording(written(tmp_path, text(OWN, bunched))).notes == ()


@pytest.mark.parametrize("apart", [1e-6, 2e-5, 1e-4])
def test_bunches_whose_stamps_are_nearly_one(tmp_path: Path, apart: float) -> None:
    """A program stamps sixteen readings as it takes them out of a packet: they lie evenly, to the first."""
    rows = cells(lambda k: f"{T[min(k // 16 * 16 + 15, ROWS - 1)] + apart * (k % 16):.6f}")
    path = written(tmp_path, text(OWN, rows))
    found = read_recording(path)
    (note,) = found.notes
    assert note == f"the stamps come in bunches: {ROWS * 15 // 16} rows have the last of theirs"
    at = ROWS - len(found.t)
    assert at == 15 and judged(path, take(path, Asked())) == []
    np.testing.assert_allclose(np.diff(found.t[:-8]), STEP, atol=1e-5)
    np.testing.assert_array_equal(found.wrench, W[at:])


def test_what_is_no_bunch_keeps_its_stamps(tmp_path: Path) -> None:
    """One long gap, a rate that varies at random, pairs, an even rate."""
    rng = np.random.default_rng(8)
    uneven = np.cumsum(rng.exponential(0.004, ROWS))
    gapped = T + 10.0 * (T > 0.6)
    paired = STEP * 2.0 * (np.arange(ROWS) // 2) + 1e-3 * (np.arange(ROWS) % 2)
    for t in (T, uneven, gapped, paired):
        taken = take(written(tmp_path, text(OWN, cells(lambda k, t=t: f"{t[k]:.7f}"))), Asked())
        np.testing.assert_allclose(taken.t, t - t[0], atol=1e-6)


@pytest.mark.parametrize("rate", [20.0, 50.0, 100.0, 125.0, 200.0, 250.0, 500.0])
def test_minutes_are_not_read_as_seconds(tmp_path: Path, rate: float) -> None:
    """A minute's step is that of a sensor of some kilohertz: every impulse would be a sixtieth."""
    head = OWN.replace("t_s", "time")
    path = written(tmp_path, text(head, cells(lambda k: f"{k / rate / 60.0:.10f}")))
    for read in (read_recording, lambda path: take(path, Asked())):
        with pytest.raises(RecordingError, match=r"unit of the time time is not known.*--time-unit"):
            read(path)
    np.testing.assert_allclose(np.diff(take(path, Asked(time_unit="min")).t), 1 / rate, rtol=1e-4)


@pytest.mark.parametrize("rate", [125.0, 500.0, 1000.0, 2000.0, 2048.0, 5000.0, 7000.0, 8000.0, 10000.0])
def test_seconds_of_customary_rates_show_by_themselves(tmp_path: Path, rate: float) -> None:
    """None of them is a whole rate in minutes, or is so high that it could be one."""
    taken = take(
        written(tmp_path, text(OWN.replace("t_s", "time"), cells(lambda k: f"{k / rate:.9f}"))), Asked()
    )
    np.testing.assert_allclose(np.diff(taken.t), 1 / rate, rtol=1e-4)
