"""The figures of contact handling: balance, friction, restitution, energy, stress, momentum, speed.

    python -m bench.contact_handling [NAME …] [--seconds 60] [--picture]

NAME: balance, friction, restitution, energy, stress, momentum, speed, prediction; all without. `--seconds` is
the length of the stress runs; `--picture` draws the tables of friction and restitution for the documents.
"""

import argparse
import time
from collections.abc import Callable
from pathlib import Path

import mujoco
import numpy as np

from bench.contact_pictures import draw
from bench.contact_scenes import (
    HOLE_RADIUS,
    PIN_LENGTH,
    PIN_RADIUS,
    free_pairs,
    kinetic_energy,
    momenta,
    on_plane,
    pushed_together,
    restitution_material,
    room,
    spring_material,
    two_bodies,
)
from hil.common.arrays import Array
from sim.contact.contact_scene import ContactScene
from sim.contact.interface_schema import Material
from sim.contact.material import SHIPPED

STEP = 1e-3  # [s]
PRESS = 20.0  # [N]
LIMIT = SHIPPED.friction * PRESS
LOADS = (0.5, 0.9, 0.98, 1.02, 1.1, 1.33, 2.0)  # of the limit of friction
RESTITUTIONS = (0.1, 0.3, 0.5, 0.7, 0.9, 1.0)
PREDICTED = {1e-3: 5, 2e-3: 2, 5e-3: 1}  # steps between the states that a prediction keeps
HOLD = 0.05  # [s] of a random force
PRELOAD = np.array([0.0, 0.0, -5.0])  # [N] of 20 pins
PICTURE = Path(__file__).parent.parent / "docs" / "pictures" / "contact-handling.png"


def balance() -> None:
    """Print the forces of pressed bodies at rest against their load."""
    print("contacts | normal force over load - 1 | tangential | speed mm/s")
    for contacts in (1, 2, 4):
        scene = pressed(contacts, 0.5)
        rows = scene.contacts()
        normal = rows["force"][:, 0].sum() / PRESS - 1.0
        tangential = np.linalg.norm(rows["force"][:, 1:].sum(axis=0)) / (0.5 * LIMIT) - 1.0
        print(f"{contacts:8d} | {normal:+26.1e} | {tangential:+10.1e} | {1e3 * scene.data.qvel[0]:.4f}")


def pressed(contacts: int, load: float) -> ContactScene:
    """Return a body pressed down for 1 s and pulled by a share of friction's limit for 0.5 s more."""
    scene = on_plane(contacts, SHIPPED, STEP, turning=contacts == 4)
    scene.data.xfrc_applied[1, 2] = -PRESS
    scene.run(1000)
    scene.data.xfrc_applied[1, 0] = load * LIMIT
    scene.run(500)
    return scene


def friction() -> Array:
    """Print speed and acceleration of a pulled body; return the accelerations, shape (loads, 3)."""
    print(f"load over limit | Coulomb m/s2 | with 1, 2, 4 contacts m/s2, speed mm/s ({SHIPPED_TEXT})")
    table = np.zeros((len(LOADS), 3))
    for i, load in enumerate(LOADS):
        cells = []
        for j, contacts in enumerate((1, 2, 4)):
            scene = pressed(contacts, load)
            before = scene.data.qvel[0]
            scene.run(400)
            table[i, j] = (scene.data.qvel[0] - before) / 0.4
            cells.append(f"{table[i, j]:8.5f} {1e3 * scene.data.qvel[0]:10.4f}")
        print(f"{load:15.2f} | {max(0.0, load - 1.0) * LIMIT / 2.0:12.4f} | " + " | ".join(cells))
    return table


