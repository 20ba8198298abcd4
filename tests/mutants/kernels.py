"""The compiled kernels of a mutant's tree: taken over where the mutant cannot have changed them.

numba keeps what it has compiled in a folder for each folder of sources, named by the latter's path, and a
kernel holds the code of those that it calls. So of a mutant with kernels, or with constants of kernels, all
is taken over but the kernels of its file and of those that import it, one over the other.
"""

import hashlib
import os
import shutil
from pathlib import Path

from hil.common.kernel_cache import IMPORT, PACKAGES, PREFIX, fingerprint

INDEX = ".nbi"


def folder_of(tree: Path, caches: Path) -> Path:
    """Return where a tree's kernels are kept, with `caches` as numba's own setting."""
    return caches / f"{PREFIX}{fingerprint(tree)}"


def moved(kernels: Path, root: Path, tree: Path, into: Path) -> None:
    """Copy the kernels that sources below `root` have, as those of the same sources below `tree`."""
    for package in PACKAGES:
        for folder in (root / package, *(root / package).rglob("*/")):
            source = kernels / name_of(folder)
            if source.is_dir():
                shutil.copytree(source, into / name_of(tree / folder.relative_to(root)), dirs_exist_ok=True)


def taken_over(kernels: Path, into: Path, file: str, tree: Path) -> None:
    """Link the kernels of a tree for the same tree with one file changed, but for those it may change."""
    changed = {(name_of((tree / name).parent), Path(name).stem) for name in importers(tree, file)}
    for index in kernels.glob(f"*/*{INDEX}"):
        if (index.parent.name, index.name.partition(".")[0]) in changed:
            continue
        folder = into / index.parent.name
        folder.mkdir(parents=True, exist_ok=True)
        for path in (index, *index.parent.glob(f"{index.name.removesuffix(INDEX)}.*.nbc")):
            os.link(path, folder / path.name)


def importers(tree: Path, file: str) -> set[str]:
    """Return the files that import a file, themselves or through others, and the file."""
    imports = {}
    for package in PACKAGES:
        for path in (tree / package).rglob("*.py"):
            modules = [module.decode() for module, _ in IMPORT.findall(path.read_bytes())]
            imports[path.relative_to(tree).as_posix()] = {f"{m.replace('.', '/')}.py" for m in modules}
    found, new = set(), {file}
    while new:
        found |= new
        new = {name for name, modules in imports.items() if modules & new} - found
    return found


def name_of(folder: Path) -> str:
    """Return numba's name for the kernels of a folder of sources."""
    return f"{folder.name}_{hashlib.sha1(str(folder).encode()).hexdigest()}"
