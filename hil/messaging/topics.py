"""The table of topics: message, publisher, rate, whether every message counts, whether it is logged.

Liveness, the recorder, tests and documents derive from it; a new topic is one line.
"""

from dataclasses import dataclass

from hil.messaging import (
    base_messages,
    drive_messages,
    grasp_messages,
    inside_messages,
    link_messages,
    messages,
    observer_messages,
    sensor_messages,
    timing_messages,
)
from hil.messaging.codec import Message


@dataclass(frozen=True)
class Topic:
    """One line of the table."""

    name: str
    message: type[Message]
    publisher: str
    rate_hz: float  # the least at which it comes while its publisher is well; 0: only on events
    queued: bool  # every message counts and queues; otherwise only the newest is kept
    logged: bool
    most_hz: float = 0.0  # the most at which a logged or queued one comes: so much room has a slow reader


TOPICS = {
    topic.name: topic
    for topic in (
        Topic("impulse", messages.ImpulseSlice, "driver", 0.0, queued=True, logged=True, most_hz=2000),
        Topic("witness", messages.Witness, "driver", 0.0, queued=True, logged=True, most_hz=1000),
        Topic("contact", messages.Contact, "driver", 0.0, queued=True, logged=True, most_hz=200),
        Topic(
            "drive_timing", timing_messages.DriveTiming, "driver", 0.0, queued=False, logged=True, most_hz=20
        ),
        Topic("robot_state", messages.RobotState, "driver", 50.0, queued=False, logged=True, most_hz=100),
        Topic("sim_state", messages.SimState, "sim", 100.0, queued=False, logged=True, most_hz=250),
        Topic("prediction", messages.Prediction, "sim", 10.0, queued=False, logged=False),
        Topic("plan", messages.Plan, "planner", 10.0, queued=False, logged=True, most_hz=250),
        Topic("mode", messages.Mode, "daemon", 20.0, queued=False, logged=True, most_hz=100),
        Topic("push", messages.Push, "daemon", 0.0, queued=True, logged=True, most_hz=100),
        Topic("disturbance", messages.Disturbance, "daemon", 0.0, queued=True, logged=True, most_hz=100),
        Topic("cycles", messages.CycleBlock, "driver", 5.0, queued=True, logged=True, most_hz=40),
        Topic("slice_times", messages.SliceTimes, "driver", 0.0, queued=True, logged=True, most_hz=1000),
        Topic("times_sim", messages.SimTimes, "sim", 0.0, queued=True, logged=True, most_hz=250),
        Topic("times_planner", messages.PlannerTimes, "planner", 0.0, queued=True, logged=True, most_hz=250),
        Topic("driver_inputs", messages.DriverInputs, "driver", 5.0, queued=True, logged=True, most_hz=20),
        Topic(
            "sensor_inputs", sensor_messages.SensorInputs, "driver", 0.0, queued=True, logged=True, most_hz=20
        ),
        Topic(
            "sensor_state", sensor_messages.SensorState, "driver", 0.0, queued=False, logged=True, most_hz=20
        ),
        Topic(
            "inside_state", inside_messages.InsideState, "sim", 0.0, queued=False, logged=True, most_hz=250
        ),
        Topic("inside_turn", inside_messages.InsideTurn, "sim", 0.0, queued=True, logged=True, most_hz=250),
        Topic(
            "inside_taken", inside_messages.InsideTaken, "driver", 0.0, queued=True, logged=True, most_hz=250
        ),
        Topic(
            "inside_joints",
            inside_messages.InsideJoints,
            "outside",
            0.0,
            queued=True,
            logged=False,
            most_hz=500,
        ),
        Topic("base_plan", base_messages.BasePlan, "planner", 0.0, queued=False, logged=False),
        Topic("base_command", base_messages.BaseCommand, "driver", 0.0, queued=False, logged=False),
        Topic("base_state", base_messages.BaseState, "vehicle", 0.0, queued=False, logged=False),
        Topic("base_truth", base_messages.BaseTruth, "vehicle", 0.0, queued=False, logged=False),
        Topic("base_report", base_messages.BaseReport, "driver", 0.0, queued=False, logged=True, most_hz=100),
        Topic("base_inputs", base_messages.BaseInputs, "driver", 0.0, queued=True, logged=True, most_hz=20),
        Topic("base_of_sim", base_messages.BaseSeen, "sim", 0.0, queued=True, logged=True, most_hz=250),
        Topic(
            "base_of_planner", base_messages.BaseSeen, "planner", 0.0, queued=True, logged=True, most_hz=250
        ),
        Topic("base_ride", base_messages.BaseRide, "emulator", 0.0, queued=True, logged=True, most_hz=20),
        Topic("partner_words", grasp_messages.PartnerWords, "outside", 0.0, queued=False, logged=False),
        Topic(
            "grasp_report", grasp_messages.GraspReport, "driver", 0.0, queued=False, logged=True, most_hz=500
        ),
        Topic(
            "grasp_inputs", grasp_messages.GraspInputs, "driver", 0.0, queued=True, logged=True, most_hz=20
        ),
        Topic(
            "second_inputs",
            grasp_messages.SecondInputs,
            "emulator",
            0.0,
            queued=True,
            logged=True,
            most_hz=20,
        ),
        Topic("observer_path", observer_messages.ObserverKnots, "planner", 0.0, queued=False, logged=False),
        Topic(
            "observer_taken",
            observer_messages.ObserverKnots,
            "planner",
            0.0,
            queued=True,
            logged=True,
            most_hz=250,
        ),
        Topic("sim_turns", messages.SimTurns, "sim", 5.0, queued=True, logged=True, most_hz=20),
        Topic("planner_turn", messages.PlannerTurn, "planner", 0.0, queued=True, logged=True, most_hz=250),
        Topic(
            "supervisor_turn", messages.SupervisorTurn, "daemon", 20.0, queued=True, logged=True, most_hz=100
        ),
        Topic(
            "emulator_inputs", messages.EmulatorInputs, "emulator", 5.0, queued=True, logged=True, most_hz=20
        ),
        Topic("truth", messages.TruthBlock, "emulator", 5.0, queued=True, logged=True, most_hz=20),
        Topic("port", messages.PortBlock, "emulator", 0.0, queued=True, logged=True, most_hz=20),
        Topic("wait", messages.Wait, "emulator", 0.0, queued=True, logged=True, most_hz=20),
        Topic("link", link_messages.LinkState, "bridge", 5.0, queued=False, logged=True, most_hz=20),
        Topic("drive_command", drive_messages.DriveCommand, "outside", 0.0, queued=False, logged=False),
        Topic("drive_state", drive_messages.DriveState, "drive", 0.0, queued=False, logged=False),
        Topic("alive_driver", messages.Heartbeat, "driver", 5.0, queued=False, logged=False),
        Topic("alive_sim", messages.Heartbeat, "sim", 5.0, queued=False, logged=False),
        Topic("alive_planner", messages.Heartbeat, "planner", 5.0, queued=False, logged=False),
        Topic("alive_emulator", messages.Heartbeat, "emulator", 5.0, queued=False, logged=False),
        Topic("alive_vehicle", messages.Heartbeat, "vehicle", 5.0, queued=False, logged=False),
        Topic("alive_bridge", messages.Heartbeat, "bridge", 5.0, queued=False, logged=False),
        Topic("alive_recorder", messages.Heartbeat, "recorder", 5.0, queued=False, logged=False),
        Topic("alive_dashboard", messages.Heartbeat, "dashboard", 5.0, queued=False, logged=False),
        Topic("alive_foxglove", messages.Heartbeat, "foxglove", 5.0, queued=False, logged=False),
    )
}


def heartbeat_topic(process: str) -> str:
    """Return the name of a process's heartbeat topic."""
    return f"alive_{process}"
