"""Draw the shipped mating experiments: force over depth, and the parts on their way.

python -m docs.pictures.make_mating_pictures
"""

from pathlib import Path

from hil.trials.mating.pictures import force_picture, jamming_picture, strip_picture
from hil.trials.mating.running import run_named

FOLDER = Path(__file__).parent
# the picture's name, the experiment, and what is set in it
DRAWN = (
    ("o-ring", "o-ring", ()),
    ("snap-beam", "snap-beam", ()),
    ("snap-plate", "snap-plate", ()),
    ("round-peg", "round-peg", ()),
    ("rectangular-peg-jams", "rectangular-peg", ("offset_z_mm=-4",)),
    ("combined", "combined", ()),
)


def main() -> None:
    """Draw and write."""
    for name, experiment, settings in DRAWN:
        result = run_named((experiment, settings))
        (FOLDER / f"mating-{name}.png").write_bytes(force_picture(result).png)
        if result.frames:
            (FOLDER / f"mating-{name}-strip.png").write_bytes(strip_picture(result.frames).png)
        if name == "round-peg":
            assert result.jamming is not None
            (FOLDER / "mating-jamming.png").write_bytes(jamming_picture(result.jamming).png)


if __name__ == "__main__":
    main()
