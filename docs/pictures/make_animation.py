"""Make the animation of the README: the page's drawing of a run that is pushed, drifts, turns and bounces.

python -m docs.pictures.make_animation

Runs the loop in lock-step, shows its recording (`zerog show`) to a browser, and takes the drawing frame by
frame. Needs Chromium.
"""

import argparse
import io
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from socket import SOCK_STREAM

import matplotlib
from PIL import Image, ImageDraw, ImageFont
from playwright.sync_api import Page
from rich.progress import track

from bench.chromium import browser, open_dashboard, until
from hil.common.free_port import free_port

ROOT = Path(__file__).resolve().parents[2]
PICTURE = Path(__file__).parent / "float.gif"
PUSHES = """
[[operator.push]]
time_s = 0.6
duration_ms = 120.0
force_n = [0.0, 45.0, 16.0]
point_mm = [30.0, 0.0, -60.0]

[[operator.push]]
time_s = 5.4
duration_ms = 120.0
force_n = [20.0, 30.0, -40.0]
point_mm = [-60.0, 0.0, 40.0]
"""
SETTINGS = ("object.mass_kg=40.0", "object.inertia_kg_m2=[1.2, 1.2, 1.2]", "operator.random.count=0")
STILL = ("object.initial_velocity_mm_s=[0.0, 0.0, 0.0]", "object.initial_spin_deg_s=[0.0, 0.0, 0.0]")
SECONDS, RATE = 10.0, 12.5  # of the run; frames a second
WINDOW = {"width": 1400, "height": 900}  # of the browser [pixels]
PART = (105, 105, 720, 515)  # of the drawing [pixels]: arm and mock-up, without the curves
SIZE, COLOURS = (660, 440), 48
CAPTIONS = (
    (0.4, "a push"),
    (1.2, "it drifts and turns"),
    (3.2, "and bounces softly where the arm's reach ends"),
    (5.2, "another push"),
    (6.0, "as it would in orbit"),
)
MOST_BYTES = 3_000_000
SHOWN = "(t) => player.told && Math.abs(player.told.t_s - t) < 0.005"
SLIDE = """(t) => { const time = document.getElementById("time"); time.value = t;
  time.dispatchEvent(new Event("input", { bubbles: true })); }"""


def recorded(folder: Path) -> Path:
    """Return the recording of the run that is shown."""
    configuration = ROOT / "configs" / "animation.toml"
    whole = (ROOT / "configs/cube.toml").read_text(encoding="utf-8") + PUSHES
    configuration.write_text(whole, encoding="utf-8")
    try:
        zerog = [
            sys.executable,
            "-m",
            "hil",
            "simulate",
            str(configuration),
            "--duration",
            str(SECONDS + 0.5),
        ]
        chosen = [word for setting in (*SETTINGS, *STILL) for word in ("--set", setting)]
        subprocess.run([*zerog, *chosen, "--record", str(folder / "run.mcap")], check=True, cwd=ROOT)
    finally:
        configuration.unlink()
    return folder / "run.mcap"


@contextmanager
def shown(recording: Path) -> Iterator[Page]:
    """Give the page on which the recording is shown, with the drawing alone in sight."""
    command = [sys.executable, "-m", "hil", "show", str(recording), "--port", str(free_port(SOCK_STREAM))]
    with (
        subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=ROOT) as process,
        browser() as chromium,
    ):
        try:
            assert process.stdout is not None
            page = chromium.new_context(viewport=WINDOW).new_page()
            open_dashboard(page, process.stdout.readline().split()[-1])
            until(page, "player.told && player.told.looked === 1")
            page.evaluate("send({ verb: 'pause' })")
            until(page, "!player.told.playing")
            yield page
        finally:
            process.terminate()


def frame(page: Page, t: float) -> Image.Image:
    """Return the drawing at an instant, with its caption."""
    page.evaluate(SLIDE, t)
    until(page, SHOWN, t)
    page.wait_for_timeout(300)  # the picture follows the news
    whole = Image.open(io.BytesIO(page.locator("#drawing").screenshot())).convert("RGB")
    return captioned(whole.crop(PART).resize(SIZE, Image.Resampling.LANCZOS), t)


def captioned(image: Image.Image, t: float) -> Image.Image:
    """Return it with the words of its instant."""
    words = [text for begin, text in CAPTIONS if begin <= t]
    if words:
        font = ImageFont.truetype(Path(matplotlib.get_data_path()) / "fonts/ttf/DejaVuSans.ttf", 22)
        ImageDraw.Draw(image).text((SIZE[0] / 2, SIZE[1] - 28), words[-1], (40, 48, 60), font, anchor="mm")
    return image


def write(frames: list[Image.Image], target: Path) -> None:
    """Write the frames with the colours of one of them, without end; refuse what is too large."""
    palette = frames[len(frames) // 2].quantize(COLOURS, dither=Image.Dither.NONE)
    few = [image.quantize(palette=palette, dither=Image.Dither.NONE) for image in frames]
    few[0].save(target, save_all=True, append_images=few[1:], duration=int(1e3 / RATE), loop=0, optimize=True)
    size = target.stat().st_size
    print(f"{target.name}: {len(frames)} frames, {size / 1e6:.2f} MB")
    if size > MOST_BYTES:
        sys.exit(f"larger than {MOST_BYTES / 1e6:g} MB: fewer colours, frames or pixels")


def main() -> None:
    """Read the command line, run, and take the frames."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--out", type=Path, default=PICTURE)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, shown(recorded(Path(folder))) as page:
        times = [k / RATE for k in range(int(SECONDS * RATE))]
        write([frame(page, t) for t in track(times, "frames")], options.out)


if __name__ == "__main__":
    main()
