"""The emulated port: what it exerts on the mock-up that a stiff arm runs into it."""