def restitution() -> Array:
    """Print the restitution of hits of 0.2 m/s; return the means, shape (restitutions, 2)."""
    print("asked | contact / step ms | 1 contact: mean, worst phase; sliding: same | 2 contacts | 4 contacts")
    table = np.zeros((len(RESTITUTIONS), 2))
    for duration, step in ((0.02, 1e-3), (0.02, 2e-3), (0.02, 5e-3), (0.05, 1e-3)):
        for i, asked in enumerate(RESTITUTIONS):
            cells = []
            for contacts in (1, 2, 4):
                for sliding in (0.0, 0.5):
                    ratios, lost = hits(contacts, asked, duration, step, sliding)
                    cells.append(f"{ratios.mean():.3f} {abs(ratios - asked).max():.3f}")
                    if contacts == 1 and step == STEP and duration == 0.02:
                        table[i, int(sliding > 0)] = ratios.mean()
                cells[-1] += f" ({lost.mean() / (0.3 * 0.2 * (1.0 + asked)):.3f})"
            print(f"{asked:5.1f} | {1e3 * duration:3.0f} / {1e3 * step:.0f} | " + " | ".join(cells))
    print("(in brackets: impulse of friction over mu (1 + e) m v_n)")
    ratios, lost = hits(4, 1.0, 0.02, STEP, 0.5, turning=True)
    after = np.mean((0.2 * ratios) ** 2 + (0.5 - lost) ** 2) / (0.2**2 + 0.5**2)
    print(
        f"a cube that turns, e = 1, sliding: {ratios.mean():.3f}, its energy but spin {after:.3f} of before"
    )
    return table


def hits(
    contacts: int, asked: float, duration: float, step: float, sliding: float, turning: bool = False
) -> tuple[Array, Array]:
    """Return normal speed after over before, and the lost tangential speed, of eight phases of entry."""
    ratios, lost = [], []
    for phase in range(8):
        scene = on_plane(contacts, restitution_material(asked, duration), step, turning)
        scene.data.qpos[2] = 0.1 + 0.2 * step * (2.0 + (phase + 0.5) / 8.0)
        scene.data.qvel[[0, 2]] = sliding, -0.2
        scene.run(round((4.0 * duration + 0.05) / step))
        ratios.append(scene.data.qvel[2] / 0.2)
        lost.append(sliding - scene.data.qvel[0])
    return np.array(ratios), np.array(lost)


def energy() -> None:
    """Print the energy of a tumbling box in a closed room, and of pins shaken in their holes."""
    print(
        "closed room, 60 s, 6 starts: hits | highest and last energy over start - 1 | largest gain in a hit"
    )
    cases: list[tuple[str, Material]] = [
        (f"e = {e}, {1e3 * t:.0f} ms, mu = {mu}", restitution_material(e, t, mu))
        for e, t, mu in (
            (1.0, 0.02, 0.0),
            (1.0, 0.02, 0.3),
            (0.9, 0.02, 0.0),
            (0.9, 0.02, 0.3),
            (0.5, 0.02, 0.3),
        )
    ]
    cases += [
        (f"1 MN/m, {b:.0f} N s/m, mu = {mu}", spring_material(1e6, b, mu))
        for b, mu in ((0.0, 0.0), (300.0, 0.3))
    ]
    for name, material in cases:
        results = np.array([flown_energy(material, seed) for seed in range(6)])
        print(
            f"{name:28s}: {results[:, 0].sum():4.0f} | {results[:, 1].max():+.2e} "
            f"{results[:, 2].min():+.2e} | {results[:, 3].max():+.2e}"
        )
    print(
        "pins in holes, 5 s free after a kick: kinetic and spring energy over the start - 1, highest and last"
    )
    for e, mu in ((1.0, 0.0), (0.9, 0.3), (0.5, 0.3)):
        highest, last = rattled_energy(restitution_material(e, 0.02, mu))
        print(f"e = {e}, mu = {mu}: {highest:+.2e} {last:+.2e}")


def flown_energy(material: Material, seed: int) -> tuple[int, float, float, float]:
    """Return hits, the highest and the last energy over the start - 1, and the largest gain in one hit."""
    rng = np.random.default_rng(seed)
    scene = room(material, STEP)
    scene.data.qvel[:3], scene.data.qvel[3:] = rng.uniform(-0.3, 0.3, 3), rng.uniform(-0.6, 0.6, 3)
    start = last = highest = kinetic_energy(scene)
    count, gain, touched = 0, -1.0, False
    for _ in range(60_000):
        scene.run(1)
        touching = len(scene.data.contact) > 0
        if touched and not touching:
            now = kinetic_energy(scene)
            count, gain = count + 1, max(gain, now / start - last / start)
            last, highest = now, max(highest, now)
        touched = touching
    return count, highest / start - 1.0, last / start - 1.0, gain


