"""A base that carries the arm: its path, what is seen from it, what the arm corrects of it.

And the observer before whom two arms share a relative motion: his path, what he sees, who does which part.

May import: hil/common, hil/configuration.
May be imported by: hil/loop.
"""
