"""The stability map of real contact: what a loop with a delay makes of a mock-up at a port."""
