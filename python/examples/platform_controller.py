"""Station keeping: a floating platform with thrusters and a controller in Python.

    python platform_controller.py

The platform of models/floating_platform.toml starts 5 m off in surge. Thrusters push against surge and sway by a sampled PD
controller, as a marine host would: measured every half second, held in between. The program prints the remaining offset with and
without the controller.
"""

from pathlib import Path

import libpintle as pintle

MODEL = Path(__file__).resolve().parents[2] / "models/floating_platform.toml"
DT, END, SAMPLE = 0.05, 300.0, 0.5

#: Thrusters: force per offset, force per velocity, largest force.
GAIN, DAMPING, LIMIT = 150e3, 2.5e6, 1.5e6


class Controller:
    """The controller: its set point, and the force that is held between samples."""

    def __init__(self, system, body):
        self.body = body
        self.home = system.get_body_pose(body)[:2].copy()
        self.base = system.get_body_load(body)  # buoyancy, which the model file sets
        self.force = [0.0, 0.0]
        self.next = 0.0

    def __call__(self, system, time):
        """Called before each step: sets the inputs for its end."""
        if time >= self.next:
            pose, velocity = system.get_body_pose(self.body), system.get_body_velocity(self.body)
            wanted = [-GAIN * (pose[i] - self.home[i]) - DAMPING * velocity[i] for i in (0, 1)]
            self.force = [min(max(one, -LIMIT), LIMIT) for one in wanted]
            self.next += SAMPLE
        wrench = self.base.copy()
        wrench[:2] += self.force
        system.set_body_load(self.body, pintle.Frame.INERTIAL, wrench)


def decay(controlled):
    """Largest offset in surge in the last 60 s."""
    with pintle.System.load_model(MODEL) as system:
        body = system.find("body", "platform")
        system.initialize(0.0)
        inputs = Controller(system, body) if controlled else None
        coordinates = system.get_coordinates()
        coordinates.poses[body, 0] += 5.0
        system.set_coordinates(*coordinates)
        run = system.run(END, DT, channels=["platform.pos.x"], inputs=inputs)
    return abs(run["platform.pos.x"][run.time > END - 60.0]).max()


def main():
    """Runs with and without the controller, and prints the offsets."""
    free, held = decay(False), decay(True)
    print(f"largest surge between {END - 60:.0f} and {END:.0f} s: free {free:.2f} m, held {held:.3f} m")
    # The free platform has no damping; with the controller the damping ratio is 0.1 or more.
    if not (free > 4.0 and held < 0.5):
        raise SystemExit("the controller does not hold the platform")


if __name__ == "__main__":
    main()
