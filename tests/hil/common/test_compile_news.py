"""Who waits for a first run hears of every kernel that is compiled, and of none that is there already."""

from numba import njit

from hil.common.compile_news import compiling_told


def test_what_is_compiled_is_told_and_nothing_else() -> None:
    """Once each, by its full name; not numba's own, not what others have, not after the end."""

    def ours(x: float) -> float:
        return x + 1.0

    def theirs(x: float) -> float:
        return x + 2.0

    ours.__module__, theirs.__module__ = "sim.toy", "numpy.toy"
    first, second, told = njit(ours), njit(theirs), list[str]()
    with compiling_told(told.append):
        assert (first(1.0), second(1.0), first(2.0)) == (2.0, 3.0, 3.0)
    first(1)
    assert told == [f"sim.toy.{ours.__qualname__}"]
