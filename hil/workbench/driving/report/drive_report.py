"""The page about a recorded drive."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from hil.analysis.report.page import page, value_text
from hil.analysis.report.style import Picture
from hil.workbench.driving.report.pictures import (
    draw_around,
    draw_base,
    draw_heat,
    draw_joints,
    draw_power,
    draw_tracking,
)
from hil.workbench.driving.report.recorded_drive import RecordedDrive, load_drive

LEAD = (
    "A simulated arm was driven by commands to its tip: an inverse kinematics made joint commands of them, "
    "and motors, gears, friction, heat and rigid bodies what the arm did. Nothing is measured on hardware."
)


@dataclass(frozen=True)
class JointTable:
    """Largest loads, a row a joint."""

    heads: list[str]
    rows: list[list[str]]


@dataclass(frozen=True)
class DriveReport:
    """A finished report.

    Attributes:
        html: the page.
        pictures: by file name.
    """

    html: str
    pictures: Mapping[str, bytes]


def drive_report(
    path: Path, folder: str, progress: Callable[[str], None] = lambda words: None
) -> DriveReport:
    """Return the report of a recorded drive.

    Args:
        path: of the recording.
        folder: name of the folder of pictures, for the page's foot.
        progress: is told what is being done.

    Raises:
        RecordingError: it cannot be read, or is none of a drive.
    """
    drive = load_drive(path, lambda count: progress(f"reading: {count} messages"))
    progress("drawing")
    pictures, missing = drawn_pictures(drive)
    html = page(
        "drive.html",
        title=f"Report of the drive {path.name}",
        lead=LEAD,
        source=path.name,
        folder=folder,
        warnings=warnings_of(drive),
        facts=facts_of(drive),
        figures=figures_of(drive),
        joints=joint_table(drive),
        pictures=pictures,
        not_drawn=missing,
        news=[(f"{t:.3f} s", text) for t, text in drive.news],
        settings=json.loads(drive.about["settings"]),
        mission=drive.about["mission"],
        assembly=drive.about["assembly"],
    )
    return DriveReport(html, {f"{item.name}.png": item.png for item in pictures})


def drawn_pictures(drive: RecordedDrive) -> tuple[list[Picture], list[str]]:
    """Return the pictures of a drive, and what is not drawn and why."""
    if len(drive.t) < 3:
        return [], ["All pictures: the drive has no three commands."]
    draws = [draw_tracking, draw_joints, draw_power, draw_heat, draw_base]
    if drive.around:
        return [draw(drive) for draw in [*draws, draw_around]], []
    return [draw(drive) for draw in draws], ["What the tip met: there was nothing around it."]


def warnings_of(drive: RecordedDrive) -> list[str]:
    """Return what must be known first."""
    told = [] if drive.summary.whole else ["The recording was broken off."]
    far = int(np.count_nonzero(~drive.tip["reachable"].astype(bool)))
    if far:
        told.append(f"{far} of {len(drive.t)} commands were out of reach: the arm took the closest poses.")
    hot = [
        f"{fact.name} ({drive.joint['winding'][:, k].max():.0f} K of {fact.winding_limit:g} K)"
        for k, fact in enumerate(drive.facts)
        if drive.joint["winding"][:, k].max() > fact.winding_limit
    ]
    if hot:
        told.append(f"Windings hotter than their limit: {', '.join(hot)}.")
    return told


def facts_of(drive: RecordedDrive) -> list[tuple[str, str]]:
    """Return what was driven, and how."""
    head, about = drive.summary.head, drive.about
    return [
        ("recording", drive.path.name),
        ("arm", f"{about['name']}, {len(drive.facts)} joints"),
        ("base", "floats, on a satellite" if drive.free else "stands"),
        ("commanded by", about["input"]),
        ("inverse kinematics", about["inverse"]),
        ("simulated", f"{drive.t[-1]:.3f} s, a command every {1e3 * float(about['period_s']):g} ms, "
                      f"steps of {1e3 * float(about['step_s']):g} ms"),
        ("version", f"{head['version']}, sources {head.get('sources', 'unknown')}"),
        ("machine", head["machine"]),
    ]  # fmt: skip


def figures_of(drive: RecordedDrive) -> list[tuple[str, str]]:
    """Return what the drive came to."""
    far, turned = 1e3 * drive.tip["position_error"], np.degrees(drive.tip["orientation_error"])
    force, moment = (np.linalg.norm(drive.base["wrench"][:, part], axis=1)
                     for part in (slice(0, 3), slice(3, 6)))  # fmt: skip
    energy = float(np.sum(drive.base["power"][1:] * np.diff(drive.t)))
    rms, most, angle = (value_text(float(x)) for x in (np.sqrt(np.mean(far**2)), far.max(), turned.max()))
    rows = [
        ("tip off its command", f"{rms} mm rms, {most} mm and {angle} deg at most"),
        ("power", f"{value_text(float(drive.base['power'].max()))} W at most, {value_text(energy)} J taken"),
        ("base", f"{value_text(float(force.max()))} N and {value_text(float(moment.max()))} N m at most"),
    ]  # fmt: skip
    if drive.free:
        drift = float(np.abs(drive.base["momentum"] - drive.base["momentum"][0]).max())
        rows.append(("momenta kept within", f"{value_text(drift)} N s or N m s"))
    touch = float(np.linalg.norm(drive.tip["wrench"][:, :3], axis=1).max())
    if touch:
        rows.append(("force on the tip", f"{value_text(touch)} N at most"))
    return rows


def joint_table(drive: RecordedDrive) -> JointTable:
    """Return the largest loads of each joint against its limits."""
    heads = ["joint", "torque", "of its limit", "speed", "of its limit", "winding", "current"]
    rows = []
    for k, fact in enumerate(drive.facts):
        torque, speed = (float(np.abs(drive.joint[name][:, k]).max()) for name in ("torque", "dq"))
        shown = f"{value_text(speed)} m/s" if fact.linear else f"{value_text(float(np.degrees(speed)))} deg/s"
        rows.append([
            fact.name,
            f"{value_text(torque)} {'N' if fact.linear else 'N m'}", f"{100.0 * torque / fact.effort:.0f} %",
            shown,
            f"{100.0 * speed / fact.speed:.0f} %",
            f"{value_text(float(drive.joint['winding'][:, k].max()))} of {fact.winding_limit:g} K",
            f"{value_text(float(np.abs(drive.joint['current'][:, k]).max()))} A",
        ])  # fmt: skip
    return JointTable(heads, rows)
