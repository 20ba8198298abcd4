"""Configuration: TOML files, typed, frozen and complete; SI inside, units in the keys outside."""

from hil.configuration.loading import load_configuration
from hil.configuration.schema import Configuration

__all__ = ["Configuration", "load_configuration"]
