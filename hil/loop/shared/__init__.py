"""Two arms that share the relative motion of two bodies before one moving observer, in lock-step."""
