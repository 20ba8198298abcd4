"""Which flight a configuration asks for: alone, in a room, among pins, or with a virtual servicer."""

import os

from hil.configuration import Configuration
from hil.configuration.docking import Docking
from hil.state_directory import state_directory
from sim.bounce_flight import BounceFlight
from sim.contact_flight import ContactFlight, Surroundings
from sim.docking.scenario import DockingScenario
from sim.docking.watch import DockingWatch
from sim.flight import Flight
from sim.interface_room import interface_room


def flight_of(configuration: Configuration) -> Flight:
    """Return the flight of a configuration.

    Raises:
        SceneError: the scene is refused.
        InterfaceError: so are its pins and holes.
    """
    if configuration.docking is not None:
        return ContactFlight(configuration, _docking(configuration, configuration.docking))
    section = configuration.scene
    if section is not None and section.interfaces is not None:
        room = interface_room(section, configuration.object, configuration.simulation.step)
        return ContactFlight(configuration, room)
    if section is not None:
        return BounceFlight(configuration, section)
    return Flight(configuration)


def _docking(configuration: Configuration, docking: Docking) -> Surroundings:
    """Return the scene of a docking. The laboratory is no orbit: Hill's frame is left out.

    The state before a divergence is saved in the run's state directory.
    """
    here = configuration.model_copy(update={"docking": docking.model_copy(update={"orbit": None})})
    scenario = DockingScenario(here, state_directory(configuration.run.state_directory, os.environ))
    watch = DockingWatch(scenario)
    return Surroundings(scenario.scene, scenario.bodies.module, watch.place, watch.look)
