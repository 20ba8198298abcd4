"""The report for people: tables on the terminal, and histograms on request."""

from typing import Any

from rich.console import Console, Group, RenderableType
from rich.table import Table
from rich.text import Text

from hil.analysis.latency.analysis import Analysis
from hil.analysis.latency.distribution import histogram_text
from hil.analysis.latency.report import goals, report
from hil.analysis.latency.stages import STAGES
from hil.processes.real_time.set_up import Item, Report

COLUMNS = ("min", "p50", "p90", "p99", "p999", "max", "n")
MARKS = {True: ("met", "green"), False: ("missed", "red"), None: ("-", "dim")}


def print_report(analysis: Analysis, histograms: bool = False) -> None:
    """Print the tables, and the histograms if wanted."""
    console = Console()
    console.print(report_tables(analysis))
    if histograms:
        for text in all_histograms(analysis):
            console.print(Text(text), soft_wrap=True)
            console.print()


def report_tables(analysis: Analysis) -> Group:
    """Return everything that the terminal shows but for the histograms."""
    values = report(analysis)
    parts: list[RenderableType] = [
        _head(values),
        _distributions(values),
        "",
        _in_words(values),
        "",
        _beside_the_paper(values),
        "",
        _goal_table(analysis),
    ]
    if values["not_measured"]:
        parts += ["", Text("Not measured, or in doubt", style="bold")]
        parts += [Text(f"- {sentence}") for sentence in values["not_measured"]]
    return Group(*parts)


def all_histograms(analysis: Analysis) -> list[str]:
    """Return the histograms, one a text."""
    stages, pushes = analysis.stages, analysis.pushes
    texts = [
        histogram_text("behind the ideal body at 50 % velocity", "ms", pushes.behind_ideal_50 * 1e3),
        histogram_text("time shift onto the ideal body", "ms", pushes.time_shift * 1e3),
        histogram_text("own share: packet sent to command sent", "ms", stages.own_share),
        histogram_text("bare answering loop, the same", "ms", analysis.bare_ms),
        histogram_text("round the ring", "ms", stages.ring),
    ]
    texts += [histogram_text(STAGES[name], "ms", values) for name, values in stages.stages.items()]
    return [
        *texts,
        histogram_text("wake-up lateness", "us", stages.wake_up),
        histogram_text("compute", "us", stages.compute),
        histogram_text("slack until the next packet", "us", stages.slack),
    ]


def _head(values: dict[str, Any]) -> Text:
    lines = [f"{values['robot']} arm, FRI cycle {values['sample_time_ms']:g} ms"]
    if values["machine"]:
        lines.append(values["machine"])
    for name, items in values["real_time"].items():
        lines.append(f"{name}: {Report(tuple(Item(**item) for item in items))}")
    return Text("\n".join(lines) + "\n", style="dim")


def _distributions(values: dict[str, Any]) -> Table:
    table = Table(box=None, pad_edge=False, padding=(0, 1, 0, 0), header_style="bold")
    table.add_column("", no_wrap=True)
    for name in COLUMNS:
        table.add_column("p99.9" if name == "p999" else name, justify="right", no_wrap=True, min_width=5)
    push, cycle = values["push_to_motion_ms"], values["cycle"]
    groups: list[tuple[str, list[tuple[str, dict[str, Any]]]]] = [
        (
            "push to motion [ms]",
            [
                ("first motion", push["first_motion"]),
                ("  behind the ideal body", push["behind_ideal_first"]),
                ("10 % of the velocity", push["to_10"]),
                ("  behind the ideal body", push["behind_ideal_10"]),
                ("50 % of the velocity", push["to_50"]),
                ("  behind the ideal body", push["behind_ideal_50"]),
                ("shift onto the ideal body", push["time_shift"]),
                ("velocity overshoot [1]", values["velocity_overshoot"]),
            ],
        ),
        (
            "the loop's own share [ms]",
            [
                ("packet sent to command sent", values["own_share_ms"]),
                ("  bare answering loop", values["bare_loop_ms"]),
                ("packet sent to answer back", values["round_trip_ms"]),
                ("round the ring", values["ring_ms"]),
            ],
        ),
        ("stages [ms]", [(STAGES[name], spread) for name, spread in values["stages"].items()]),
        (
            "cycle [us]",
            [
                ("wake-up lateness", cycle["wake_up_us"]),
                ("compute", cycle["compute_us"]),
                ("slack to the next packet", cycle["slack_us"]),
            ],
        ),
    ]
    for title, rows in groups:
        table.add_row(Text(title, style="bold cyan"))
        for name, spread in rows:
            table.add_row(f"  {name}", *(_number(spread[column]) for column in COLUMNS))
    return table


