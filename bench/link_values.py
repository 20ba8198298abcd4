"""Mass, centre and inertia of the database's tube links, from their dimensions; and their files.

    python -m bench.link_values [--write]

A link is a carbon-fibre tube along a path of straight pieces and quarter bends, with an aluminium ring in
each end to which the next part is screwed. Densities and walls are assumed; mass, centre and inertia
follow from them by quadrature over the tube's cross section and its path. Printed is how far the files in
configs/components/links are from that. `--write` writes them anew.
"""

import argparse
import math
import sys
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from hil.common.arrays import Array
from hil.common.geometry import quat_from_matrix, rotvec_from_quat
from sim.assembly.component_rules import inertia_matrix
from sim.assembly.database import SHIPPED, load_component

FOLDER = SHIPPED / "links"
CARBON, ALUMINIUM = 1600.0, 2700.0  # kg/m3
RING_LENGTH, RING_WALL = 0.012, 0.006  # m
AXES = {"x": (1.0, 0.0, 0.0), "y": (0.0, 1.0, 0.0), "z": (0.0, 0.0, 1.0), "-z": (0.0, 0.0, -1.0)}


@dataclass(frozen=True)
class Size:
    """A size of links: the flange [mm], the tube's outer radius, its wall, and the radius of bends [m]."""

    flange: float
    radius: float
    wall: float
    bend: float


SIZES = {
    "s": Size(80.0, 0.035, 0.0020, 0.05),
    "m": Size(100.0, 0.045, 0.0025, 0.06),
    "l": Size(120.0, 0.055, 0.0030, 0.07),
}


@dataclass
class Tube:
    """A tube that grows along its path; mass, first and second moments about the input's marker."""

    size: Size
    T: Array = field(default_factory=lambda: np.eye(4))
    mass: float = 0.0
    first: Array = field(default_factory=lambda: np.zeros(3))
    second: Array = field(default_factory=lambda: np.zeros((3, 3)))  # sum of p p^T dm
    shapes: list[str] = field(default_factory=list)

    def ring(self, ahead: bool) -> None:
        """Put the aluminium ring into the end where the tube is; it reaches ahead or back."""
        outer = self.size.radius - self.size.wall
        T = self.T.copy()
        T[:3, 3] += self.T[:3, 2] * (0.5 if ahead else -0.5) * RING_LENGTH
        self._straight(T, outer, outer - RING_WALL, RING_LENGTH, ALUMINIUM)
        T[:3, 3] -= self.T[:3, 2] * (0.5e-3 if ahead else -0.5e-3)  # seen beyond the tube's end
        self._show("cylinder", (self.size.radius + 0.003, RING_LENGTH, 0.0), T, "[0.78, 0.79, 0.81]")

    def straight(self, length: float) -> None:
        """Go on straight ahead."""
        T = self.T.copy()
        T[:3, 3] += 0.5 * length * self.T[:3, 2]
        self._straight(T, self.size.radius, self.size.radius - self.size.wall, length, CARBON)
        self._show("cylinder", (self.size.radius, length, 0.0), T, "[0.16, 0.16, 0.18]")
        self.T[:3, 3] += length * self.T[:3, 2]

    def bend(self, towards: Array) -> None:
        """Turn by a quarter into a direction across the present one."""
        z, R = self.T[:3, 2].copy(), self.size.bend
        T = self.T.copy()
        T[:3, :3] = np.column_stack([towards, np.cross(z, towards), z])
        self._curved(T)
        self._show("bend", (self.size.radius, R, 0.0), T, "[0.16, 0.16, 0.18]")
        axis = np.cross(z, towards)
        turned = np.outer(towards, z) - np.outer(z, towards) + np.outer(axis, axis)
        self.T[:3, :3] = turned @ self.T[:3, :3]
        self.T[:3, 3] += R * (z + towards)

    def _straight(self, T: Array, outer: float, inner: float, length: float, density: float) -> None:
        mass = density * math.pi * (outer**2 - inner**2) * length
        across = 0.25 * (outer**2 + inner**2)
        self._add(T, mass, np.zeros(3), mass * np.diag([across, across, length**2 / 12.0]))

    def _curved(self, T: Array) -> None:
        """Add a quarter of a torus: begins at T along its z, bends towards its x."""
        R, outer = self.size.bend, self.size.radius
        inner = outer - self.size.wall
        nodes, weights = np.polynomial.legendre.leggauss(12)
        turn = 0.25 * math.pi * (nodes + 1.0)
        radial = 0.5 * ((outer - inner) * nodes + outer + inner)
        around = np.arange(24) * math.pi / 12.0
        phi, rho, theta = (a.ravel() for a in np.meshgrid(turn, radial, around, indexing="ij"))
        weight = np.einsum("i,j,k->ijk", weights, weights, np.full(24, math.pi / 12.0)).ravel()
        out = R + rho * np.cos(theta)  # from the centre of the bend, outwards
        dm = CARBON * weight * 0.25 * math.pi * 0.5 * (outer - inner) * rho * out
        points = np.stack([R - out * np.cos(phi), rho * np.sin(theta), out * np.sin(phi)])
        mass = float(dm.sum())
        centre = points @ dm / mass
        away = points - centre[:, None]
        self._add(T, mass, centre, (away * dm) @ away.T)

    def _add(self, T: Array, mass: float, centre: Array, second: Array) -> None:
        """Add a piece: centre and second moment about it in the piece's axes."""
        R, p = T[:3, :3], T[:3, :3] @ centre + T[:3, 3]
        self.mass += mass
        self.first += mass * p
        self.second += R @ second @ R.T + mass * np.outer(p, p)

    def _show(self, solid: str, size: tuple[float, ...], T: Array, colour: str) -> None:
        lines = ["", "[[bodies.shapes]]", f'solid = "{solid}"', f"size_mm = {_list(1e3 * np.array(size))}"]
        lines += _pose(T)
        self.shapes += [*lines, f"colour = {colour}"]

    def body(self) -> tuple[float, Array, Array]:
        """Return mass [kg], centre [m] and moments xx yy zz xy xz yz about it [kg m2]."""
        centre = self.first / self.mass
        S = self.second - self.mass * np.outer(centre, centre)
        I = np.trace(S) * np.eye(3) - S  # noqa: E741
        moments = np.array([I[0, 0], I[1, 1], I[2, 2], I[0, 1], I[0, 2], I[1, 2]])
        return self.mass, centre, np.where(np.abs(moments) < 1e-12, 0.0, moments)


