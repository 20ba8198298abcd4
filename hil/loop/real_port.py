"""What a configuration puts in the emulated arm's way: a port's face, a plate with holes, or a second arm.

Shapes of pins and holes are the simulation's, and what they exert is the emulation's: they meet here.
"""

from drivers.emulation.port.emulated_port import EmulatedPort
from drivers.emulation.port.geometry import plate_pose
from drivers.emulation.port.holed_port import AnyPort, HoledPort
from hil.common.arrays import Array
from hil.configuration.frames import Frames
from hil.configuration.schema import Configuration


def port_of(configuration: Configuration, frames: Frames, T_world_object: Array) -> AnyPort:
    """Return the port or second arm of a configuration, untouched by the object at its pose (4, 4).

    Raises:
        ConfigurationError: it begins in the mock-up's place, or has seals or several interfaces.
        InterfaceError: its file of pins and holes breaks a rule.
        SceneError: its pins do not fit into the holes.
    """
    if configuration.grasp is not None:
        from drivers.emulation.grasp.partner_arm import PartnerArm  # a run without one loads nothing of it
        from hil.configuration.grasp_plan import load_plan

        assert configuration.partner is not None
        return PartnerArm(configuration, T_world_object, load_plan(configuration.partner.plan).start)
    port = configuration.port
    assert port is not None
    if port.interfaces is None:
        return EmulatedPort(configuration, frames, T_world_object)
    from hil.loop.pin_pattern import Pattern, interface_of  # the physics engine comes with it
    from sim.docking.mating import mated

    interface = interface_of(port)
    mating = mated(interface)
    seat = mating.full_depth - mating.radius
    return HoledPort(port, Pattern(interface, plate_pose(port)), seat, T_world_object, configuration.run.seed)
