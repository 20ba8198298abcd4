"""An arm's URDF as the physics engine is given it: seven joints, and nothing that it cannot read.

URDFs as they come have a gripper beyond the flange, joints with names of their own, meshes in packages of
ROS. What moves beyond the flange is locked; the arm's joints are named in order; meshes that are not there,
or that the engine cannot read, are left out, for they are looked at only. Each of these is a note.
"""

import xml.etree.ElementTree as ElementTree
from collections.abc import Iterator
from pathlib import Path

from hil.common.arm_files import read_arm
from hil.common.arm_units import look_at_units
from hil.common.errors import RobotModelError

BASE, FLANGE = "link_0", "flange"
JOINTS = tuple(f"A{i}" for i in range(1, 8))
TURNING = ("revolute", "continuous")
STILL = "fixed"
READ = (".stl", ".obj", ".msh")  # kinds of meshes that the engine reads
STL_HEAD, STL_TRIANGLE = 84, 50  # bytes
Element = ElementTree.Element


def urdf_for_physics(content: bytes, path: Path) -> tuple[str, tuple[str, ...]]:
    """Return a URDF as the engine takes it, and what of it is not as in the file, a sentence each.

    Args:
        content: of the file.
        path: of the file; meshes are looked for from there.

    Raises:
        RobotModelError: it is no XML, a link lacks, the arm has not seven joints,
            one cannot be locked, or it is in other units.
    """
    try:
        root = ElementTree.fromstring(content)
        before = ElementTree.tostring(root)
    except ElementTree.ParseError as error:
        raise RobotModelError(f"{path}: is no XML: {error}") from error
    try:
        look_at_units(root)
    except RobotModelError as error:
        raise RobotModelError(f"{path}: {error}") from error
    for tag in ("link", "joint"):
        names = [element.get("name") for element in root.findall(tag)]
        if twice := next((name for name in names if names.count(name) > 1), None):
            raise RobotModelError(f"{path}: two {tag}s are named {twice!r}")
    chain = _chain(root, path)
    notes = [*_locked(root, chain, path), *_named(root, chain, path)]
    folder = _options(root)
    notes += _meshes(root, path, folder)
    if ElementTree.tostring(root) == before:
        return content.decode(), ()
    return ElementTree.tostring(root, encoding="unicode"), tuple(notes)


def notes_of(path: Path) -> tuple[str, ...]:
    """Return what of an arm's file is not simulated as it stands there, a sentence each.

    Raises:
        RobotModelError: the file cannot be taken.
    """
    return urdf_for_physics(read_arm(path).urdf, path)[1]


def _chain(root: Element, path: Path) -> list[Element]:
    """Return the joints from the root to the flange, the fixed ones too."""
    to = {_link(joint, "child"): joint for joint in root.findall("joint")}
    chain: list[Element] = []
    link = FLANGE
    while (joint := to.get(link)) is not None:
        if joint in chain:
            raise RobotModelError(f"{path}: joint {joint.get('name')!r} is in a ring of joints")
        chain.append(joint)
        link = _link(joint, "parent")
    if not chain:
        raise RobotModelError(f"{path}: there is no link {FLANGE!r} at the end of the arm; add it")
    return chain[::-1]


def _locked(root: Element, chain: list[Element], path: Path) -> Iterator[str]:
    """Lock each joint that moves and is none of the chain's; say so."""
    for joint in root.findall("joint"):
        kind, name = joint.get("type"), joint.get("name")
        if kind == STILL:
            continue
        if joint in chain:
            if (mimic := joint.find("mimic")) is not None:
                raise RobotModelError(
                    f"{path}: joint {name!r} mimics {mimic.get('joint')!r}: before the flange each of the "
                    f"{len(JOINTS)} joints must turn by itself"
                )
            continue
        limit = joint.find("limit")
        if limit is not None and kind != "continuous":
            low, high = (float(limit.get(key) or 0.0) for key in ("lower", "upper"))
            if not low <= 0.0 <= high:
                raise RobotModelError(
                    f"{path}: joint {name!r} is none of the arm's and cannot be locked at 0, its limits are "
                    f"[{low:g}, {high:g}]: make it fixed where it shall stand"
                )
        joint.set("type", STILL)
        for part in ("mimic", "limit", "axis", "dynamics", "safety_controller", "calibration"):
            for found in joint.findall(part):
                joint.remove(found)
        yield f"joint {name!r} is none of the arm's seven and is locked at 0"