def _in_words(values: dict[str, Any]) -> Text:
    """Return what is not a distribution: counts, the robot's part, pushes left out."""
    cycle, pushes, delay = values["cycle"], values["pushes"], values["interface_delay_ms"]
    share = cycle["answered"] / cycle["packets"] if cycle["packets"] else 0.0
    left = ", ".join(f"{n} for {reason}" for reason, n in pushes["left_out"].items())
    lines = [
        f"packets: {cycle['packets']} sent, {cycle['answered']} answered ({share:.2%}), {cycle['lost']} "
        f"lost, {cycle['overtaken']} overtaken; answers missed by the robot: {cycle['missed']}",
        f"pushes: {pushes['used']} used, timed from the onset of the {pushes['onset']}"
        + (f"; left out: {left}" if left else ""),
    ]
    if delay["identified"] is not None:
        configured = "" if delay["configured"] is None else f", configured {delay['configured']:g} ms"
        lines += [
            f"robot's part, command to measured motion: {delay['total']:.2f} ms = dead time "
            f"{delay['dead_time']:.2f} + lag {delay['lag']:.2f} ms (fit leaves {delay['residual']:.2%}); "
            f"cross-correlation {delay['cross_correlation']:.2f} ms",
            f"interface delay (less {delay['plant']:g} ms that the plant always has): "
            f"{delay['identified']:.2f} ms{configured}",
        ]
        if delay["on_line"] is not None:
            lines.append(f"the driver's own estimate of the robot's part: {delay['on_line']:.2f} ms")
    for name, uncertainty in values["stages_uncertainty_ms"].items():
        lines.append(f"{STAGES[name]}: between two machines, +-{uncertainty:.3g} ms by their clocks")
    return Text("\n".join(lines))


def _beside_the_paper(values: dict[str, Any]) -> Table:
    table = Table(box=None, pad_edge=False, header_style="bold")
    for title in ("beside the paper", "here, p50", "paper"):
        table.add_column(title, justify="left" if title.startswith("beside") else "right")
    paper, delay = values["paper"], values["interface_delay_ms"]
    rows = (
        ("push to motion, behind the ideal body", values["push_to_motion_ms"]["behind_ideal_50"]["p50"],
         paper["reaction_ms"]),
        ("robot's interface and drives, command to motion", delay["total"], paper["interface_delay_ms"]),
        ("simulation and inverse kinematics, round the ring", values["ring_ms"]["p50"],
         paper["simulation_and_ik_ms"]),
    )  # fmt: skip
    for name, ours, theirs in rows:
        table.add_row(f"  {name}", f"{_number(ours)} ms", f"{theirs:g} ms")
    return table


def _goal_table(analysis: Analysis) -> Table:
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("goals")
    table.add_column("measured", justify="right")
    table.add_column("bound", justify="right")
    table.add_column("")
    for goal in goals(analysis):
        word, style = MARKS[goal.met]
        bound = f"{_number(goal.bound)} {goal.unit}".strip()
        measured = f"{_number(goal.value)} {goal.unit}".strip()
        table.add_row(f"  {goal.name}", measured, bound, Text(word, style=style))
    return table


def _number(value: float | int | None) -> str:
    if value is None:
        return "-"
    if isinstance(value, int):
        return str(value)
    return f"{value:.0f}" if abs(value) >= 1000.0 else f"{value:.3g}"
