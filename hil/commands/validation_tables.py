"""Results of a validation as tables for people."""

from typing import TYPE_CHECKING

from rich.console import Console
from rich.table import Table

if TYPE_CHECKING:
    from hil.trials.mating.fitting import InsertionFit
    from hil.trials.validation.campaign import Trial
    from hil.trials.validation.fitting import Estimate, Fit
    from hil.trials.validation.parameters import Parameters
    from hil.trials.validation.result import Result

WIDE = 130  # letters of a table that goes to a file


def print_result(result: "Result") -> None:
    """Print joint by joint how far the simulation is from what was measured, and the verdict."""
    bounds = result.setup.experiment.bounds
    table = Table(box=None)
    heads = ["joint", "largest deviation rad", "sigma rad", "torque correlation", "torque moves N m"]
    if not result.draws:
        heads.append("most with noise")
    for name in heads:
        table.add_column(name, justify="left" if name == "joint" else "right")
    for joint in result.worst.joints:
        table.add_row(
            joint.name,
            f"{joint.max_deviation_rad:.5f}",
            f"{joint.sigma_rad:.5f}",
            _shown(joint.torque_correlation),
            f"{joint.torque_range_n_m:.2f}",
            *([] if result.draws else [f"{joint.correlation_ceiling:.4f}"]),
        )
    figures = result.figures
    table.add_row(
        "all",
        f"{figures['max_deviation_rad']:.5f}",
        f"{figures['sigma_rad']:.5f}",
        _shown(figures["torque_correlation"]),
    )
    table.add_row("bound", f"{bounds.deviation:g}", f"{bounds.sigma:g}", f"{bounds.torque_correlation:g}")
    console = console_of()
    console.print(f"{result.setup.name}, beside {result.measured}", highlight=False, markup=False)
    console.print(table)
    if result.tool:
        console.print(_tool_table(result))
    for note in result.notes:
        console.print(f"note: {note}", highlight=False, markup=False)
    spans = ", ".join(f"{begin:.2f} to {end:.2f} s" for begin, end in result.simulated.contacts())
    console.print(f"contacts: {spans or 'none'}", highlight=False)
    console.print("within the bounds" if result.within else "NOT within the bounds", highlight=False)


def _tool_table(result: "Result") -> Table:
    """Return the wrench at the tool, component by component; it has no bound."""
    table = Table(box=None)
    for name in ("at the tool", "moves", "rms", "largest", "correlation", "rms by joints", "unit"):
        table.add_column(name, justify="left" if name in ("at the tool", "unit") else "right")
    for c in result.tool:
        figures = [f"{x:.3f}" for x in (c.moves, c.rms, c.largest)]
        table.add_row(c.name, *figures, _shown(c.correlation), f"{c.by_joints_rms:.3f}", c.unit)
    return table


def print_fit(found: "Fit", truth: "Parameters | None") -> None:
    """Print the fitted parameters, and beside them the truth where it is known."""
    console = console_of()
    table = Table(box=None)
    heads = ["parameter", "unit", "configured", "fitted", "from", "to"] + (["truth"] if truth else [])
    for name in heads:
        table.add_column(name, justify="left" if name in ("parameter", "unit") else "right")
    table.add_column("")
    for estimate in found.estimates:
        row = [estimate.name, estimate.unit, f"{estimate.start:.5g}"]
        row += [f"{x:.5g}" if x is not None else "-" for x in (estimate.fitted, estimate.low, estimate.high)]
        row += [f"{truth[estimate.name]:.5g}"] if truth else []
        table.add_row(*row, _remark(estimate, truth))
    console.print("fitted, with intervals that hold all at once with 95 %", highlight=False)
    console.print(table)
    console.print(
        f"misfit {found.misfit:.3f} (1: nothing but noise), {found.runs} runs"
        + (f", the tool's sensor counted in {found.tool_rows} rows" if found.tool_rows else "")
        + ("" if found.converged else "; it did NOT settle"),
        highlight=False,
    )


def print_insertion_fit(found: "InsertionFit", name: str, log: str) -> None:
    """Print friction, clearance and stiffness of a part that was fitted to a measured insertion."""
    console, table = console_of(), Table(box=None)
    for head in ("parameter", "unit", "configured", "fitted", "from", "to"):
        table.add_column(head, justify="left" if head in ("parameter", "unit") else "right")
    table.add_column("")
    for estimate in found.estimates:
        row = [estimate.name, estimate.unit, f"{estimate.start:.5g}"]
        row += [f"{x:.5g}" if x is not None else "-" for x in (estimate.fitted, estimate.low, estimate.high)]
        table.add_row(*row, "; ".join(text for text in (_remark(estimate, None), _far(estimate)) if text))
    console.print(
        f"{name}, fitted to {log}; intervals hold all at once with 95 %", highlight=False, markup=False
    )
    console.print(table)
    left = int((~found.used).sum())
    console.print(
        f"noise {found.noise:.4g} N over {len(found.depth)} samples"
        + (f", {left} beside a jump of the force or far off the curve left out" if left else "")
        + ("" if found.converged else "; it did NOT settle"),
        highlight=False,
    )


def _far(estimate: "Estimate") -> str:
    """Return what is said of a value that is an order of magnitude off the configured one."""
    if estimate.fitted is None or not estimate.start or 0.1 < estimate.fitted / estimate.start < 10.0:
        return ""
    return f"{estimate.fitted / estimate.start:.3g} times as configured: are the log's units right?"


def print_trials(found: "list[Trial]") -> None:
    """Print the trials of a campaign."""
    table = Table(box=None)
    heads = (
        "x mm",
        "y mm",
        "z mm",
        "outcome",
        "depth mm",
        "force N",
        "torque N m",
        "deviation rad",
        "contact s",
    )
    for name in heads:
        table.add_column(name, justify="left" if name == "outcome" else "right")
    for t in found:
        table.add_row(
            f"{t.x_mm:g}",
            f"{t.y_mm:g}",
            f"{t.z_mm:g}",
            t.outcome,
            f"{t.depth_mm:.2f}",
            f"{t.max_force_n:.1f}",
            f"{t.max_torque_n_m:.2f}",
            f"{t.max_deviation_rad:.4f}",
            f"{t.contact_s:.2f}",
        )
    console = console_of()
    console.print(table)
    outcomes = [trial.outcome for trial in found]
    counts = ", ".join(f"{outcomes.count(name)} {name}" for name in dict.fromkeys(outcomes))
    console.print(f"{len(found)} trials: {counts}", highlight=False)


def _remark(estimate: "Estimate", truth: "Parameters | None") -> str:
    alike = f"hardly told from {', '.join(estimate.alike)}" if estimate.alike else ""
    if not estimate.identified:
        return "; ".join(filter(None, ("NOT identified by this log", alike)))
    missed = truth is not None and not estimate.holds(truth[estimate.name])
    return "; ".join(filter(None, ("misses the truth" if missed else "", alike)))


def _shown(value: float | None) -> str:
    return "-" if value is None else f"{value:.4f}"


def console_of() -> Console:
    """Return the terminal, or a wide page where the output goes to a file."""
    console = Console()
    return console if console.is_terminal else Console(width=WIDE)
