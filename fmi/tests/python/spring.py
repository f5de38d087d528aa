"""A spring as FMU: force -k x on what is x away. pythonfmu packs this class up; importers.py couples it with a body."""

from pythonfmu import Fmi2Causality, Fmi2Slave, Real

STIFFNESS = 200.0


class Spring(Fmi2Slave):
    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        self.x = 0.0
        self.force = 0.0
        self.register_variable(Real("x", causality=Fmi2Causality.input))
        self.register_variable(Real("force", causality=Fmi2Causality.output))

    def do_step(self, current_time, step_size):
        self.force = -STIFFNESS * self.x
        return True
