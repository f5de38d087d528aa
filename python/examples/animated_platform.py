"""An animated picture of a run: the OC4 platform on its mooring lines in regular waves, from the side.

    animated_platform.py [file.svg]

The waves of 6 m and 14 s are those of c_examples/oc4_mooring.c. They set in over 400 s, so slowly that hardly any free
oscillation is left. The last wave is drawn, in frames every 0.5 s, as an SVG that browsers animate without scripts;
because the motion is periodic then, the picture repeats without a jump. README.md shows it. The program checks the motion with that of linear theory.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

import libpintle as pintle

MODEL = Path(__file__).resolve().parents[2] / "models/oc4_moored.toml"
GRAVITY, WATER, VOLUME = 9.80665, 1025.0, 13917.0
AMPLITUDE, PERIOD, SET_IN, STEP, FRAMES, WAVES = 3.0, 14.0, 400.0, 0.1, 28, 36
OMEGA = 2 * np.pi / PERIOD
NUMBER = OMEGA**2 / GRAVITY
# Amplitudes of the wave's load on the platform: surge, heave, pitch (c_examples/oc4_mooring.c, wave_load).
SURGE = -AMPLITUDE * OMEGA**2 * np.exp(-10 * NUMBER) * (WATER * VOLUME + 8.74e6)
HEAVE = AMPLITUDE * np.exp(-20 * NUMBER) * (3.836e6 - OMEGA**2 * 14.99e6)

# The picture: metres from the tower's axis and the still water, and pixels per metre.
LEFT, RIGHT, TOP, BOTTOM, SCALE = -190.0, 190.0, 168.0, -90.0, 2.4


def ramp(time: float) -> float:
    return 0.5 - 0.5 * np.cos(np.pi * time / SET_IN) if time < SET_IN else 1.0


def waves(time: float, positions: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Velocity and acceleration of the water, and elevation of its surface: Airy's wave on deep water."""
    amplitude = ramp(time) * AMPLITUDE
    phase = NUMBER * positions[:, 0] - OMEGA * time
    factor = amplitude * OMEGA * np.exp(NUMBER * np.minimum(positions[:, 2], 0.0))
    zero = np.zeros(len(positions))
    velocity = np.column_stack([factor * np.cos(phase), zero, factor * np.sin(phase)])
    acceleration = OMEGA * np.column_stack([factor * np.sin(phase), zero, -factor * np.cos(phase)])
    return velocity, acceleration, amplitude * np.cos(phase)


def push(system: pintle.System, time: float) -> None:
    """Buoyancy and the wave's load, for the end of the coming step."""
    sine, cosine = ramp(time) * np.sin(OMEGA * time), ramp(time) * np.cos(OMEGA * time)
    lift = WATER * GRAVITY * VOLUME
    system.set_body_load(0, pintle.Frame.INERTIAL, [SURGE * sine, 0, lift + HEAVE * cosine, 0, -10 * SURGE * sine, 0])


def compute() -> tuple[pintle.Run, float]:
    """The last wave, a row every half second; and the height of the platform at rest."""
    with pintle.System.load_model(MODEL) as system:
        system.initialize(0.0)
        system.solve_equilibrium(200, 1e-9)
        rest = float(system.get_body_pose(0)[2])
        system.set_fluid_callback(waves)
        system.run((WAVES - 1) * PERIOD, STEP, inputs=push)
        return system.run(WAVES * PERIOD, STEP, inputs=push, every=round(PERIOD / FRAMES / STEP)), rest


def numbers(values: np.ndarray) -> str:
    return " ".join(f"{value:.1f}" for value in values)


def path(x: np.ndarray, z: np.ndarray) -> str:
    return "M" + numbers(np.column_stack([(x - LEFT) * SCALE, (TOP - z) * SCALE]).ravel())


def animate(attribute: str, values: list[str]) -> str:
    return f'<animate attributeName="{attribute}" dur="{PERIOD / 2:g}s" repeatCount="indefinite" values="{";".join(values)}"/>'


def move(kind: str, values: list[str], additive: str) -> str:
    return (
        f'<animateTransform attributeName="transform" type="{kind}" additive="{additive}" dur="{PERIOD / 2:g}s" '
        f'repeatCount="indefinite" values="{";".join(values)}"/>'
    )


