"""What `zerog latency` measures: from a recording of a live loop to its report; no socket, no clock."""
