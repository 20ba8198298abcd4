"""How values are spread: percentiles for tables and machines, histograms for the terminal."""

from dataclasses import dataclass

import numpy as np

from hil.common.arrays import Array, IntArray

Distribution = dict[str, float | int | None]

QUANTILES = {"p50": 0.5, "p90": 0.9, "p99": 0.99, "p999": 0.999}
BINS = 24  # rows of a histogram on the terminal
SHOWN = 0.999  # of the values lie within the bins; the others count as overflow
WIDE = 30.0  # largest shown over smallest value from which on bins grow geometrically
BAR = 50  # characters of the fullest bin
NICE = (1.0, 2.0, 2.5, 5.0, 10.0)  # widths of linear bins, times a power of ten


def distribution(values: Array | IntArray) -> Distribution:
    """Return `{min, p50, p90, p99, p999, max, n}`; values that are not finite are left out.

    All but `n` are None where there is nothing to measure.
    """
    finite = _finite(values)
    if not len(finite):
        return {"min": None, **dict.fromkeys(QUANTILES), "max": None, "n": 0}
    return {
        "min": float(finite.min()),
        **{name: float(np.quantile(finite, share)) for name, share in QUANTILES.items()},
        "max": float(finite.max()),
        "n": len(finite),
    }


@dataclass(frozen=True, eq=False)
class Histogram:
    """Counts of values between edges.

    Attributes:
        edges: shape (bins + 1,), rising, in the values' unit.
        counts: of values in each bin, its lower edge included, shape (bins,).
        overflow: values at or above the last edge.
    """

    edges: Array
    counts: IntArray
    overflow: int


def histogram(values: Array | IntArray, bins: int = BINS) -> Histogram:
    """Return a histogram that holds all but the last tail of the values, which count as overflow.

    Bins are of equal width, or of equal ratio where values above zero reach over more than a decade
    and a half.
    """
    finite = _finite(values)
    if not len(finite):
        return Histogram(np.zeros(1), np.zeros(0, np.int64), 0)
    low, high = float(finite.min()), float(np.quantile(finite, SHOWN))
    if low > 0.0 and high > WIDE * low:
        edges = np.geomspace(low, high * (1.0 + 1e-9), bins + 1)
    else:
        width = _nice((high - low) / bins)
        first = np.floor(low / width)
        last = max(np.floor(high / width) + 1.0, first + 1.0)
        edges = np.arange(first, last + 0.5) * width
    edges[0] = min(edges[0], low)
    overflow = int(np.sum(finite >= edges[-1]))
    counts = np.histogram(finite[finite < edges[-1]], edges)[0]
    return Histogram(edges, counts, overflow)


def histogram_text(title: str, unit: str, values: Array | IntArray) -> str:
    """Return a histogram as lines of text: lower edge, count, bar; then the overflow."""
    found = histogram(values)
    spread = distribution(values)
    if not spread["n"]:
        return f"# {title}: nothing measured"
    lines = [f"# {title} [{unit}], {spread['n']} values"]
    peak = max(1, int(found.counts.max(initial=0)))
    for edge, count in zip(found.edges[:-1], found.counts, strict=True):
        bar = "#" * (-(-int(count) * BAR // peak))
        lines.append(f"{edge:10.4g} {count:8d} {bar}".rstrip())
    lines.append(f"# min {spread['min']:.4g}  p50 {spread['p50']:.4g}  max {spread['max']:.4g}")
    lines.append(f"# overflow, from {found.edges[-1]:.4g} on: {found.overflow}")
    return "\n".join(lines)


def _finite(values: Array | IntArray) -> Array:
    flat = np.asarray(values, dtype=np.float64).ravel()
    return flat[np.isfinite(flat)]


def _nice(width: float) -> float:
    """Return the smallest round width that is at least `width`."""
    if width <= 0.0:
        return 1.0
    power = 10.0 ** np.floor(np.log10(width))
    return float(power * next(factor for factor in NICE if factor * power >= width * (1.0 - 1e-9)))