def rattled_energy(material: Material) -> tuple[float, float]:
    """Return the highest and the last energy over the start - 1 of 4 pins in 4 holes, out of contact."""
    scene = two_bodies(4, material, STEP)
    scene.data.qvel[6:9] = 0.05, 0.03, -0.02
    start, found = kinetic_energy(scene), []
    for _ in range(5000):
        scene.run(1)
        if len(scene.data.contact) == 0:
            found.append(kinetic_energy(scene) / start - 1.0)
    return max(found), found[-1]


def stress(seconds: float) -> None:
    """Print how 20 free pegs fare in 20 free holes under random forces."""
    print(f"20 free pegs and holes, {seconds:g} s: peg kg, step ms | depth worst, median mm | lost")
    for peg in (2.0, 0.5):
        for step in (1e-3, 2e-3, 5e-3):
            worst, left, lost, fastest = shaken(restitution_material(0.5, 0.005), step, seconds, peg)
            print(
                f"{peg}, {1e3 * step:.0f} | {1e3 * worst.max():.2f}, {1e3 * np.median(worst):.2f} | "
                f"{left} by the opening | {lost} through material (fastest {fastest:.0f} rad/s)"
            )


def shaken(
    material: Material, step: float, seconds: float, peg: float = 2.0
) -> tuple[Array, int, int, float]:
    """Return the deepest contact of each hold [m], pegs out by the opening, pegs lost, the fastest."""
    scene, rng = free_pairs(20, material, step, peg), np.random.default_rng(0)
    data, start = scene.data, scene.data.qpos.copy()
    deepest, left, lost, fastest = [], 0, 0, 0.0
    for _ in range(round(seconds / HOLD)):
        mujoco.mj_kinematics(scene.model, data)
        force = within(rng, 20.0) - 5.0 * data.xmat[1::2].reshape(20, 3, 3)[:, :, 2]
        torque, lever = within(rng, 0.2), data.xipos[2::2] - data.xipos[1::2]
        data.xfrc_applied[2::2] = np.hstack([force, torque])
        data.xfrc_applied[1::2] = np.hstack([-force, -torque - np.cross(lever, force)])
        scene.run(round(HOLD / step))
        deepest.append(scene.deepest)
        fastest = max(fastest, float(np.abs(data.qvel).max()))
        mujoco.mj_kinematics(scene.model, data)
        tips = data.xpos[2::2] - 0.5 * PIN_LENGTH * data.xmat[2::2].reshape(20, 3, 3)[:, :, 2]
        place = np.einsum("nji,nj->ni", data.xmat[1::2].reshape(20, 3, 3), tips - data.xpos[1::2])
        gone = np.flatnonzero((place[:, 2] > 0.0) | (np.hypot(place[:, 0], place[:, 1]) > HOLE_RADIUS))
        # the way through the material leads the axis through it, deeper than the pin's radius
        if scene.deepest < PIN_RADIUS:
            left += gone.size
        else:
            lost += gone.size
        for i in gone:  # back to where it began
            data.qpos[14 * i : 14 * i + 14], data.qvel[12 * i : 12 * i + 12] = (
                start[14 * i : 14 * i + 14],
                0.0,
            )
    return np.array(deepest), left, lost, fastest


def within(rng: np.random.Generator, size: float) -> Array:
    """Return 20 vectors of random direction and a length up to `size`."""
    vectors = rng.normal(size=(20, 3))
    return vectors / np.linalg.norm(vectors, axis=1)[:, None] * size * rng.uniform(0.0, 1.0, (20, 1))


def momentum() -> None:
    """Print what two free bodies lose of their momenta through contacts with friction."""
    scene = two_bodies(4, SHIPPED, STEP)
    scene.data.qvel[:] = [0.05, 0.02, 0.1, 0.2, 0.1, 0.3, -0.1, 0.03, -0.2, 0.1, -0.3, 0.2]
    start, touching = momenta(scene), 0
    for _ in range(3000):
        scene.run(1)
        touching += len(scene.data.contact) > 0
    change = np.abs(momenta(scene) - start)
    print(
        f"{touching} of 3000 steps in contact: dP {change[:3].max():.1e} N s, dL {change[3:].max():.1e} N m s"
    )


