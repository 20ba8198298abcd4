"""Draw the picture of a report: the beginning of its page, as a browser shows it.

zerog simulate configs/cube.toml --duration 60 --record run.mcap
zerog report run.mcap -o report.html
python -m docs.pictures.make_report_picture report.html

Needs Chromium.
"""

import argparse
import io
from pathlib import Path

from PIL import Image

from bench.chromium import browser

PICTURE = Path(__file__).parent / "report.png"
WIDTH, HEIGHT = 1000, 3600  # pixels of the page that are drawn,
COLUMN = 1800  # and of one column of the picture
COLOURS = 200


def draw(page: Path, target: Path) -> None:
    """Write the beginning of a page, in two columns, with few colours."""
    with browser() as opened:
        shown = opened.new_page(viewport={"width": WIDTH, "height": HEIGHT})
        shown.goto(page.resolve().as_uri())
        whole = Image.open(io.BytesIO(shown.screenshot())).convert("RGB")
    columns = [whole.crop((0, top, WIDTH, top + COLUMN)) for top in (0, COLUMN)]
    side_by_side = Image.new("RGB", (2 * WIDTH, COLUMN), "white")
    for number, column in enumerate(columns):
        side_by_side.paste(column, (number * WIDTH, 0))
    small = side_by_side.resize((WIDTH * 4 // 3, COLUMN * 2 // 3), Image.Resampling.LANCZOS)
    small.quantize(COLOURS, dither=Image.Dither.NONE).save(target, optimize=True)


def main() -> None:
    """Read the command line and draw."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("page", type=Path, metavar="REPORT.html")
    parser.add_argument("--out", type=Path, default=PICTURE)
    options = parser.parse_args()
    draw(options.page, options.out)


if __name__ == "__main__":
    main()
