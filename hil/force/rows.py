"""What a contact loop remembers: constants, state, and a ring with a row for every cycle; flat records.

Row `n` of the ring holds what was measured at the beginning of cycle `n`, the body at that instant, and what
acts on it until the next one. All wrenches are about the centre of mass, force before torque, in world axes.
"""

from typing import Any

import numpy as np

Record = Any  # of the types below: fields are read by name, in compiled code as well
Records = Any  # an array of them: bare records cost 14 us a call to unpack

FREE, HELD, LINE = 0, 1, 2  # what acts on the body in a cell: nothing, a held wrench, the contact's law
TALLY = 12  # numbers of what a contact has come to (hil.force.tally)

CONSTANTS = np.dtype(
    [
        ("step", "f8"),
        ("mass", "f8"),
        ("inertia", "f8", (3, 3)),
        ("inverse_inertia", "f8", (3, 3)),
        ("lead", "f8"),  # [s] 0 where the scheme has none
        ("phase_lead", "f8"),  # [s] of the force
        ("gate", "f8"),
        ("twist_arm", "f8"),  # [m] by which a torque counts as a force; 0: torques open nothing
        ("remembers", "i8"),
        ("force_noise", "f8"),
        ("position_noise", "f8"),
        ("target_stiffness", "f8"),  # of the contact that is to be felt; 0: the real one (hil.force.hybrid)
        ("target_ratio", "f8"),  # its damping ratio; below 0: the real damper alone
        ("skew", "f8"),
        ("arm_compliance", "f8"),  # [m/N]
        ("observer_gain", "f8"),
        ("bias_gain", "f8"),
        ("bias_delay", "i8"),  # cycles
        ("window", "i8"),  # cycles
        ("dead_cells", "i8"),  # whole cycles of the drive's dead time
        ("earlier", "f8", (3, 4)),  # the drive over what is left of it ...
        ("later", "f8", (3, 4)),  # ... and over the rest of the cycle
        ("noise", "f8", (2, 2)),  # covariance of compression and rate [m, m/s]
        ("modelled", "i8"),
        ("reintegrated", "i8"),
        ("phase_led", "i8"),
        ("damped", "i8"),
        ("energy_cap", "i8"),
        ("passive", "i8"),
        ("find_port_mass", "i8"),
        ("port_speed", "f8"),  # [m/s] that it may have before the touch; 0: it stands
        ("latched", "i8"),
        ("detect_latch", "i8"),
        ("map_bias", "i8"),
    ]
)

ROW = np.dtype(
    [
        # measured
        ("p", "f8", (3,)),  # the arm's pose and twist at the wrench's instant
        ("q", "f8", (4,)),
        ("twist", "f8", (6,)),
        ("command", "f8", (6,)),  # twist that was commanded in this cycle
        ("raw", "f8", (6,)),
        ("wrench", "f8", (6,)),  # less the bias
        ("usable", "i8"),
        # along the line of force
        ("on", "i8"),  # the measured force counts
        ("line", "f8", (6,)),  # wrench of a unit force
        ("force", "f8"),  # [N] along it
        ("c", "f8"),  # [m] how far the arm has gone against it since the touch
        ("rate", "f8"),  # [m/s]
        ("inverse_mass", "f8"),  # [1/kg] of the body along it
        ("first", "f8"),  # [N s] integral of the force since the onset
        ("second", "f8"),  # [N s2] its integral
        ("since", "f8"),  # [s] since the onset
        # what acts on the body
        ("law", "i8"),
        ("carried", "f8"),  # [N] of the force what is carried from the arm to the body
        ("left", "f8"),  # [N] smoothed, what the law leaves of the force
        ("held", "f8", (6,)),  # wrench of the law HELD
        ("k", "f8"),  # of the law LINE
        ("d", "f8"),
        ("zero", "f8"),  # [m] the c of the touch
        ("mobility", "f8"),  # [1/kg] one over the port's mass
        ("drift", "f8"),  # [m/s] of the port before the touch, away from the mock-up
        ("pulls", "i8"),
        ("over", "i8"),  # whether the arm is beyond where the law holds: it acts without what was felt
        ("sticks", "i8"),
        ("point", "f8", (3,)),  # [m] that is held, object axes
        ("known", "f8", (6,)),  # wrench that is known, held over the cell
        ("other", "f8", (6,)),  # impulse at the beginning of the cell
        ("impulse", "f8", (6,)),  # what the contact gave in this cell
        # the body at the beginning of the cell
        ("body_p", "f8", (3,)),
        ("body_q", "f8", (4,)),
        ("body_v", "f8", (3,)),
        ("body_L", "f8", (3,)),
        ("tally", "f8", (TALLY,)),
    ]
)

