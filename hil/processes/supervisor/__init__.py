"""The daemon: starts and watches the processes, keeps the state machine, answers operators."""
