"""Matrices, modes and compliances of the present state: the methods of System whose results have a size that is computed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Sequence

from numpy import empty

from ._arguments import ids, wrong
from ._calls import Calls
from ._errors import failure
from ._library import DOUBLES, INT, from_buffer, lib, new
from ._results import Compliance, Linearization, Modes

if TYPE_CHECKING:
    from ._arguments import Array


class Analyses(Calls):
    """The base class of System with these methods."""

    __slots__ = ()

    def _alive(self, function: str) -> Any:
        if self._handle is None:
            raise ValueError(f"{function}: the system is closed")
        return self._handle

    def get_mass_matrix(self) -> Array:
        """The mass matrix in I, added mass and the mass of coupled load callbacks included, of shape (dofs, dofs): 6 for each
        body in the order of ids, then 3 for each point, then for each node of a line. Rows and columns of prescribed bodies
        and of points and nodes that are fixed, attached or tied are zero.

        Phases: READY, TRIAL. Errors: BAD_PHASE, CALLBACK, UNSTABLE (numbers too large for a double), STOPPED.
        """
        handle = self._alive("get_mass_matrix")
        n = int(self.get_statistic("dofs"))
        mass = empty((n, n))
        status = lib.pintle_get_mass_matrix(handle, n, from_buffer(DOUBLES, mass))
        if status:
            raise failure(status, handle)
        return mass.T

    def get_constraint_jacobian(self) -> Array:
        """The constraint Jacobian B, of shape (constraints, dofs): B v are the rates of the independent constraints for the
        velocities v of all bodies (linear, then angular, in I) and then of all points, whose columns are zero.

        Phases: READY, TRIAL. Errors: BAD_PHASE, UNSTABLE (numbers too large for a double).
        """
        handle = self._alive("get_constraint_jacobian")
        m, n = int(self.get_statistic("constraints")), int(self.get_statistic("dofs"))
        jacobian = empty((n, m))
        status = lib.pintle_get_constraint_jacobian(handle, m, n, from_buffer(DOUBLES, jacobian))
        if status:
            raise failure(status, handle)
        return jacobian.T

    def linearize(
        self, bodies: Sequence[int] = (), load_markers: Sequence[int] = (), sensor_markers: Sequence[int] = ()
    ) -> Linearization:
        """Linearises about the present state, constraints eliminated: xdot = a x + b u, y = c x + d u.

        The first half of the states are independent displacements of bodies and points, the second their velocities;
        get_state_name says which. Inputs are wrenches in I on bodies, then on markers, 6 each; outputs 18 for each sensor:
        displacement and rotation vector, velocity, acceleration, in I.

        Phases: READY, TRIAL. Errors: BAD_PHASE, BAD_ID, SINGULAR, CALLBACK, STOPPED, NO_CONVERGENCE (a load callback that
        depends on accelerations), UNSTABLE (numbers too large for a double).
        """
        return self._linearize("linearize", lib.pintle_linearize, (bodies, load_markers), sensor_markers)

    def linearize_inputs(
        self,
        bodies: Sequence[int] = (),
        load_markers: Sequence[int] = (),
        joints: Sequence[int] = (),
        slides: Sequence[int] = (),
        sensor_markers: Sequence[int] = (),
    ) -> Linearization:
        """linearize with loads on joints as further inputs: after the wrenches one load for each coordinate of `joints`, then
        one for each of `slides`.

        Phases: READY, TRIAL. Errors: as linearize, and BAD_VALUE (a joint without coordinate or slide).
        """
        inputs = (bodies, load_markers, joints, slides)
        return self._linearize("linearize_inputs", lib.pintle_linearize_inputs, inputs, sensor_markers)

    def _linearize(self, function: str, call: Any, inputs: tuple[Sequence[int], ...], sensors: Sequence[int]) -> Linearization:
        handle = self._alive(function)
        names = ("bodies", "load_markers", "joints", "slides")
        lists = [ids(one, function, name) for one, name in zip(inputs, names)]
        sensor_ids = ids(sensors, function, "sensor_markers")
        n = 2 * int(self.get_statistic("mobility"))
        n_inputs = sum((6, 6, 1, 1)[i] * len(one) for i, one in enumerate(lists))
        n_outputs = 18 * len(sensor_ids)
        matrices = [empty((n, n)), empty((n_inputs, n)), empty((n, n_outputs)), empty((n_inputs, n_outputs))]
        lengths = [part for one in (*lists, sensor_ids) for part in (len(one), one)]
        status = call(handle, *lengths, n, *(from_buffer(DOUBLES, one) for one in matrices))
        if status:
            raise failure(status, handle)
        return Linearization(*(one.T for one in matrices))

    def get_modes(self) -> Modes:
        """Natural modes exp(s t) of the present state, slowest first. They describe oscillations about the state only if it
        is an equilibrium: `motion` has the largest velocity and acceleration, which are zero there.

        Phases: READY, TRIAL. Errors: BAD_PHASE, SINGULAR, CALLBACK, NO_CONVERGENCE, STOPPED, UNSTABLE (numbers too large for
        a double).
        """
        handle = self._alive("get_modes")
        n, bodies, count = 2 * int(self.get_statistic("mobility")), self.count("body"), new(INT)
        frequencies, ratios, shapes, motion = empty(n), empty(n), empty((n, bodies, 12)), empty(2)
        status = lib.pintle_get_modes(
            handle, n, count, from_buffer(DOUBLES, frequencies), from_buffer(DOUBLES, ratios), bodies,
            from_buffer(DOUBLES, shapes), from_buffer(DOUBLES, motion),
        )
        if status:
            raise failure(status, handle)
        k = count[0]
        return Modes(frequencies[:k], ratios[:k], shapes[:k, :, :6] + 1j * shapes[:k, :, 6:], motion)

    def get_load_compliance(self, markers: Sequence[int], dt: float) -> Compliance:
        """The derivatives of the motions of k markers at the end of a step with respect to wrenches on them, in I: matrices of
        shape (6 k, 6 k).

        In phase TRIAL they are those at the end of the trial step, and `dt` must be its length.

        Phases: READY, TRIAL. Errors: BAD_PHASE, BAD_ID, NOT_FINITE, BAD_VALUE (dt), SINGULAR, CALLBACK, STOPPED, UNSUPPORTED
        (a scheme without iteration matrix), UNSTABLE (numbers too large for a double).
        """
        return self._compliance("get_load_compliance", lib.pintle_get_load_compliance, "markers", markers, dt, 6)

    def get_body_compliance(self, bodies: Sequence[int], dt: float) -> Compliance:
        """get_load_compliance for the reference points of bodies in place of markers."""
        return self._compliance("get_body_compliance", lib.pintle_get_body_compliance, "bodies", bodies, dt, 6)

    def get_joint_compliance(self, joints: Sequence[int], dt: float) -> Compliance:
        """get_load_compliance for the coordinates of k joints and the loads on them: matrices of shape (k, k)."""
        return self._compliance("get_joint_compliance", lib.pintle_get_joint_compliance, "joints", joints, dt, 1)

    def _compliance(self, function: str, call: Any, name: str, which: Sequence[int], dt: float, width: int) -> Compliance:
        array = ids(which, function, name)
        size = width * len(array)
        out = empty((3, size, size))
        try:
            status = call(self._handle, len(array), array, dt, out.size, from_buffer(DOUBLES, out))
        except (TypeError, OverflowError) as error:
            raise wrong(error, function, self._handle, ("dt", dt, float)) from None
        if status:
            raise failure(status, self._handle)
        return Compliance(*(one.T for one in out))