@dataclass(frozen=True)
class Link:
    """A link: its text, its size, its path, and the size at its output if that is another one.

    The path is a list of lengths [m] and of directions into which the tube bends.
    """

    name: str
    text: str
    size: str
    path: tuple[float | str, ...]
    output: str = ""

    def tube(self) -> Tube:
        """Return the link's tube, grown to its end."""
        tube = Tube(SIZES[self.size])
        tube.ring(ahead=True)
        for k, piece in enumerate(self.path):
            if self.output and k == len(self.path) - 1:
                tube.size = SIZES[self.output]
            if isinstance(piece, str):
                tube.bend(np.array(AXES[piece]))
            else:
                tube.straight(piece)
        tube.ring(ahead=False)
        return tube

    def file(self) -> str:
        """Return the component's file."""
        tube = self.tube()
        mass, centre, inertia = tube.body()
        size, end = SIZES[self.size], SIZES[self.output or self.size]
        source = (
            "python -m bench.link_values: mass, centre and inertia from the dimensions; carbon fibre "
            f"{CARBON:g} kg/m3, wall {1e3 * size.wall:g} mm, aluminium rings {1e3 * RING_LENGTH:g} x "
            f"{1e3 * RING_WALL:g} mm"
        )
        head = [f'name = "{self.name}"', 'kind = "link"', f'text = "{self.text}"', f'source = "{source}"']
        head += ['assumed = ["all"]', "", "[input]", 'gender = "female"', 'type = "flange"']
        head += [f"size_mm = {size.flange:.1f}", "", "[output]", 'gender = "male"', 'type = "flange"']
        head += [f"size_mm = {end.flange:.1f}", *_pose(tube.T), "", "[[bodies]]", f"mass_kg = {mass:.6g}"]
        head += [f"centre_mm = {_list(1e3 * centre)}", f"inertia_kg_m2 = {_list(inertia, 6)}"]
        return "\n".join(head + tube.shapes) + "\n"


