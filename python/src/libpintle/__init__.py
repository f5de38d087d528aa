"""pintle for Python: dynamics of rigid multibody systems and mooring lines.

    import libpintle as pintle

    with pintle.System() as system:
        system.set_gravity([0, 0, -9.81])
        body = system.add_rigid_body(1.0, [0, 0, 0], [0.1, 0.1, 0.1, 0, 0, 0], [1, 0, 0, 1, 0, 0, 0])
        system.add_joint_at(pintle.JointKind.REVOLUTE, pintle.GROUND, body, [0, 0, 0], [0, 1, 0])
        system.initialize(0.0)
        run = system.run(10.0, 0.01)
        print(run["body0.pos.x"])

Names are those of pintle.h without "pintle_": functions that take a system are methods of System, the others are functions
of this module. Units are any consistent set, angles are in rad. A pose is x y z of the reference point in the inertial frame I,
then the unit quaternion qw qx qy qz, body to inertial; velocities and wrenches are six numbers, translational, then
rotational, in I unless a `frame` says otherwise. Matrices are indexed [row, column]. docs/python.md of the sources says more.

A call that fails raises PintleError with status and message; an argument of a wrong type or shape raises TypeError or
ValueError, which name the function and the argument. Either way the system is unchanged.
"""

from ._calls import (
    difference,
    frame_from_axes,
    quat_from_dcm,
    quat_from_euler_zyx,
    quat_from_rotvec,
    quat_to_dcm,
    quat_to_euler_zyx,
    quat_to_rotvec,
    retract,
    suggest_time_step,
)
from ._constants import GROUND, ContactSurface, EventKind, Frame, JointKind, Phase, Status, StopLaw
from ._errors import (
    LibraryError,
    NumericsError,
    PintleError,
    ResourceError,
    UsageError,
    error_message,
    status_name,
    status_severity,
)
from ._entities import Body, Joint, Line, Point, Spring, Tendon
from ._library import abi_version, version
from ._results import Compliance, Linearization, Modes, Table, WaterMotion, Waves
from ._run import Run
from ._state import State
from ._system import System

#: The version of the library.
__version__ = version()

__all__ = [
    "GROUND",
    "Body",
    "Compliance",
    "ContactSurface",
    "EventKind",
    "Frame",
    "Joint",
    "JointKind",
    "LibraryError",
    "Line",
    "Linearization",
    "Modes",
    "NumericsError",
    "Phase",
    "PintleError",
    "Point",
    "ResourceError",
    "Run",
    "Spring",
    "State",
    "Status",
    "StopLaw",
    "System",
    "Table",
    "Tendon",
    "UsageError",
    "WaterMotion",
    "Waves",
    "abi_version",
    "difference",
    "error_message",
    "frame_from_axes",
    "quat_from_dcm",
    "quat_from_euler_zyx",
    "quat_from_rotvec",
    "quat_to_dcm",
    "quat_to_euler_zyx",
    "quat_to_rotvec",
    "retract",
    "status_name",
    "status_severity",
    "suggest_time_step",
    "version",
]
