"""What a force sensor's keys must be to each other and to the rest of a configuration."""

import ipaddress
import json

import numpy as np

from hil.configuration.schema import Configuration

FEWEST = 3  # periods of the sensor, and cycles of the robot, within the time that makes it stale


def has_own_sensor(c: Configuration) -> bool:
    """Return whether the wrench comes from a sensor of its own, not from the robot."""
    return c.sensor.kind != "robot"


def sensor_in_words(c: Configuration) -> str:
    """Return in a line where the wrench comes from and when its sensor stops the arm; empty without one."""
    s = c.sensor
    if s.kind == "robot":
        return ""
    place = s.settings if s.kind == "bota" else f"{s.address} port {s.port}"
    return (
        f"force sensor: {s.kind}, {place}, {s.rate:g} records a second; it brakes after "
        f"{1e3 * s.stale:g} ms without a measurement, from {s.overload_force:g} N, {s.overload_torque:g} N m "
        "on, and at any error that it tells of"
    )


def reading_stamp(c: Configuration) -> bytes:
    """Return what says how an own sensor is read, for a fingerprint; nothing for the robot's estimate."""
    s = c.sensor
    if s.kind == "robot":
        return b""
    placed = np.round(np.concatenate((s.position, s.rotvec, [s.force_counts, s.torque_counts])), 9)
    return placed.tobytes() + json.dumps([s.kind, s.address, s.sign]).encode()


def sensor_faults(c: Configuration) -> list[str]:
    """Return why a force sensor's keys cannot hold together, a sentence each."""
    s = c.sensor
    if s.kind == "robot":
        return []
    faults = _kind_faults(c)
    slowest = max(1.0 / s.rate, c.fri.sample_time)
    if s.stale < FEWEST * slowest:
        faults.append(
            f"sensor.stale_ms = {1e3 * s.stale:g} must be at least {1e3 * FEWEST * slowest:.3g}: "
            f"{FEWEST} periods of the sensor and of the robot"
        )
    return faults


def _kind_faults(c: Configuration) -> list[str]:
    kind, robot = c.sensor.kind, c.robot.kind
    if kind == "bota":
        return _bota_faults(c)
    if kind == "netft" and robot == "emulated":
        return [
            "sensor.kind = 'netft' is refused with robot.kind = 'emulated': no real sensor hangs at an "
            "emulated arm; write 'emulated'"
        ]
    if kind == "emulated" and robot == "fri":
        return [
            "sensor.kind = 'emulated' is refused with robot.kind = 'fri': nothing would be felt; write "
            "'netft' (`zerog emulate` brings that sensor as well)"
        ]
    if kind == "emulated" and not ipaddress.IPv4Address(c.sensor.address).is_loopback:
        return [f"sensor.address = {c.sensor.address!r}: an emulated sensor is at 127.0.0.1"]
    return []


def _bota_faults(c: Configuration) -> list[str]:
    s = c.sensor
    if c.robot.kind == "emulated":
        return [
            "sensor.kind = 'bota' is refused with robot.kind = 'emulated': no real sensor hangs at an "
            "emulated arm; write 'emulated'"
        ]
    if s.settings is None:
        return ["sensor.settings is missing: a Bota sensor needs its driver's file of settings (JSON)"]
    if s.rate * c.fri.sample_time > 1.0 + 1e-9:
        return [
            f"sensor.rate_hz = {s.rate:g} must be at most {1.0 / c.fri.sample_time:g}, once a packet of the "
            "robot, with sensor.kind = 'bota': its driver hands out the newest measurement only, and those "
            "between would be lost"
        ]
    return []
