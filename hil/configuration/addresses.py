"""Addresses of the robot's interface: numbers of IPv4, as packets carry them."""

import ipaddress
from typing import Annotated

from pydantic import AfterValidator

REMEDY = "write four numbers without leading zeros, as 192.168.0.20"


def numeric_address(text: str) -> str:
    """Return the address that `text` is.

    Raises:
        ValueError: a name, an address with leading zeros (which some programs read as octal), one of IPv6.
    """
    try:
        address = ipaddress.ip_address(text)
    except ValueError:
        if "%" not in text and ":" not in text and any(letter.isalpha() for letter in text):
            raise ValueError(
                f"is a name; packets carry numbers: write what `getent ahostsv4 {text}` says"
            ) from None
        raise ValueError(f"is no address: {REMEDY}") from None
    if address.version != 4:
        raise ValueError(f"is an address of IPv6; the interface is UDP over IPv4: {REMEDY}")
    return str(address)


def controller_address(text: str) -> str:
    """Return the address of one controller.

    Raises:
        ValueError: it is none of a single machine.
    """
    address = ipaddress.IPv4Address(numeric_address(text))
    if address.is_unspecified or address.is_multicast or int(address) == 0xFFFFFFFF:
        raise ValueError(f"is the address of no single machine: {REMEDY}")
    return str(address)


def other_controller(text: str) -> str:
    """Return the address of another controller, empty where it is the first one's.

    Raises:
        ValueError: it is none of a single machine.
    """
    return controller_address(text) if text else ""


def own_address(text: str) -> str:
    """Return an address that packets can be sent to: one of this machine, or 0.0.0.0 for all that it has.

    Raises:
        ValueError: it is none.
    """
    address = ipaddress.IPv4Address(numeric_address(text))
    if address.is_multicast or int(address) == 0xFFFFFFFF:
        raise ValueError(f"is the address of no single machine: {REMEDY}, or 0.0.0.0 for all of this machine")
    return str(address)


Address = Annotated[str, AfterValidator(own_address)]
Controller = Annotated[str, AfterValidator(controller_address)]
OtherController = Annotated[str, AfterValidator(other_controller)]