def _named(root: Element, chain: list[Element], path: Path) -> Iterator[str]:
    """Give base and joints the names that all programs use; say which they had."""
    moving = [joint for joint in chain if joint.get("type") != STILL]
    names = [str(joint.get("name")) for joint in moving]
    if len(moving) != len(JOINTS):
        raise RobotModelError(
            f"{path}: {len(moving)} joints move before link {FLANGE!r} ({', '.join(names) or 'none'}), "
            f"{len(JOINTS)} are needed"
        )
    base = _link(chain[0], "parent")
    _rename_links(root, base)
    if tuple(names) == JOINTS:
        return
    for joint in root.findall("joint"):
        if joint not in moving and joint.get("name") in JOINTS:
            joint.set("name", f"{joint.get('name')} beyond")
    for joint, name in zip(moving, JOINTS, strict=True):
        joint.set("name", name)
    yield f"joints {', '.join(names)} are {JOINTS[0]} to {JOINTS[-1]}, in that order"


def _rename_links(root: Element, base: str) -> None:
    """Call the base by its usual name; a link of that name elsewhere gets another."""
    if base == BASE:
        return
    new = {base: BASE, BASE: f"{BASE} beyond"}
    for element in root.iter("link"):
        element.set("name", new.get(str(element.get("name")), str(element.get("name"))))
    for joint in root.findall("joint"):
        for end in ("parent", "child"):
            if (held := joint.find(end)) is not None:
                held.set("link", new.get(str(held.get("link")), str(held.get("link"))))


def _options(root: Element) -> str:
    """Let the engine keep all links and take paths as they are; return the folder of meshes that is told."""
    told = root.find("mujoco")
    options = told if told is not None else ElementTree.SubElement(root, "mujoco")
    found = options.find("compiler")
    compiler = found if found is not None else ElementTree.SubElement(options, "compiler")
    compiler.set("fusestatic", "false")
    if compiler.get("discardvisual") is None:
        compiler.set("discardvisual", "false")
    folder = compiler.attrib.pop("meshdir", "")
    if next(root.iter("mesh"), None) is not None:
        compiler.set("strippath", "false")
    return folder


def _meshes(root: Element, path: Path, folder: str) -> Iterator[str]:
    """Name each mesh by its place, and leave out those that cannot be read; say which."""
    for link in root.findall("link"):
        left_out = []
        for holder in [*link.findall("visual"), *link.findall("collision")]:
            mesh = holder.find("geometry/mesh")
            if mesh is None:
                continue
            name = str(mesh.get("filename"))
            place = _place(name, path, folder)
            if place is None:
                link.remove(holder)
                left_out.append(name)
            else:
                mesh.set("filename", str(place))
        for name in dict.fromkeys(left_out):
            if link.find("inertial") is None:
                raise RobotModelError(
                    f"{path}: link {link.get('name')!r} has no <inertial>, and its mesh {name} cannot be "
                    f"read ({', '.join(READ)} beside the file or in its package): add either"
                )
            yield f"mesh {name} of link {link.get('name')!r} cannot be read and is not shown"


def _place(name: str, path: Path, folder: str) -> Path | None:
    """Return where a mesh is that the engine can read, or None."""
    scheme, split, rest = name.partition("://")
    here = path.absolute().parent
    if not split:
        places = [here / folder / name, here / name, here / folder / Path(name).name]
    elif scheme == "file":
        places = [Path(rest)]
    else:  # package://NAME/PATH: in a folder of that name above the file, or beside one
        package, _, inner = rest.partition("/")
        places = [up / package / inner for up in (here, *here.parents)]
        places += [up / inner for up in (here, *here.parents) if up.name == package]
        places += [here / Path(inner).name]
    return next((place for place in places if _is_readable(place)), None)


def _is_readable(place: Path) -> bool:
    try:
        if place.suffix.lower() not in READ or not place.is_file():
            return False
        with place.open("rb") as file:
            head = file.read(STL_HEAD)
        if place.suffix.lower() != ".stl":
            return True
        triangles = int.from_bytes(head[-4:], "little") if len(head) == STL_HEAD else 0
        return bool(triangles) and place.stat().st_size >= STL_HEAD + STL_TRIANGLE * triangles
    except OSError:
        return False


def _link(joint: Element, role: str) -> str:
    element = joint.find(role)
    return str(element.get("link")) if element is not None else ""
