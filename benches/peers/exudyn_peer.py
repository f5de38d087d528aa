"""Exudyn: bodies as nodes with rotation parameters, joints as constraints, solved in time by its own loop in C++."""

import contextlib
import os
import sys
import time

import numpy
import problems

sys.exudynFast = True  # its build without range checks
with contextlib.redirect_stdout(open(os.devnull, "w")):
    import exudyn as exu
    import exudyn.utilities as utilities

exu.config.printToConsole = False
NAME = "Exudyn"
VERSION = exu.__version__
EXPLICIT = {"rk4": "RK44"}
METHODS = ["generalized-alpha", "rk4"]
FASTEST = {}  # settings by name of problem

ROTATIONS = {
    "rotation vector (Lie group)": exu.NodeType.RotationRotationVector,
    "Euler parameters": exu.NodeType.RotationEulerParameters,
    "Tait-Bryan angles": exu.NodeType.RotationRxyz,
}
SOLVERS = {
    "dense": exu.LinearSolverType.EXUdense,
    "Eigen dense": exu.LinearSolverType.EigenDense,
    "Eigen sparse": exu.LinearSolverType.EigenSparse,
}


def can(problem, method):
    """Its explicit solvers take constraints only where they fix coordinates of one node: the heavy top, about its pivot."""
    return method == "generalized-alpha" or problem.name == "heavy top"


class Model:
    """A problem in Exudyn."""

    def __init__(self, problem, rotation, pivot):
        self.container = exu.SystemContainer()
        self.system = self.container.AddSystem()
        ground = self.system.CreateGround()
        self.objects = []
        self.offset = (0.0, 0.0, 0.0)
        for body in problem.bodies:
            # About the centre of mass, or about the joint where that is a point of the ground and the method is explicit.
            com = problems.turned_back(body.rotation, problems.minus(body.position, body.point)) if pivot else (0.0,) * 3
            self.offset = com
            x, y, z = com
            steiner = body.mass * numpy.array([[y * y + z * z, -x * y, -x * z], [-x * y, x * x + z * z, -y * z],
                                               [-x * z, -y * z, x * x + y * y]])
            inertia = utilities.RigidBodyInertia(mass=body.mass, inertiaTensor=numpy.diag(body.inertia) + steiner)
            number = self.system.CreateRigidBody(
                inertia=inertia,
                nodeType=ROTATIONS[rotation],
                referencePosition=list(body.point if pivot else body.position),
                referenceRotationMatrix=numpy.array(body.rotation),
                initialVelocity=[0.0] * 3 if pivot else list(body.velocity),
                initialAngularVelocity=list(problems.turned(body.rotation, body.omega)),
                gravity=[0.0, 0.0, 0.0 if pivot else -problems.GRAVITY],
                show=False,
            )
            parent = ground if body.parent == problems.GROUND else self.objects[body.parent]
            self.objects.append(number)
            if pivot:
                node = self.system.GetObject(number)["nodeNumber"]
                origin = self.system.AddMarker(utilities.MarkerNodeCoordinate(
                    nodeNumber=self.system.AddNode(utilities.NodePointGround()), coordinate=0))
                for k in range(3):
                    marker = self.system.AddMarker(utilities.MarkerNodeCoordinate(nodeNumber=node, coordinate=k))
                    self.system.AddObject(utilities.CoordinateConstraint(markerNumbers=[origin, marker]))
                # Its solver eliminates coordinates from a block diagonal mass matrix only: inertia about the pivot, weight at
                # the centre of mass.
                marker = self.system.AddMarker(utilities.MarkerBodyPosition(bodyNumber=number, localPosition=list(com)))
                weight = [0.0, 0.0, -body.mass * problems.GRAVITY]
                self.system.AddLoad(utilities.LoadForceVector(markerNumber=marker, loadVector=weight))
            elif body.joint == problems.SPHERICAL:
                self.system.CreateSphericalJoint(bodyNumbers=[parent, number], position=list(body.point), show=False)
            else:
                axis = list(problems.turned(body.rotation, body.axis))
                self.system.CreateRevoluteJoint(
                    bodyNumbers=[parent, number], position=list(body.point), axis=axis, useGlobalFrame=True, show=False
                )
        self.system.Assemble()

    def run(self, method, solver, newton, step, steps):
        settings = exu.SimulationSettings()
        settings.timeIntegration.numberOfSteps = steps
        settings.timeIntegration.endTime = step * steps
        settings.timeIntegration.adaptiveStep = False
        settings.timeIntegration.automaticStepSize = False
        settings.timeIntegration.verboseMode = 0
        settings.timeIntegration.generalizedAlpha.spectralRadius = 0.9
        settings.timeIntegration.generalizedAlpha.computeInitialAccelerations = True
        settings.timeIntegration.newton.useModifiedNewton = newton != "full"
        settings.timeIntegration.newton.modifiedNewtonJacUpdatePerStep = newton == "once a step"
        settings.timeIntegration.explicit.computeEndOfStepAccelerations = False
        settings.timeIntegration.explicit.computeMassMatrixInversePerBody = True
        settings.linearSolver.solverType = SOLVERS[solver]
        settings.linearSolver.reuseAnalyzedPattern = True
        settings.solution.file.write = False
        settings.solution.sensors.active = False
        kind = getattr(exu.DynamicSolverType, EXPLICIT.get(method, "GeneralizedAlpha"))
        begin = time.process_time()
        try:
            done = self.system.SolveDynamic(settings, solverType=kind, updateInitialValues=False, storeSolver=True)
        except exu.SolverError:
            done = False
        cpu = time.process_time() - begin
        counts = self.system.sys["dynamicSolver"].it
        positions = [
            [float(x) for x in self.system.GetObjectOutputBody(number, exu.OutputVariableType.Position, list(self.offset))]
            for number in self.objects
        ]
        return {
            "cpu": cpu,
            "converged": bool(done),
            "iterations": counts.newtonStepsCount / steps if method == "generalized-alpha" else None,
            "jacobians": counts.newtonJacobiCount / steps if method == "generalized-alpha" else None,
            "positions": positions,
        }


