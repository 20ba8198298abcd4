"""Execute the notebooks of this folder and keep what they show: `python docs/notebooks/execute.py [NAME...]`.

Nothing of the machine is kept: no times, no paths, no versions.
"""

import os
import re
import sys
from pathlib import Path
from typing import Any

import nbformat
from nbclient import NotebookClient

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
LONGEST_S = 900  # of a cell: the first start compiles
KERNEL = {"display_name": "Python 3", "language": "python", "name": "python3"}
ADDRESS = re.compile(r" at 0x[0-9a-f]+")


def executed(path: Path) -> Any:
    """Return a notebook as it is after its execution; an error in a cell is raised.

    It imports the sources that lie beside it, whatever is installed.
    """
    notebook = nbformat.read(path, as_version=4)
    folders = (str(ROOT), str(ROOT / "hil" / "api" / "public"))
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(folders)}
    client = NotebookClient(
        notebook, timeout=LONGEST_S, kernel_name="python3", resources={"metadata": {"path": str(path.parent)}}
    )
    client.execute(env=environment)
    return cleaned(notebook)


def cleaned(notebook: Any) -> Any:
    """Return a notebook without what only tells of the machine."""
    notebook.metadata = {"kernelspec": KERNEL, "language_info": {"name": "python"}}
    for cell in notebook.cells:
        cell.metadata = {}
        if cell.cell_type != "code":
            continue
        cell.outputs = [output for output in cell.outputs if output.get("name") != "stderr"]
        for output in cell.outputs:
            output.pop("metadata", None)
            if "data" in output:
                output.metadata = {}
                text = output.data.get("text/plain")
                if text is not None:
                    output.data["text/plain"] = ADDRESS.sub("", text)
    return notebook


def main(names: list[str]) -> int:
    """Execute the notebooks with these names, or all."""
    for path in sorted(HERE.glob("*.ipynb")):
        if not names or path.stem in names:
            nbformat.write(executed(path), path)
            print(f"{path.name}: {path.stat().st_size / 1e3:.0f} kB")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
