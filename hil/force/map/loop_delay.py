"""The delay of the loop through which a contact force acts: dead time, the drives' lag, the held sample."""

from dataclasses import dataclass


@dataclass(frozen=True)
class LoopDelay:
    """What lies between a state of the simulated body and the force that it gives rise to.

    Attributes:
        cycle: of the loop [s], for which a sampled force is held.
        dead: time from where a state belongs to where the drives hear of it [s].
        lag: with which the drives follow a ramp [s], a part of what is identified as interface delay.
        damping: ratio of the drives' second-order lag `wd^2 / (s^2 + 2 zd wd s + wd^2)`, `wd = 2 zd / lag`.
    """

    cycle: float
    dead: float
    lag: float = 0.0
    damping: float = 0.8

    @property
    def interface(self) -> float:
        """What the driver identifies from commands and measured joints (docs/theory.md, (27)) [s]."""
        return self.dead + self.lag

    @property
    def total(self) -> float:
        """All that a force is late by, `T = dead + lag + cycle / 2` [s]: it is held for a cycle."""
        return self.interface + 0.5 * self.cycle

    @property
    def drive_rate(self) -> float:
        """Natural frequency of the drives `wd` [rad/s]."""
        return 2.0 * self.damping / self.lag

    def drive(self, s: complex) -> complex:
        """Return the drives' answer `G(s)`."""
        if self.lag == 0.0:
            return 1.0
        wd = self.drive_rate
        return wd * wd / (s * s + 2.0 * self.damping * wd * s + wd * wd)

    def of_interface(self, interface: float) -> "LoopDelay":
        """Return the same loop with another interface delay [s]; what is shorter than the lag shortens it."""
        lag = min(self.lag, interface)
        return LoopDelay(self.cycle, interface - lag, lag, self.damping)

    def coarsened(self, cycles: int) -> "LoopDelay":
        """Return a loop of the same delays whose total has at most so many cycles: quicker to look at."""
        cycle = max(self.cycle, self.total / cycles)
        dead = max(self.dead - 0.5 * (cycle - self.cycle), 0.0)
        return LoopDelay(cycle, dead, self.total - dead - 0.5 * cycle, self.damping)
