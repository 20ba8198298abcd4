"""`zerog contact-map`: which port the mock-up may touch, how fast, and what the loop's delay makes of it."""

import argparse
import json
import math
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from hil.commands.grammar import add_command, add_configuration, add_settings, float_from_zero, positive_float
from hil.commands.outputs import Kind, add_output
from hil.common.output_file import write_output

if TYPE_CHECKING:
    from hil.analysis.contact_setting import Given, Setting
    from hil.force.map.rule import Advice


def add_contact_map(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the command's grammar."""
    sub = add_command(
        commands,
        "contact-map",
        contact_map,
        "Say what real contact comes to in this loop: stability, restitution, peak force, speeds, device.",
        "zerog contact-map configs/port.toml --stiffness-n-per-m 4e5 -o map.png",
    )
    add_configuration(sub)
    add_settings(sub)
    options = (
        ("--stiffness-n-per-m", "N_PER_M", positive_float, "of the port, instead of [port]"),
        ("--damping-n-s-per-m", "N_S_PER_M", float_from_zero, "of the port, instead of [port]"),
        ("--port-mass-kg", "KG", positive_float, "of a port that floats, instead of [port]"),
        ("--delay-ms", "MS", positive_float, "interface delay, as `zerog status --json` tells it"),
        ("--speed-mm-s", "MM_S", positive_float, "of approach; else the initial velocity's, or 20"),
        ("--force-stop-n", "N", positive_float, "real force at which a run stops, instead of [force]"),
        ("--position-noise-um", "UM", positive_float, "deviation of a measured position, instead of [force]"),
        ("--skew-ms", "MS", float_from_zero, "between a wrench and the joints of its packet"),
    )
    for name, metavar, kind, text in options:
        sub.add_argument(name, type=kind, metavar=metavar, help=text)
    text = "draw the map, PNG, SVG or PDF"
    add_output(sub, sub, "-o", "--output", kind=Kind.PICTURE, metavar="MAP.png", text=text)
    add_output(sub, sub, "--json", metavar="OUT.json", text="write the figures, SI")


def contact_map(options: argparse.Namespace) -> int:
    """Print the rule, and draw and write what was asked for."""
    from hil.analysis.contact_setting import contact_setting
    from hil.commands.contact_lines import acts_here
    from hil.configuration import load_configuration
    from hil.force.map.rule import advise
    from hil.force.map.words import contact_in_words, divergence, excess, forces_in_words, schemes_in_words

    c = load_configuration(options.configuration, options.set)
    setting = contact_setting(c, _given(options))
    contact, loop, touch = setting.contact, setting.loop, setting.touch
    advice = advise(contact, loop, touch)
    lines = [
        contact_in_words(contact, loop, advice, setting.source),
        *schemes_in_words(advice, touch),
        *forces_in_words(contact, advice, touch),
        acts_here(c),
    ]
    print("\n".join(lines))
    for scheme in ("none", "lead"):
        if text := divergence(scheme, contact, loop, advice):
            print(f"would be refused: {text}")
    if text := excess(advice, touch, contact):
        print(f"warning: {text}")
    if options.json is not None:
        write_output(options.json, json.dumps(_figures(setting, advice), indent=2) + "\n")
    if options.output is not None:
        from hil.analysis.contact_picture import draw_contact_map

        title = f"Real contact in the loop: {options.configuration.stem}"
        draw_contact_map(contact, loop, touch, advice, title, lines, options.output)
        print(f"picture: {options.output}")
    return 0


def _given(options: argparse.Namespace) -> "Given":
    """Return the numbers of the command line, in SI."""
    from hil.analysis.contact_setting import Given

    def scaled(value: float | None, factor: float) -> float | None:
        return None if value is None else factor * value

    return Given(
        stiffness=options.stiffness_n_per_m,
        damping=options.damping_n_s_per_m,
        port_mass=options.port_mass_kg,
        interface=scaled(options.delay_ms, 1e-3),
        speed=scaled(options.speed_mm_s, 1e-3),
        force_stop=options.force_stop_n,
        position_noise=scaled(options.position_noise_um, 1e-6),
        skew=scaled(options.skew_ms, 1e-3),
    )


def _figures(setting: "Setting", advice: "Advice") -> dict[str, Any]:
    """Return all figures; what is not finite is null, as JSON has no word for it."""
    contact, loop = setting.contact, setting.loop
    told = {
        "contact": asdict(contact)
        | {"rate": contact.rate, "ratio": contact.ratio, "mass_together": contact.reduced_mass},
        "loop": asdict(loop) | {"interface": loop.interface, "total": loop.total, "source": setting.source},
        "touch": asdict(setting.touch),
        "advice": asdict(advice) | {"needs_device": advice.needs_device},
    }
    return {part: {key: _finite(value) for key, value in values.items()} for part, values in told.items()}


def _finite(value: Any) -> Any:
    return None if isinstance(value, float) and not math.isfinite(value) else value
