"""Which flight a configuration asks for.

Alone, with bodies inside, damped, in a room, among pins, with a virtual servicer.
"""

import os

from hil.common.errors import ConfigurationError
from hil.common.state_directory import state_directory
from hil.configuration import Configuration
from hil.configuration.docking import Docking
from sim.docking.scenario import DockingScenario
from sim.docking.watch import DockingWatch
from sim.world.flight.bouncing import BounceFlight
from sim.world.flight.contact import ContactFlight, Surroundings
from sim.world.flight.damped import DampedFlight
from sim.world.flight.free import Flight
from sim.world.flight.interface_room import interface_room

LONGEST = 0.005  # [s] step of predictions among pins


def flight_of(configuration: Configuration) -> Flight:
    """Return the flight of a configuration.

    Raises:
        SceneError: the scene is refused.
        InterfaceError: so are its pins and holes.
        ConfigurationError: so are bodies inside.
    """
    if configuration.object.inside is not None:
        from sim.world.flight.inside_setting import inside_flight  # most runs never need it

        return inside_flight(configuration)
    section = configuration.scene
    if configuration.docking is not None:
        return ContactFlight(configuration, _docking(configuration, configuration.docking))
    if section is not None and section.interfaces is not None:
        step, longer = configuration.simulation.step, _longer_steps(configuration)[0]
        return ContactFlight(configuration, interface_room(section, configuration.object, step, longer))
    if section is not None:
        return BounceFlight(configuration, section)
    if configuration.admittance is not None:
        return DampedFlight(configuration, configuration.admittance)
    return Flight(configuration)


def _docking(configuration: Configuration, docking: Docking) -> Surroundings:
    """Return the scene of a docking. The laboratory is no orbit: Hill's frame is left out.

    The state before a divergence is saved in the run's state directory.
    """
    here = configuration.model_copy(update={"docking": docking.model_copy(update={"orbit": None})})
    scenario = _scenario(here, configuration.simulation.step)
    watch = DockingWatch(scenario)
    foresight = _foresight(here)
    return Surroundings(scenario.scene, foresight.scene, scenario.bodies.module, watch.place, watch.look)


def _foresight(configuration: Configuration) -> DockingScenario:
    """Return the docking in the longest steps in which its impedance is stable, and its parts are.

    In longer steps the friction of seals and latches fades at a speed that is as much higher.
    """
    *longer, step = _longer_steps(configuration)
    for each in longer:
        try:
            return _scenario(configuration, each)
        except ConfigurationError:
            continue
    return _scenario(configuration, step)


def _longer_steps(configuration: Configuration) -> list[float]:
    """Return steps that predictions may take [s], longest first, the grid's own at the end."""
    simulation = configuration.simulation
    nodes = round(simulation.prediction_step / simulation.step)
    most = max(1, round(LONGEST / simulation.step))
    return [k * simulation.step for k in range(most, 0, -1) if nodes % k == 0]


def _scenario(configuration: Configuration, step: float) -> DockingScenario:
    simulation = configuration.simulation.model_copy(update={"step": step})
    folder = state_directory(configuration.run.state_directory, os.environ).path
    longer = step / configuration.simulation.step
    return DockingScenario(configuration.model_copy(update={"simulation": simulation}), folder, longer)
