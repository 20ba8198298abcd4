"""Kernel, limits and clock: what the machine offers to a real-time loop.

`root` is where the file system begins, so that tests can give a machine of their own.
"""

import os
import platform
import resource
from pathlib import Path

from hil.commands.doctor.finding import OK, WARN, Finding, Look, read
from hil.processes.real_time.capabilities import CAP_IPC_LOCK, CAP_SYS_NICE, is_capable
from hil.processes.real_time.idle_states import DEVICE
from hil.processes.table import PROCESSES

WANTED_PRIORITY = max(process.real_time_priority for process in PROCESSES.values())
GOOD_CLOCKS = ("tsc", "kvm-clock", "arch_sys_counter", "hyperv_clocksource_tsc_page")
CAPABILITIES = {  # which stands above which limit
    "rtprio": ("CAP_SYS_NICE", CAP_SYS_NICE),
    "memlock": ("CAP_IPC_LOCK", CAP_IPC_LOCK),
    "nice": ("CAP_SYS_NICE", CAP_SYS_NICE),
}
LIMITS = "set it in the unit, or in /etc/security/limits.d (docs/use/realtime.md)"


def machine_looks(root: Path = Path("/")) -> list[tuple[str, Look]]:
    """Return all looks at the machine."""
    return [
        ("kernel", lambda: kernel(root, platform.version())),
        ("limits", lambda: limits(root)),
        ("rt throttling", lambda: throttling(root)),
        ("cpu governor", lambda: governor(root)),
        ("idle states", lambda: idle_states(root)),
        ("isolated cores", lambda: isolated(root)),
        ("clock source", lambda: clock_source(root)),
        ("machine", lambda: virtual(root)),
    ]


def kernel(root: Path, version: str) -> Finding:
    """Is it one with full preemption?"""
    text = f"Linux {platform.release()}"
    if "PREEMPT_RT" in version or read(root / "sys/kernel/realtime") == "1":
        return Finding("kernel", OK, f"{text}, PREEMPT_RT")
    return Finding(
        "kernel", WARN, f"{text}, not PREEMPT_RT", "outliers of milliseconds; install one for a real arm"
    )


def limits(root: Path) -> list[Finding]:
    """May this process have real time, locked memory and a negative nice value?"""
    soft = {
        "rtprio": resource.getrlimit(resource.RLIMIT_RTPRIO)[0],
        "memlock": resource.getrlimit(resource.RLIMIT_MEMLOCK)[0],
        "nice": resource.getrlimit(resource.RLIMIT_NICE)[0],
    }
    wanted = {"rtprio": WANTED_PRIORITY, "memlock": resource.RLIM_INFINITY, "nice": 40}
    found = []
    for name, limit in soft.items():
        unlimited = limit == resource.RLIM_INFINITY
        enough = unlimited or (wanted[name] != resource.RLIM_INFINITY and limit >= wanted[name])
        words = "unlimited" if unlimited else str(limit)
        capability, number = CAPABILITIES[name]
        if not enough and is_capable(number, root):
            found.append(Finding(f"limit {name}", OK, f"{words}, but with {capability} none counts"))
        else:
            need = "unlimited" if wanted[name] == resource.RLIM_INFINITY else f"at least {wanted[name]}"
            remedy = f"needs {need}, or {capability} (a container: --cap-add); {LIMITS}"
            found.append(Finding(f"limit {name}", OK if enough else WARN, words, remedy))
    return found


def throttling(root: Path) -> Finding:
    """Does the kernel keep a rest of every second for ordinary processes?"""
    runtime = read(root / "proc/sys/kernel/sched_rt_runtime_us")
    period = read(root / "proc/sys/kernel/sched_rt_period_us")
    name = "rt throttling"
    if not runtime or not period:
        return Finding(name, WARN, "unknown", "kernel.sched_rt_runtime_us cannot be read")
    if int(runtime) < 0:
        return Finding(
            name,
            WARN,
            "off",
            "a hanging real-time process locks the machine; sysctl kernel.sched_rt_runtime_us=950000",
        )
    share = int(runtime) / int(period)
    verdict = OK if share >= 0.9 else WARN
    return Finding(name, verdict, f"real-time processes get {share:.0%} of every {int(period) * 1e-6:g} s",
                   "sysctl kernel.sched_rt_runtime_us=950000")  # fmt: skip


def governor(root: Path) -> Finding:
    """Do the cores run at full speed all the time?"""
    files = (root / "sys/devices/system/cpu").glob("cpu[0-9]*/cpufreq/scaling_governor")
    found = sorted({read(file) for file in files})
    if not found:
        return Finding("cpu governor", OK, "none: the speed is not the system's to change")
    verdict = OK if found == ["performance"] else WARN
    return Finding("cpu governor", verdict, ", ".join(found), "cpupower frequency-set -g performance")


def idle_states(root: Path) -> Finding:
    """May a run keep the cores awake?"""
    driver = read(root / "sys/devices/system/cpu/cpuidle/current_driver")
    name = "idle states"
    if driver in ("", "none"):
        return Finding(name, OK, "none: no core sleeps by the system's will")
    device = root / DEVICE.relative_to("/")
    if os.access(device, os.W_OK):
        return Finding(name, OK, f"of {driver}; a run keeps the cores awake")
    return Finding(name, WARN, f"of {driver}; {DEVICE} cannot be written, cores that sleep wake late",
                   "install systemd/zerog.udev (docs/use/realtime.md)")  # fmt: skip


def isolated(root: Path) -> Finding:
    """Is a core kept free for the driver?"""
    cores = read(root / "sys/devices/system/cpu/isolated")
    if cores:
        return Finding("isolated cores", OK, f"{cores}; give one to the driver with realtime.driver.cpus")
    remedy = "isolcpus= on the kernel's command line keeps one for the driver (docs/use/realtime.md)"
    return Finding("isolated cores", WARN, f"none of {os.cpu_count()}", remedy)


def clock_source(root: Path) -> Finding:
    """Is reading the clock cheap?"""
    source = read(root / "sys/devices/system/clocksource/clocksource0/current_clocksource")
    verdict = OK if source in GOOD_CLOCKS else WARN
    return Finding(
        "clock source", verdict, source or "unknown", f"reading it is slow; wanted {GOOD_CLOCKS[0]}"
    )


def virtual(root: Path) -> Finding:
    """Is it a machine of its own?"""
    flags = next((line for line in read(root / "proc/cpuinfo").splitlines() if line.startswith("flags")), "")
    if "hypervisor" in flags.split() or read(root / "sys/hypervisor/type"):
        return Finding(
            "machine", WARN, "virtual", "its host can stop it at any time; use a real one for a real arm"
        )
    return Finding("machine", OK, "no sign of a virtual one")
