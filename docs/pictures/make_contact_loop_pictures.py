"""Draw real contact in the loop: the map of a hard port, and the closed forms beside the sampled loop.

python -m docs.pictures.make_contact_loop_pictures
"""

import math
from pathlib import Path

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes

from hil.analysis.contact_picture import draw_contact_map
from hil.force.map.bounce import bounces
from hil.force.map.contact import Contact
from hil.force.map.critical_delay import critical_delay
from hil.force.map.loop_delay import LoopDelay
from hil.force.map.pressed_loop import onset
from hil.force.map.restitution import ideal_restitution, late_restitution
from hil.force.map.rule import Touch, advise
from hil.force.map.words import contact_in_words, forces_in_words, schemes_in_words

FOLDER = Path(__file__).parent
LOOP, TOUCH = LoopDelay(0.002, 0.002, 0.01), Touch(0.02, 150.0)
HARD = Contact(60.0, 4e5, 980.0)
RATIOS = (0.0, 0.1, 0.3, 0.5)


def draw_map() -> None:
    """Draw what `zerog contact-map` draws of a hard port."""
    advice = advise(HARD, LOOP, TOUCH)
    lines = [
        contact_in_words(HARD, LOOP, advice, "interface 12.0 ms"),
        *schemes_in_words(advice, TOUCH),
        *forces_in_words(HARD, advice, TOUCH),
    ]
    title = "Real contact in the loop: 60 kg at a hard port"
    draw_contact_map(HARD, LOOP, TOUCH, advice, title, lines, FOLDER / "contact-map.png")


def draw_restitution(axes: Axes) -> None:
    """Draw restitution without compensation: the loop, the formula, and what it should be."""
    wT = np.linspace(0.02, 1.0, 50)
    seen = wT[4::9]
    for number, z in enumerate(RATIOS):
        colour = f"C{number}"
        told = [late_restitution(Contact.of_ratio(60.0, x / LOOP.total, z), LOOP) for x in wT]
        cells = [Contact.of_ratio(60.0, x / LOOP.total, z) for x in seen]
        found = bounces(cells, [LOOP] * len(cells), [0.0] * len(cells)).restitution
        axes.plot(wT, told, color=colour, label=f"z = {z:g}")
        axes.plot(seen, found, "o", color=colour, markersize=5)
        axes.plot([0.0, 1.0], [ideal_restitution(z)] * 2, ":", color=colour, linewidth=1.2)
    axes.axhline(1.0, color="0.6", linewidth=0.8)
    axes.plot([], [], "o", color="0.4", markersize=5, label="sampled loop")
    axes.plot([], [], ":", color="0.4", label="as it should be")
    axes.set(
        xlabel="w T: rate of the contact times delay", ylabel="restitution", xlim=(0.0, 1.0), ylim=(0.0, 3.8)
    )
    axes.set_title("Without compensation a contact comes back too fast")
    axes.legend(frameon=False)


def draw_critical(axes: Axes) -> None:
    """Draw the critical delay over damping: closed forms, and the sampled loop's poles."""
    ratios = np.linspace(0.01, 0.7, 40)
    rate = 20.0
    cases = (
        ("fixed port, pure delay", LoopDelay(0.002, 0.0), math.inf),
        ("fixed port, drives 10 ms late", LoopDelay(0.002, 0.0, 0.01), math.inf),
        ("port of 100 kg, drives 10 ms late", LoopDelay(0.002, 0.0, 0.01), 100.0),
    )
    for number, (label, loop, port) in enumerate(cases):
        contacts = [Contact.of_ratio(60.0, rate, z, port) for z in ratios]
        closed = [rate * critical_delay(contact, loop) for contact in contacts]
        axes.plot(ratios, closed, color=f"C{number}", label=label, linewidth=3.0 - number)
        for contact in contacts[7::6]:
            if critical_delay(contact, loop) > loop.lag + 0.002:
                found = rate * onset(contact, loop, 0.12)
                axes.plot(contact.ratio, found, "o", color=f"C{number}", markersize=5)
    axes.plot(ratios, 2.0 * ratios, ":", color="0.4", label="w T = 2 z")
    axes.plot([], [], "o", color="0.4", markersize=5, label="poles of the sampled loop")
    axes.set(xlabel="damping ratio z", ylabel="critical w T", xlim=(0.0, 0.7), ylim=(0.0, 1.4))
    axes.set_title("Beyond its critical delay a pressed contact swings up")
    axes.legend(frameon=False)


def main() -> None:
    """Write both pictures."""
    draw_map()
    figure, (left, right) = plt.subplots(1, 2, figsize=(13.0, 5.0), layout="constrained")
    draw_restitution(left)
    draw_critical(right)
    figure.savefig(FOLDER / "contact-loop.png", dpi=90)


if __name__ == "__main__":
    main()
