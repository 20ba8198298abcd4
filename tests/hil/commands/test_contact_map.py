"""`zerog contact-map` and the four lines of `zerog check`: what they say, write, refuse."""

import json
from pathlib import Path

import pytest

from hil.analysis.contact_setting import APPROACH_SPEED, Given, contact_setting
from hil.analysis.diverging import must_diverge
from hil.commands import contact_lines
from hil.commands.cli import main
from hil.common.errors import ConfigurationError
from hil.configuration import load_configuration

ROOT = Path(__file__).resolve().parents[3]
PORT, CUBE = ROOT / "configs/port.toml", ROOT / "configs/cube.toml"


def test_says_and_writes_and_draws(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Text, figures and picture of the hard port; what is not finite is null in JSON."""
    out, picture = tmp_path / "map.json", tmp_path / "map.svg"
    arguments = ["contact-map", str(PORT), "--stiffness-n-per-m", "4e5", "--damping-n-s-per-m", "0"]
    assert main([*arguments, "--skew-ms", "5", "--json", str(out), "-o", str(picture)]) == 0
    told = capsys.readouterr().out
    assert "delay 13.0 ms" in told and "w T = 1.06" in told and "a device of 88.8 kN/m" in told
    assert "\nwould be refused: compensation 'none' diverges" in told
    assert "here force.mode is 'pushes', which is none of these" in told
    figures = json.loads(out.read_text(encoding="utf-8"))
    assert figures["loop"]["total"] == pytest.approx(0.013) and figures["contact"]["port_mass"] is None
    assert figures["advice"]["rate_delay"] == pytest.approx(1.061, abs=1e-3)
    assert figures["advice"]["slowest"] is None and figures["touch"]["skew"] == 0.005
    assert "<svg" in picture.read_text(encoding="utf-8")


def test_without_port_and_stiffness_it_says_what_is_missing(capsys: pytest.CaptureFixture[str]) -> None:
    """Status 2 and one line with both remedies; a delay that no interface has is refused too."""
    assert main(["contact-map", str(CUBE)]) == 2
    told = capsys.readouterr().err
    assert "write [port]" in told and "--stiffness-n-per-m" in told
    assert main(["contact-map", str(CUBE), "--stiffness-n-per-m", "1e4", "--delay-ms", "1500"]) == 2
    assert "at most 1000" in capsys.readouterr().err
    assert main(["contact-map", str(CUBE), "--stiffness-n-per-m", "1e8"]) == 2
    assert "--stiffness-n-per-m 1e+08 must be from 1 to 1e+07" in capsys.readouterr().err
    with pytest.raises(SystemExit):
        main(["contact-map", str(CUBE), "--stiffness-n-per-m", "-1"])
    with pytest.raises(SystemExit):
        main(["contact-map", str(PORT), "--damping-n-s-per-m", "nan"])


@pytest.mark.parametrize(
    ("settings", "given", "interface", "words"),
    [
        ([], Given(), 0.012, "[emulator]"),
        (["emulator.delay_ms=50"], Given(), 0.062, "[emulator]"),
        (["emulator.control=kinematic"], Given(), 0.002, "[emulator]"),
        (["emulator.lag_ms=20"], Given(interface=0.03), 0.03, "as given"),
    ],
)
def test_the_delay(settings: list[str], given: Given, interface: float, words: str) -> None:
    """A cycle, the emulated delay and the lag; or what is given; half a cycle on top."""
    setting = contact_setting(load_configuration(PORT, settings), given)
    assert setting.loop.interface == pytest.approx(interface)
    assert setting.loop.total == pytest.approx(interface + 0.001)
    assert words in setting.source


def test_an_arm_whose_delay_nobody_knows_says_so() -> None:
    """Under impedance control, without a given delay, the lead with which identification begins stands in."""
    c = load_configuration(CUBE, ["emulator.control=impedance", "interpolation.lead_time_ms=25"])
    setting = contact_setting(c, Given(stiffness=1e4))
    assert setting.loop.interface == pytest.approx(0.025) and "not identified" in setting.source


def test_force_stop_and_position_noise_are_those_of_the_run(capsys: pytest.CaptureFixture[str]) -> None:
    """Of [force], unless they are given; the speed from which the stop acts goes down with it."""
    settings = ["force.mode=contact", "force.stop_force_n=40", "force.noise_position_mm=0.02"]
    touch = contact_setting(load_configuration(PORT, settings)).touch
    assert (touch.force_stop, touch.position_noise) == (40.0, pytest.approx(2e-5))
    given = contact_setting(
        load_configuration(PORT, settings), Given(force_stop=90.0, position_noise=1e-6)
    ).touch
    assert (given.force_stop, given.position_noise) == (90.0, 1e-6)
    assert main(["check", str(PORT), *(word for s in settings for word in ("--set", s))]) == 0
    told = capsys.readouterr().out
    assert "the force stop of 40 N acts from 36.5 mm/s on" in told  # 40 N / sqrt(2e4 N/m 60 kg)
    assert "contact: here force.mode is 'contact', compensation 'S'" in told


def test_speed_mass_and_springs_of_a_port() -> None:
    """Approach from the initial velocity; feet off the centre, all feet, groove and compliance count."""
    assert contact_setting(
        load_configuration(PORT, ["object.initial_velocity_mm_s=[35,5,0]"])
    ).touch.speed == (pytest.approx(0.035))
    away = load_configuration(PORT, ["object.initial_velocity_mm_s=[-35,0,0]"])
    assert contact_setting(away).touch.speed == APPROACH_SPEED
    plain = contact_setting(load_configuration(PORT)).contact
    assert (plain.mass, plain.stiffness, plain.damping) == (pytest.approx(60.0), pytest.approx(2e4), 100.0)
    one = contact_setting(load_configuration(PORT, ["port.feet_mm=[[0,100,150]]"])).contact
    assert one.mass == pytest.approx(1.0 / (1.0 / 60.0 + 0.1**2 / 3.0), rel=1e-3)  # I = 3, lever 0.1 m
    two = contact_setting(load_configuration(PORT, ["port.feet_mm=[[0,10,150],[0,-10,150]]"])).contact
    assert two.stiffness == pytest.approx(4e4) and two.mass == pytest.approx(60.0) and two.damping == 200.0
    groove = contact_setting(load_configuration(PORT, ["port.groove_deg=30"])).contact
    assert groove.stiffness == pytest.approx(2e4 * 1.5)
    soft = contact_setting(load_configuration(PORT, ["port.device_stiffness_n_per_m=5e3"])).contact
    assert soft.stiffness == pytest.approx(4e3)
    hertz = contact_setting(load_configuration(PORT, ["port.exponent=1.5"]))
    assert hertz.touch.hardening == 1.25 and hertz.contact.stiffness == pytest.approx(1.735e4, rel=1e-3)
    late = contact_setting(
        load_configuration(PORT, ["emulator.wrench.lag_ms=1", "emulator.wrench.skew_ms=2"])
    )
    assert late.touch.skew == pytest.approx(0.003)
    free = contact_setting(load_configuration(PORT, ["port.mass_kg=30"]), Given(port_mass=20.0)).contact
    assert free.port_mass == 20.0 and free.reduced_mass == pytest.approx(15.0)


def test_check_tells_of_a_port_in_four_lines(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Delay, accuracy and force; a touch that the force stop ends is warned of, what diverges refused."""
    hard = load_configuration(PORT, ["port.stiffness_n_per_m=4e6"])
    soft = load_configuration(PORT)
    monkeypatch.setattr(contact_lines, "compensation", lambda _: "lead")
    assert contact_lines.told_of_port(hard, PORT) == 1
    told = capsys.readouterr()
    assert "above the force stop" in told.out and "compensation 'lead' diverges" in told.err
    assert contact_lines.told_of_port(soft, PORT) == 0 and capsys.readouterr().err == ""
    monkeypatch.setattr(contact_lines, "compensation", lambda _: "none")
    assert main(["check", str(PORT)]) == 1
    told = capsys.readouterr()
    assert sum(line.startswith("contact: ") for line in told.out.splitlines()) == 4
    assert "warning" not in told.out and "damping ratio 0.13 or more" in told.err


def test_run_and_simulate_refuse_what_must_diverge(capsys: pytest.CaptureFixture[str]) -> None:
    """In the words of `check`, before anything starts; of pushes or a sound scheme nothing is said."""
    raw = ["--set", 'force.mode="contact"', "--set", 'force.compensation="none"']
    for command in ("run", "simulate"):
        assert main([command, str(PORT), "--duration", "0.1", *raw]) == 2
        told = capsys.readouterr()
        assert "compensation 'none' diverges" in told.err and told.out == ""
    for settings in ([], ['force.mode="contact"']):
        assert must_diverge(load_configuration(PORT, settings), PORT) == ""
    assert must_diverge(load_configuration(CUBE), CUBE) == ""


def test_without_port_check_says_nothing_of_contact(capsys: pytest.CaptureFixture[str]) -> None:
    """A configuration of pushes alone is told as before."""
    assert contact_lines.told_of_port(load_configuration(CUBE), CUBE) == 0
    assert capsys.readouterr().out == ""
    with pytest.raises(ConfigurationError, match="no port"):
        contact_setting(load_configuration(CUBE))