MODELS = {}


def model(problem, rotation, pivot):
    key = (problem.name, rotation, pivot)
    if key not in MODELS:
        MODELS.clear()
        MODELS[key] = Model(problem, rotation, pivot)
    return MODELS[key]


def tune(problem, method, step):
    """Tries its settings on a short run with this step and keeps the fastest that converges."""
    if method != "generalized-alpha":
        return "rotation vector (Lie group), explicit Lie group integration, coordinates of the pivot eliminated"
    solvers = list(SOLVERS) if len(problem.bodies) <= 30 else ["Eigen sparse"]
    steps = [max(2, steps // 4) for steps in problem.window]
    best = None
    for rotation in ROTATIONS:
        for solver in solvers:
            for newton in ("modified", "once a step", "full"):
                one = model(problem, rotation, False)
                # The better of two, so that what else the machine does decides nothing.
                pairs = [[one.run(method, solver, newton, step, n) for n in steps] for _ in range(2)]
                if not all(run["converged"] for pair in pairs for run in pair):
                    continue
                cost = min(pair[1]["cpu"] - pair[0]["cpu"] for pair in pairs)
                if best is None or cost < best[0]:
                    best = (cost, rotation, solver, newton)
    if best is None:
        raise RuntimeError("none of its settings converges")
    FASTEST[problem.name] = best[1:]
    return f"{best[1]}, {best[2]}, Newton: {best[3]}"


def run(problem, method, step, steps):
    """One run from the start."""
    if method != "generalized-alpha":
        return model(problem, "rotation vector (Lie group)", True).run(method, "dense", "full", step, steps)
    rotation, solver, newton = FASTEST[problem.name]
    return model(problem, rotation, False).run(method, solver, newton, step, steps)
