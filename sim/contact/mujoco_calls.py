"""MuJoCo's C functions, called from compiled code, and its memory seen as arrays.

numba resolves the names when a kernel is loaded from its cache, so this module must be imported first:
it loads the shared library of the installed package, the same that the Python bindings use.

Invariant: nothing here checks an argument, and MuJoCo's own fatal errors end the process when they happen
inside compiled code. Whoever calls has checked model, memory and state before (`ContactScene`).
"""

from pathlib import Path
from typing import Any

import llvmlite.binding as llvm
import mujoco
from numba import types
from numba.core.types import ExternalFunction
from numba.extending import intrinsic

_LIBRARY = next(Path(mujoco.__file__).parent.glob("libmujoco.*"))
llvm.load_library_permanently(str(_LIBRARY))

_POINTER = types.uintp
_MODEL_DATA = types.void(_POINTER, _POINTER)

mj_fwdKinematics: Any = ExternalFunction("mj_fwdKinematics", _MODEL_DATA)
mj_makeM: Any = ExternalFunction("mj_makeM", _MODEL_DATA)
mj_factorM: Any = ExternalFunction("mj_factorM", _MODEL_DATA)
mj_collision: Any = ExternalFunction("mj_collision", _MODEL_DATA)
mj_makeConstraint: Any = ExternalFunction("mj_makeConstraint", _MODEL_DATA)
mj_island: Any = ExternalFunction("mj_island", _MODEL_DATA)
mj_projectConstraint: Any = ExternalFunction("mj_projectConstraint", _MODEL_DATA)
mj_transmission: Any = ExternalFunction("mj_transmission", _MODEL_DATA)
mj_fwdVelocity: Any = ExternalFunction("mj_fwdVelocity", _MODEL_DATA)
mj_fwdActuation: Any = ExternalFunction("mj_fwdActuation", _MODEL_DATA)
mj_fwdAcceleration: Any = ExternalFunction("mj_fwdAcceleration", _MODEL_DATA)
mj_fwdConstraint: Any = ExternalFunction("mj_fwdConstraint", _MODEL_DATA)
mj_implicit: Any = ExternalFunction("mj_implicit", _MODEL_DATA)
# model, data, contact -> 0, or 1 where the list is full
mj_addContact: Any = ExternalFunction("mj_addContact", types.intc(_POINTER, _POINTER, _POINTER))
# model, data, result (nefc), vector (nv): result = J vector
mj_mulJacVec: Any = ExternalFunction("mj_mulJacVec", types.void(_POINTER, _POINTER, _POINTER, _POINTER))
# model, data, x (n, nv), y (n, nv), n: x = M^-1 y
mj_solveM: Any = ExternalFunction("mj_solveM", types.void(_POINTER, _POINTER, _POINTER, _POINTER, types.intc))
# model, data, state, which parts
mj_getState: Any = ExternalFunction("mj_getState", types.void(_POINTER, _POINTER, _POINTER, types.intc))
mj_setState: Any = ExternalFunction("mj_setState", types.void(_POINTER, _POINTER, _POINTER, types.intc))
# model, data, jacp (3, nv), jacr (3, nv), point (3), body
mj_jac: Any = ExternalFunction(
    "mj_jac", types.void(_POINTER, _POINTER, _POINTER, _POINTER, _POINTER, types.intc)
)


def _pointer_to(kind: Any) -> Any:
    """Return an intrinsic that turns an address into a pointer to `kind`, for `numba.carray`."""

    @intrinsic  # type: ignore[untyped-decorator]
    def pointer(typing_context: Any, address: Any) -> Any:
        target = types.CPointer(kind)

        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            return builder.inttoptr(arguments[0], context.get_value_type(target))

        return target(address), generate

    return pointer


doubles_at = _pointer_to(types.float64)
integers_at = _pointer_to(types.int32)
addresses_at = _pointer_to(types.uint64)
