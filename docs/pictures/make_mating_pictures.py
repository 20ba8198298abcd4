"""Draw the shipped mating experiments: force over depth, and the parts on their way.

python -m docs.pictures.make_mating_pictures
"""

from pathlib import Path

from hil.trials.mating.pictures import force_picture, strip_picture
from hil.trials.mating.running import run_named

FOLDER = Path(__file__).parent
NAMES = ("o-ring", "snap-beam", "snap-plate")


def main() -> None:
    """Draw and write."""
    for name in NAMES:
        result = run_named((name, ()))
        (FOLDER / f"mating-{name}.png").write_bytes(force_picture(result).png)
        (FOLDER / f"mating-{name}-strip.png").write_bytes(strip_picture(result.frames).png)


if __name__ == "__main__":
    main()
