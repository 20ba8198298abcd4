"""A sensor's status word, in words.

Bits of the Net F/T: its user's manual (9610-05-1022), "System status code"; those of the Axia that differ:
its Ethernet manual (9610-05-Ethernet Axia), "Status code".
"""

from hil.configuration.schema import Sensor

WELL = 0
MONITOR = 0x8001_0000  # a threshold that the user has set on the device was crossed: nothing is broken
SUMMARY_BIT = 31  # set whenever any other is
NET = {
    30: "processor or memory error",
    29: "digital board error",
    28: "analog board error",
    27: "serial link error",
    26: "program memory does not verify",
    25: "halted by configuration errors",
    24: "settings do not validate",
    23: "configuration does not suit the calibration",
    22: "network failure",
    21: "CAN failure",
    20: "RDT failure",
    19: "EtherNet/IP failure",
    18: "DeviceNet failure",
    17: "transducer saturated, or converter error",
    16: "a monitor condition has latched",
    14: "watchdog",
    13: "stack check",
    12: "EEPROM failure",
    11: "flash failure",
    10: "analog board's watchdog",
    9: "too much excitation current",
    8: "too little excitation current",
    7: "analog ground out of range",
    6: "analog supply too high",
    5: "analog supply too low",
    4: "no data on the serial link",
    3: "reference voltage out of range",
    2: "internal temperature out of range",
    1: "HTTP failure",
}
AXIA = {
    30: "force or torque out of range",
    29: "calibration checksum error",
    28: "a simulated error",
    27: "a gage out of range",
    16: "a monitor condition has latched",
    5: "hardware or stack error",
    3: "busy",
    2: "a gage is broken",
    1: "supply voltage out of range",
    0: "temperature out of range",
}
BOTA = {  # no word of the sensor's: what its driver says of a frame (`drivers.sensor.bota`)
    30: "the measurement is invalid",
    29: "force or torque out of range",
    28: "raw values, not those of the calibration",
}
BITS = {"net": NET, "axia": AXIA, "bota": BOTA}


def family_of(sensor: Sensor) -> str:
    """Return whose bits a sensor's status word has."""
    return "bota" if sensor.kind == "bota" else sensor.family


def is_serious(status: int) -> bool:
    """Return whether a sensor with this status word must not be believed."""
    return status not in (WELL, MONITOR)


def status_in_words(status: int, family: str) -> str:
    """Return what a status word says, the highest bit first; empty if all is well.

    Args:
        status: 32 bits.
        family: 'net', 'axia' or 'bota', whose bits mean different things.
    """
    known = BITS[family]
    set_bits = [bit for bit in range(SUMMARY_BIT - 1, -1, -1) if status >> bit & 1]
    said = ", ".join(known.get(bit, f"bit {bit}") for bit in set_bits)
    if said or not status:
        return said
    return "an error that it does not name"
