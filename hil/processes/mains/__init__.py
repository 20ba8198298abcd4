"""One main a process: wires a core to its sockets."""
