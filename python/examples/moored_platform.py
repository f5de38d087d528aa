"""A floating cylinder on three mooring lines in waves, one of which breaks after 150 s: writes moored_platform.html, which plays the run."""

from math import cos, pi, sin

import libpintle as pintle

system = pintle.System()
system.environment(gravity=9.81, water_density=1025, depth=200)
system.waves(height=6, period=12, seed=1, ramp=30)

# A spar of 10 m diameter and 90 m draught, ballasted to float upright with 20 m above the water.
draught, mass = 90, 1025 * pi / 4 * 10**2 * 90 - 3 * 25e3
hull = system.body(mass, [5e9, 5e9, 1e8], name="hull", com=[0, 0, -65])
hull.cylinder([0, 0, -draught], [0, 0, 20], 10, cd=0.8, ca=1.0, cd_end=1.0, ca_end=1.0)

# The chain of the OC4 platform: fairleads at 70 m below the water, anchors at a radius of 850 m.
chain = system.line_type(0.0766, 113.35, 753.6e6, cdn=2, can=0.8, cdt=0.25)
headings = {"north": pi / 3, "west": pi, "south": 5 * pi / 3}
lines = {
    name: system.line(chain, [850 * cos(b), 850 * sin(b), -200], (hull, [5 * cos(b), 5 * sin(b), -70]), 880, name=name)
    for name, b in headings.items()
}
lines["west"].fail("b", time=150)

run = system.run(400, 0.05, channels="hull.pos.?,hull.pitch,*.tension_b")
run.to_html("moored_platform.html")
surge = run["hull.pos.x"]
assert abs(surge[run.time < 150]).max() < 15 and surge[-1] > 50, "the platform did not stay, or did not drift off"
print(f"surge {surge[0]:.1f} m at the start, {surge[-1]:.1f} m at the end")
