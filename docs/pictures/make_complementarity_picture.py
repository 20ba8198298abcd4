"""Draw what contacts cost over their number, planar and in space.

python -m docs.pictures.make_complementarity_picture
"""

from pathlib import Path

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np

from bench.contact_figures import cost_curve
from hil.common.kernel_cache import use_kernel_cache

PICTURE = Path(__file__).parent / "complementarity.png"
CASES = 20


def main() -> None:
    """Write the picture."""
    use_kernel_cache()
    figure, axes = plt.subplots(figsize=(7.0, 4.5), constrained_layout=True)
    for dim, label, colour in ((2, "planar", "C0"), (3, "in space", "C1")):
        n, median, late = np.array(cost_curve(dim, CASES)).T
        axes.loglog(n, median, "o-", color=colour, label=f"{label}, median")
        axes.loglog(n, late, ":", color=colour, label=f"{label}, 95th percentile")
    axes.axhline(1000.0, color="0.7", lw=0.8)
    axes.annotate("1 ms", (1.0, 1050.0), color="0.4")
    axes.set(xlabel="contacts (six coordinates for every four)", ylabel="one call from Python [us]")
    axes.set_title("Contacts with Coulomb friction: cost over their number")
    axes.grid(True, which="both", alpha=0.3)
    axes.legend()
    figure.savefig(PICTURE, dpi=80)


if __name__ == "__main__":
    main()
