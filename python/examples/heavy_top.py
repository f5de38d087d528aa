"""The heavy top of Geradin & Cardona (2001): a disk of 15 kg on a 1 m rod, held at the origin, spinning with 150 rad/s.

    python heavy_top.py [picture.png]

Steps of 2 ms, 1 ms, ... for 2 s; the error at the end, which falls with the square of the step; a plot of the motion where
matplotlib is installed and a file is named. c_examples/heavy_top.c is the same in C.
"""

import sys

import numpy as np

import libpintle as pintle

MASS, INERTIA = 15.0, [0.234375, 0.46875, 0.234375, 0.0, 0.0, 0.0]
ARM, OMEGA = np.array([0.0, 1.0, 0.0]), np.array([0.0, 150.0, -4.61538])

#: The displacement of the centre of mass after 2 s, exact to the digits shown.
END = np.array([-0.150416822747, -1.724165591637, -0.673022269560])


def top():
    """Builds and initializes the model."""
    system = pintle.System()
    system.set_gravity([0, 0, -9.81])
    body = system.add_rigid_body(MASS, [0, 0, 0], INERTIA, [*ARM, 1, 0, 0, 0])
    system.set_name("body", body, "top")
    # Initial velocities must satisfy the joint.
    system.set_body_velocity(body, [*np.cross(OMEGA, ARM), *OMEGA])
    system.add_joint_at(pintle.JointKind.SPHERICAL, pintle.GROUND, body, [0, 0, 0])
    system.set_option("rho_inf", 0.9)
    system.set_option("abs_tolerance", 1e-10)
    system.set_option("rel_tolerance", 1e-10)
    system.initialize(0.0)
    return system


def main(picture=None):
    """Prints the table of errors, and plots the run with the smallest step."""
    print("  dt (ms)   error (m)   order")
    last = None
    for dt in (2e-3, 1e-3, 5e-4, 2.5e-4):
        with top() as system:
            run = system.run(2.0, dt, channels=["top.pos.x", "top.pos.y", "top.pos.z"])
            error = np.abs(system.get_body_displacement(0)[:3] - END).max()
        order = "" if last is None else f"{np.log2(last / error):8.2f}"
        print(f"{1e3 * dt:9.2f} {error:11.2e} {order}")
        if last is not None and abs(np.log2(last / error) - 2) > 0.1:
            sys.exit("the error does not fall with the square of the step")
        last = error
    if picture:
        import matplotlib

        matplotlib.use("Agg")
        from matplotlib import pyplot

        figure, axes = pyplot.subplots(figsize=(8, 3.5), layout="constrained")
        for name in run.names:
            axes.plot(run.time, run[name], label=name)
        axes.set(xlabel="time (s)", ylabel="position (m)", title="heavy top")
        axes.legend()
        figure.savefig(picture)
        print(f"written: {picture}")


if __name__ == "__main__":
    main(*sys.argv[1:2])
