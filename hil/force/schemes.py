"""What is done about the loop's delay: the schemes by name.

None of them makes the others superfluous: they are there to be compared. `S` is the one to use.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Scheme:
    """What a scheme does.

    Attributes:
        led: the command runs ahead by the loop's delay.
        modelled: the measured force is carried to the simulated pose by the identified contact.
        reintegrated: the body flies anew from the onset with what was identified.
        phase_led: the force runs ahead by its own derivative.
        damped: a variable damping takes out the energy that the loop has created.
    """

    led: bool = False
    modelled: bool = False
    reintegrated: bool = False
    phase_led: bool = False
    damped: bool = False


SCHEMES = {
    "none": Scheme(),
    "lead": Scheme(led=True),
    "phase-lead": Scheme(phase_led=True),
    "model": Scheme(modelled=True),
    "S": Scheme(led=True, modelled=True, reintegrated=True),
    "passivity": Scheme(damped=True),
}