MEMORIES, MEMORY = 4, 13  # contacts that are remembered, and numbers of each (hil.force.memory)
SUMS, TIME = 7, 6  # compression, rate, one, both integrals of the force, force, time since the onset

STATE = np.dtype(
    [
        ("n", "i8"),  # the next cycle
        ("revise", "i8"),  # the first cell that must be flown anew
        # observer
        ("seen", "i8"),  # whether it has seen a pose yet
        ("x", "f8", (3,)),
        ("q", "f8", (4,)),
        ("v", "f8", (6,)),
        ("a", "f8", (6,)),
        # bias
        ("bias", "f8", (6,)),
        ("bias_read", "f8", (6,)),  # low-pass of what was read; the bias follows it
        ("bias_count", "i8"),
        ("bias_at", "f8", (3,)),  # where it was frozen
        ("bias_turned", "f8", (4,)),  # and how it was turned
        ("bias_frozen", "i8"),  # and when [cycles]
        ("map", "f8", (4, 6)),  # wrench over one and position
        ("map_P", "f8", (4, 4)),  # covariance of a column of it
        ("map_origin", "f8", (3,)),
        # contact
        ("open", "i8"),
        ("free_since", "i8"),  # the cycle in which the contact before ended
        ("above", "i8"),
        ("quiet", "i8"),
        ("start", "i8"),  # the cycle from which it is re-integrated
        ("onset", "i8"),  # where it began
        ("touch_line", "f8", (3,)),  # direction of the force at the onset
        ("lined", "i8"),  # whether the line of force is known
        ("known", "i8"),  # whether k is
        ("plain", "i8"),  # whether no one spring explains what is felt
        ("pulls", "i8"),
        ("k", "f8"),
        ("d", "f8"),
        ("zero", "f8"),
        ("mobility", "f8"),
        ("drift", "f8"),
        ("k_sd", "f8"),
        ("d_sd", "f8"),
        ("sums", "f8", (SUMS, SUMS)),
        ("near", "f8", (SUMS, SUMS)),  # of samples where the body is
        ("timeless", "f8", (SUMS, SUMS)),  # of a port that drifts
        ("weight", "f8"),  # samples in them
        ("most", "f8"),  # [N] greatest force
        ("most_c", "f8"),
        ("misfit", "f8"),  # [N] rms of what the fit leaves
        ("most_second", "f8"),
        ("touch_rate", "f8"),  # [m/s]
        ("onset_energy", "f8"),
        ("onset_twist", "f8", (6,)),
        ("port_work", "f8"),  # [J] what the port was seen to do on the arm
        ("drift_work", "f8"),  # [J] what of it a port gives that drifts steadily
        ("doubt", "f8"),  # [J] by which that may err at most, being sampled
        ("behind", "f8"),  # [J] what a drive may have given the body before the arm could follow, at most
        ("driven", "i8"),  # whether what touches has a drive of its own, as a hand has
        ("arm_work", "f8"),  # [J] of this cycle
        ("created", "f8"),  # [J] what variable damping must still take out
        ("slope", "f8", (6,)),  # of the wrench, smoothed
        ("sticks", "i8"),  # whether it holds a point in all directions
        ("point", "f8", (3,)),  # [m] which one, object axes
        ("point_sums", "f8", (3, 3)),
        ("point_right", "f8", (3,)),
        ("twisted", "i8"),  # whether the line is that of a torque
        ("memories", "f8", (MEMORIES, MEMORY)),
        ("candidate", "f8", (MEMORY,)),  # to be remembered
        ("memory_turn", "i8"),  # the next to be overwritten
        ("foreseen", "i8"),  # which one the lead sees, -1 for none
        # answer
        ("revision", "i8"),
        ("ended", "i8"),
        ("restitution", "f8"),
        ("penetration", "f8"),
        ("energy", "f8"),  # [J] gained since the onset beyond what others did
        ("residual_energy", "f8"),  # [J] what the part of the force created that the law does not explain
        ("capped", "i8"),
        ("led_p", "f8", (3,)),
        ("led_q", "f8", (4,)),
        ("led_twist", "f8", (6,)),
        ("led_acceleration", "f8", (6,)),
        ("next_p", "f8", (3,)),
        ("next_q", "f8", (4,)),
        ("next_twist", "f8", (6,)),
    ]
)
