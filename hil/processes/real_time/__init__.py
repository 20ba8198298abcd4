"""Real time: what is asked of the system, what is got and what is refused; idle states and waking up."""
