"""`make bench`: all benchmarks one after the other, or those named.

python -m bench [NAME …] [--quick]
"""

import argparse
import subprocess
import sys

# name, module, arguments of a short run
BENCHES = {
    "kinematics": ("bench.planner_kinematics", []),
    "plan": ("bench.planner_speed", []),
    "inverse_lagrange": ("bench.inverse_lagrange", []),
    "inverse_passive": ("bench.inverse_passive", []),
    "inverse_peers": ("bench.inverse_peers", ["--targets", "40"]),
    "certificate": ("bench.certificate", ["--seconds", "5", "--rounds", "1"]),
    "survival": ("bench.planner_survival", []),
    "sim": ("bench.sim_speed", []),
    "restitution": ("bench.sim_restitution", ["--trials", "20"]),
    "stamps": ("bench.stamps", ["--seconds", "10"]),
    "theory": (
        "bench.theory_figures",
        ["forces", "delayed_contact", "witness", "half_sine", "impulse_bound"],
    ),
    "contact_manifold": ("bench.contact_manifold", ["--poses", "150"]),
    "contact_handling": (
        "bench.contact_handling",
        ["balance", "friction", "momentum", "speed", "prediction"],
    ),
    "exported_models": ("bench.exported_models", ["--arms", "lwr4,puma560", "--seconds", "0.1"]),
    "contact_loop": ("bench.contact_loop", ["--quick"]),
    "beyond": ("bench.beyond", ["--quick", "--only", "A2", "A3", "C1", "C3"]),
    "contact_map": ("bench.contact_map", ["--quick"]),
    "complementarity": ("bench.complementarity", ["--quick"]),
    "hard_and_soft": ("bench.hard_and_soft", []),
    "docking": ("bench.docking", ["--quick"]),
    "docking_loop": ("bench.docking_loop", ["--seconds", "3"]),
    "drives": ("bench.drives", ["--quick"]),
    "drive_real_time": ("bench.drive_real_time", ["--seconds", "5", "--arms", "lwr4"]),
    "validation_fit": ("bench.validation_fit", ["--seeds", "1"]),
    "detector": ("bench.detector_pushes", ["--seeds", "1"]),
    "impulse_estimators": ("bench.impulse_estimators", ["--seeds", "1", "--count", "60"]),
    "peer_gains": ("bench.peer_gains", ["--seeds", "101", "--seconds", "12", "--rounds", "3"]),
    "impulse_verdict": ("bench.impulse_verdict", ["--runs", "1", "--seconds", "80"]),
    "load_calibration": ("bench.load_calibration", ["--seeds", "2", "--sensor-seeds", "1", "--seconds", "0"]),
    "fidelity": ("bench.fidelity", ["--scale", "0.1"]),
    "wake_up": ("bench.wake_up", ["--duration", "2"]),
    "bus": ("bench.bus_round_trip", ["--count", "300"]),
    "link_values": ("bench.link_values", []),
    "live_base": ("bench.live_base", ["--minutes", "0.5"]),
    "live_inside": ("bench.live_inside", ["--minutes", "0.5", "--only", "modes"]),
    "live_contact": ("bench.live_contact", ["--minutes", "0.7"]),
    "live": ("bench.live", ["--duration", "20"]),
    "busy_laptop": ("bench.busy_laptop", ["--runs", "1", "--seconds", "20"]),
    "dashboard": ("bench.dashboard", ["--seconds", "5", "--pairs", "1", "--pair-seconds", "5"]),
    "show": ("bench.show", ["--minutes", "3"]),
    "workbench": ("bench.workbench", ["--pages", "2"]),
    "mating": ("bench.mating_speed", ["--runs", "20"]),
    "mating_figures": ("bench.mating_figures", []),
    "report": ("bench.report_speed", ["--minutes", "0.5"]),
    "design": ("bench.design_speed", ["--candidates", "400"]),
    "recording": ("bench.recording", ["--pairs", "1", "--seconds", "5", "--minutes", "0.5"]),
}


def main() -> int:
    """Run the benchmarks and return 1 if one of them failed."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(BENCHES))
    parser.add_argument("--quick", action="store_true", help="short runs")
    options = parser.parse_args()
    unknown = set(options.names) - set(BENCHES)
    if unknown:
        parser.error(f"unknown: {', '.join(sorted(unknown))}; known: {', '.join(BENCHES)}")
    failed = []
    for name in options.names or BENCHES:
        module, short = BENCHES[name]
        print(f"\n== {name}", flush=True)
        arguments = short if options.quick else []
        if subprocess.run([sys.executable, "-m", module, *arguments]).returncode != 0:
            failed.append(name)
    if failed:
        print(f"failed: {', '.join(failed)}", file=sys.stderr)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