def _list(values: Array, digits: int = 9) -> str:
    """Return numbers as TOML has them, with so many significant digits."""
    numbers = [float(f"{v:.{digits}g}") + 0.0 for v in values]
    return "[" + ", ".join(repr(0.0 if abs(n) < 1e-12 else n) for n in numbers) + "]"


def _pose(T: Array) -> list[str]:
    lines = [f"position_mm = {_list(1e3 * T[:3, 3], 12)}"] if np.abs(T[:3, 3]).max() > 1e-12 else []
    rotvec = np.degrees(rotvec_from_quat(quat_from_matrix(np.ascontiguousarray(T[:3, :3]))))
    return lines + ([f"rotvec_deg = {_list(rotvec, 12)}"] if np.abs(rotvec).max() > 1e-9 else [])


def links() -> list[Link]:
    """Return all tube links of the database."""
    found = []
    jog, word = ("y", "z"), {"s": "small", "m": "middle", "l": "large"}
    for size, (a, b, straight) in {
        "s": (0.06, 0.04, 0.15),
        "m": (0.08, 0.06, 0.25),
        "l": (0.1, 0.08, 0.35),
    }.items():
        paths: dict[str, tuple[float | str, ...]] = {
            "l": (a, "x", a),
            "c": (a, "x", b, "-z", a),
            "s": (a, "x", b, "z", a),
        }
        found.append(Link(f"link-straight-{size}", f"Straight link, {word[size]}", size, (straight,)))
        for shape, path in paths.items():
            name, text = f"link-{shape}-symmetric-{size}", f"{shape.upper()} link, {word[size]}"
            found.append(Link(name, f"{text}: its ends' axes lie in one plane", size, path))
            name = f"link-{shape}-asymmetric-{size}"
            text = f"{text}: its output lies {2e3 * SIZES[size].bend:g} mm beside that plane"
            found.append(Link(name, text, size, (*jog, *path)))
    found += [
        Link("link-short-l", "Short straight link, large", "l", (0.0705,)),
        Link("link-short-m", "Short straight link, middle", "m", (0.07,)),
        Link("link-reducer-l-m", "Link from large to middle flange", "l", (0.035, 0.035), "m"),
        Link("link-reducer-m-s", "Link from middle to small flange", "m", (0.03, 0.03), "s"),
    ]
    return found


def difference(link: Link, folder: Path = FOLDER) -> float:
    """Return the largest relative difference between a link's file and its dimensions."""
    body = load_component(folder / f"{link.name}.toml").bodies[0]
    mass, centre, inertia = link.tube().body()
    scale = max(float(np.abs(inertia).max()), 1e-9)
    length = float(np.abs(centre).max())
    worst = np.abs(inertia_matrix(body.inertia) - inertia_matrix(inertia)).max() / scale
    return max(abs(body.mass / mass - 1.0), float(np.abs(body.centre - centre).max()) / length, float(worst))


def main() -> int:
    """Print or write; return 1 if a file is not what its dimensions say."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--write", action="store_true", help="write the links' files")
    options = parser.parse_args()
    if options.write:
        FOLDER.mkdir(exist_ok=True)
        for link in links():
            (FOLDER / f"{link.name}.toml").write_text(link.file(), encoding="utf-8")
    worst = 0.0
    print(f"{'link':26} {'kg':>8} {'output mm':>24} {'file off':>9}")
    for link in links():
        tube = link.tube()
        off = difference(link)
        worst = max(worst, off)
        at = ", ".join(f"{1e3 * x:.1f}" for x in tube.T[:3, 3])
        print(f"{link.name:26} {tube.mass:8.4f} {at:>24} {off:9.1e}")
    return 0 if worst < 1e-5 else 1


if __name__ == "__main__":
    sys.exit(main())