def speed() -> None:
    """Print the real-time factor of 20 pins of one interface, pushed about in their holes."""
    print("20 pins, step 1 ms: real-time factor | us a step: median, worst of 50 | contacts | rounds")
    for name, material in (("e = 0.5, 20 ms", SHIPPED), ("1 MN/m, 1 kN s/m", spring_material(1e6, 1e3))):
        scene = two_bodies(20, material, STEP)
        shake(scene, np.random.default_rng(1), 4)
        times, contacts, rounds = shake(scene, np.random.default_rng(0), 100)
        print(
            f"{name}: {STEP / times.mean():.1f} | {1e6 * np.median(times):.0f}, {1e6 * times.max():.0f} | "
            f"{contacts:.1f} | {rounds:.2f}"
        )


def shake(scene: ContactScene, rng: np.random.Generator, holds: int) -> tuple[Array, float, float]:
    """Return the time of a step [s] in each hold of 50 ms, and the means of contacts and rounds."""
    times, contacts, rounds = [], [], []
    for _ in range(holds):
        pushed_together(scene, rng.uniform(-20.0, 20.0, 3) + PRELOAD, rng.uniform(-2.0, 2.0, 3))
        began = time.perf_counter()
        scene.run(50)
        times.append((time.perf_counter() - began) / 50)
        contacts.append(len(scene.contacts()))
        rounds.append(scene.solver_rounds[1])
    return np.array(times), float(np.mean(contacts)), float(np.mean(rounds))


def prediction() -> None:
    """Print the time of half a second ahead in contact, 100 to 125 states of it kept."""
    print("pins | step ms | ms for 0.5 s: median, worst of 40 | contacts")
    for pins, step in ((4, 1e-3), (20, 2e-3), (20, 5e-3)):
        world, ahead = two_bodies(pins, SHIPPED, STEP), two_bodies(pins, SHIPPED, step)
        row, kept = np.zeros(world.state_size), np.zeros((125, world.state_size))
        rng, times, contacts = np.random.default_rng(0), [], []
        for _ in range(42):
            shake(world, rng, 1)
            world.state_into(row)
            began = time.perf_counter()
            ahead.set_state(row)
            for each in kept[: round(0.5 / step) // PREDICTED[step]]:
                ahead.run(PREDICTED[step])
                ahead.state_into(each)
            times.append(1e3 * (time.perf_counter() - began))
            contacts.append(len(ahead.contacts()))
        print(
            f"{pins} | {1e3 * step:.0f} | {np.median(times[2:]):.1f}, {max(times[2:]):.1f} | "
            f"{np.mean(contacts):.1f}"
        )


SHIPPED_TEXT = (
    f"e = {SHIPPED.restitution}, {1e3 * (SHIPPED.contact_time or 0.0):.0f} ms, mu = {SHIPPED.friction}"
)


def main() -> None:
    """Print the figures asked for."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--seconds", type=float, default=60.0, help="length of the stress runs")
    parser.add_argument(
        "--picture", action="store_true", help="draw friction and restitution for the documents"
    )
    options = parser.parse_args()
    figures: dict[str, Callable[[], object]] = {
        "balance": balance,
        "friction": friction,
        "restitution": restitution,
        "energy": energy,
        "stress": lambda: stress(options.seconds),
        "momentum": momentum,
        "speed": speed,
        "prediction": prediction,
    }
    unknown = set(options.names) - set(figures)
    if unknown:
        parser.error(f"unknown: {', '.join(sorted(unknown))}; known: {', '.join(figures)}")
    tables = {}
    for name in options.names or figures:
        print(f"\n== {name}", flush=True)
        tables[name] = figures[name]()
    if options.picture:
        draw(PICTURE, LOADS, tables["friction"], LIMIT / 2.0, RESTITUTIONS, tables["restitution"])


if __name__ == "__main__":
    main()
