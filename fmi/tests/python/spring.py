"""A spring as FMU: force -k x on what is x away. pythonfmu packs this class up; importers.py couples it with a body."""

from pythonfmu import Fmi2Causality, Fmi2Slave, Real


class Spring(Fmi2Slave):
    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        self.stiffness = 200.0
        self.x = 0.0
        self.force = 0.0
        self.register_variable(Real("stiffness", causality=Fmi2Causality.parameter))
        self.register_variable(Real("x", causality=Fmi2Causality.input))
        self.register_variable(Real("force", causality=Fmi2Causality.output))

    def do_step(self, current_time, step_size):
        self.force = -self.stiffness * self.x
        return True
