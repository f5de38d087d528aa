"""The heavy top's centre of mass by equations that none of the codes uses: the axis and the angular momentum of a symmetric top.

About the pivot, with the unit vector e along the axis of symmetry, H = A e x e' + L e: e' = H x e / A and H' = m l e x g,
where A is the moment of inertia across the axis and L = J omega_y stays as it is (Goldstein, Classical Mechanics, 5.7). Nothing
turns with the 150 rad/s of the spin here, the fastest is the precession's 4.6 rad/s, so that the classical Runge-Kutta method
with steps of 1e-4 s leaves errors of (4.6e-4)^4: below rounding.
"""


def cross(a, b):
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


def centre_of_mass(end, step=1e-4):
    """Where the centre of mass is after `end` seconds, m."""
    mass, across, along, gravity = 15.0, 15.0 + 0.234375, 0.46875, 9.81
    axis, rate, spin = (0.0, 1.0, 0.0), (4.61538, 0.0, 0.0), 150.0
    momentum = tuple(across * x + along * spin * e for x, e in zip(cross(axis, rate), axis))

    def rates(state):
        e, h = state[:3], state[3:]
        return (*(x / across for x in cross(h, e)), *(mass * x for x in cross(e, (0.0, 0.0, -gravity))))

    def moved(state, rate, factor):
        return tuple(x + factor * r for x, r in zip(state, rate))

    state = (*axis, *momentum)
    steps = round(end / step)
    for _ in range(steps):
        k1 = rates(state)
        k2 = rates(moved(state, k1, 0.5 * step))
        k3 = rates(moved(state, k2, 0.5 * step))
        k4 = rates(moved(state, k3, step))
        state = tuple(x + step / 6 * (a + 2 * b + 2 * c + d) for x, a, b, c, d in zip(state, k1, k2, k3, k4))
    return list(state[:3])
