"""Take the pictures of the workbench from its real page: an arm half assembled, bent, simulated; mating.

python -m docs.pictures.make_workbench_pictures
"""

import tempfile
from pathlib import Path

from playwright.sync_api import Page

from bench.chromium import browser, until
from bench.workbench import COMPILING_S, RECKONED, simulate
from bench.workbench_run import LWR4, PARTS, USABLE, WorkbenchRun, add_part, assemble_lwr4

FOLDER = Path(__file__).parent
SIZE = {"width": 1360, "height": 850}
BENT = (15, -50, 10, 80, 15, 55, 0)  # degrees
BEGUN = 5  # parts of the half assembled arm


def shot(page: Page, name: str) -> None:
    """Write what the page shows, once it stands still."""
    page.mouse.move(680, 300)
    page.wait_for_timeout(1500)
    page.screenshot(path=FOLDER / f"workbench-{name}.png")


def main() -> None:
    """Take them."""
    with tempfile.TemporaryDirectory() as folder, browser() as chromium:
        run = WorkbenchRun(Path(folder))
        try:
            page = chromium.new_page(viewport=SIZE)
            page.goto(run.address)
            until(page, USABLE)
            for component, turn in LWR4[:BEGUN]:
                add_part(page, component, turn)
            until(page, RECKONED, patience_s=COMPILING_S)
            shot(page, "begun")
            page.click("#clear")
            until(page, f"{PARTS} === 0")
            assemble_lwr4(page)
            page.fill("#name", "my_arm")
            page.press("#name", "Enter")
            for joint, angle in enumerate(BENT):
                page.fill(f"#joints .joint:nth-child({joint + 1}) input[type=number]", str(angle))
                page.press(f"#joints .joint:nth-child({joint + 1}) input[type=number]", "Enter")
            until(page, RECKONED, patience_s=COMPILING_S)
            page.wait_for_timeout(1000)
            page.click("#fit")
            shot(page, "assembled")
            simulate(page)
            page.select_option("select[aria-label='who moves the tip']", "circle")
            page.wait_for_timeout(9000)
            shot(page, "simulated")
            page.click("#simulate")
            page.click("#view-mating")
            until(page, "document.getElementById('mating').dataset.form === 'o-ring'")
            page.click("#mating-run")
            until(page, "document.querySelectorAll('#mating-cut text').length === 2", patience_s=COMPILING_S)
            shot(page, "mating")
        finally:
            run.close()


if __name__ == "__main__":
    main()