def colour(share: float) -> str:
    """From blue, the least tension, to orange, the largest."""
    low, high = np.array([0, 114, 178]), np.array([230, 90, 0])
    return "#" + "".join(f"{round(c):02x}" for c in low + share * (high - low))


def box(x: tuple[float, float], z: tuple[float, float], fill: str) -> str:
    """A part of the platform, in its own axes."""
    left, right, low, high = x[0] * SCALE, x[1] * SCALE, -z[0] * SCALE, -z[1] * SCALE
    return f'<rect x="{left:.1f}" y="{high:.1f}" width="{right - left:.1f}" height="{low - high:.1f}" fill="{fill}"/>'


def draw(run: pintle.Run) -> str:
    width, height = (RIGHT - LEFT) * SCALE, (TOP - BOTTOM) * SCALE
    tensions = np.array([run[f"line {i}.tension_b"] for i in (1, 2, 3)]) / 1e3
    low, high = tensions.min(), tensions.max()
    parts = [f'<rect width="{width:g}" height="{height:g}" fill="#f4f8fb"/>']

    lines = []
    for i in (1, 3, 2):
        x, z = (np.array([run[f"line {i}.node{n}.{axis}"] for n in range(21)]).T for axis in "xz")
        shares = (tensions[i - 1] - low) / (high - low)
        inside = [animate("d", [path(*row) for row in zip(x, z)]), animate("stroke", [colour(share) for share in shares])]
        lines.append(f'<path d="{path(x[0], z[0])}" stroke="{colour(shares[0])}" fill="none" stroke-width="2.5">{"".join(inside)}</path>')

    steel, yellow, white = "#5b6672", "#d9a520", "#97a3ae"
    body = [box((-0.9, 0.9), (9, 88), white), box((-4, 8), (86, 91), white), box((-5.5, -4.5), (27, 150), white)]
    for x, wide, upper in ((-28.87, 24, 12), (14.44, 24, 12), (0, 6.5, 6.5)):
        if wide > upper:
            body.append(box((x - wide / 2, x + wide / 2), (-20, -14), steel))
        body.append(box((x - upper / 2, x + upper / 2), (-14, 12 if wide > upper else 10), yellow))
    body += [box((-28.87, 14.44), (8.4, 10), steel), box((-28.87, 14.44), (-17.8, -16.2), steel)]
    places = [f"{(x - LEFT) * SCALE:.2f},{(TOP - z) * SCALE:.2f}" for x, z in zip(run["platform.pos.x"], run["platform.pos.z"])]
    turns = [f"{pitch:.3f}" for pitch in np.degrees(run["platform.pitch"])]
    motion = move("translate", places, "replace") + move("rotate", turns, "sum")
    parts.append(f'<g transform="translate({places[0]})">{motion}{"".join(body)}</g>')
    parts += lines

    x = np.linspace(LEFT, RIGHT, 39)
    places = np.column_stack([x, 0 * x, 0 * x])
    water = [path(x, waves(time, places)[2]) + f" {width:g} {height:g} 0 {height:g}Z" for time in run.time]
    parts.append(f'<path d="{water[0]}" fill="#2b7bb0" fill-opacity="0.28">{animate("d", water)}</path>')
    text = f"Waves of 6 m and 14 s, twice as fast; tension at the fairleads from {low:.0f} kN (blue) to {high:.0f} kN (orange)"
    parts.append(f'<text x="14" y="22" font-family="sans-serif" font-size="15" fill="#16324a">{text}</text>')
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" width="{width:g}" height="{height:g}">'
    return "\n".join([head, *parts, "</svg>\n"])


def main() -> None:
    run, rest = compute()
    heave = 0.5 * np.ptp(run["platform.pos.z"])
    expected = abs(HEAVE / (3.836e6 - OMEGA**2 * (14072718.0 + 14.99e6)))
    print("heave %.3f m, linear theory %.3f m, about %.3f m" % (heave, expected, rest))
    if abs(heave / expected - 1) > 0.05:
        sys.exit("the heave is not that of linear theory")
    if len(sys.argv) > 1:
        Path(sys.argv[1]).write_text(draw(run))


if __name__ == "__main__":
    main()
