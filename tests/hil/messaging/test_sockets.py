"""What a default run listens on: nothing beyond this machine."""

from pathlib import Path

from bench.live_run import PATIENCE_S, LiveRun

LOCAL = {
    "0100007F",  # 127.0.0.1
    "00000000000000000000000001000000",  # ::1
    "0000000000000000FFFF00000100007F",  # ::ffff:127.0.0.1
}


def network_sockets(pid: int) -> set[tuple[str, str, int]]:
    """Protocol, local address (as the kernel prints it) and port of a process's TCP and UDP sockets."""
    inodes = set()
    for descriptor in Path(f"/proc/{pid}/fd").iterdir():
        try:
            target = str(descriptor.readlink())
        except FileNotFoundError:  # closed meanwhile
            continue
        if target.startswith("socket:["):
            inodes.add(target[8:-1])
    found = set()
    for protocol in ("tcp", "tcp6", "udp", "udp6"):
        table = Path(f"/proc/{pid}/net/{protocol}")
        for line in table.read_text(encoding="ascii").splitlines()[1:] if table.exists() else []:
            fields = line.split()
            if fields[9] in inodes:
                address, port = fields[1].split(":")
                found.add((protocol, address, int(port, 16)))
    return found


def test_nothing_binds_beyond_loopback(tmp_path: Path) -> None:
    """Of all processes of a run without `[network]`, only loopback UDP for the robot's interface is open."""
    run = LiveRun(tmp_path / "r")
    try:
        run.wait(lambda: "READY" in run.text, PATIENCE_S)
        pids = [run.popen.pid, *(run.pid(name) for name in ("emulator", "driver", "sim", "planner"))]
        found = set().union(*(network_sockets(pid) for pid in pids))
    finally:
        run.close()
    assert ("udp", "0100007F", run.port) in found, "the driver's own port is seen, so others would be"
    assert all(address in LOCAL for _, address, _ in found), found
    assert not [item for item in found if item[0].startswith("tcp")], found
