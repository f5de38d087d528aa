#!/usr/bin/env python3
"""Draws the figures of docs/mooring.md from real runs.

    benches/peers/mooring_figures.py RECORD DEMO [PICTURES]

RECORD is mooring_record.json of mooring.py (its --cache, or <target>/peers), DEMO the directory that scripts/demo --charts filled
(oc4_decay.csv, oc4_lines.csv of c_examples/oc4_mooring.c), PICTURES where figures go, docs/pictures unless given.
"""

import csv
import json
import math
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
INK, GRID = "#262B33", "#E1E4E8"
COLOURS = ["#1F5FA8", "#C0392B", "#2E8B57", "#8E5BB5", "#C77B0A"]


class Plot:
    """One set of axes at a place in a picture; its ranges follow from what is drawn."""

    def __init__(self, box, title, names, logarithmic=False):
        self.box, self.title, self.names, self.logarithmic = box, title, names, logarithmic
        self.curves = []  # points, style, name

    def curve(self, points, colour, name="", dash="", marks=False, line=True):
        self.curves.append((list(points), colour, name, dash, marks, line))

    def range(self, k):
        values = [point[k] for points, *_ in self.curves for point in points]
        if self.logarithmic:
            low, high = math.floor(math.log10(min(values))), math.ceil(math.log10(max(values)))
            return low, max(high, low + 1), [float(power) for power in range(low, max(high, low + 1) + 1)]
        low, high = min(values), max(values)
        span = (high - low) or 1.0
        step = 10.0 ** math.floor(math.log10(span / 3.0))
        step *= next(factor for factor in (1, 2, 5, 10) if span / (factor * step) <= 6)
        first, last = math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)
        return first * step, last * step, [i * step for i in range(first, last + 1)]

    def draw(self):
        left, top, right, bottom = self.box
        (x0, x1, x_ticks), (y0, y1, y_ticks) = self.range(0), self.range(1)
        scale = math.log10 if self.logarithmic else float
        x_at = lambda x: left + (x - x0) / (x1 - x0) * (right - left)
        y_at = lambda y: bottom - (y - y0) / (y1 - y0) * (bottom - top)
        shown = lambda tick: f"{10.0**tick:g}" if self.logarithmic else f"{round(tick, 10):g}"
        lines = [words(left, top - 14, self.title, 15)]
        for tick in x_ticks:
            lines.append(f'<line x1="{x_at(tick):.1f}" y1="{top}" x2="{x_at(tick):.1f}" y2="{bottom}" stroke="{GRID}"/>')
            lines.append(words(x_at(tick), bottom + 18, shown(tick), 12, "middle"))
        for tick in y_ticks:
            lines.append(f'<line x1="{left}" y1="{y_at(tick):.1f}" x2="{right}" y2="{y_at(tick):.1f}" stroke="{GRID}"/>')
            lines.append(words(left - 6, y_at(tick) + 4, shown(tick), 12, "end"))
        lines.append(words((left + right) / 2, bottom + 36, self.names[0], 12, "middle"))
        middle = (top + bottom) / 2
        lines.append(words(left - 52, middle, self.names[1], 12, "middle", f' transform="rotate(-90 {left - 52} {middle:.1f})"'))
        legend = top + 14
        for points, colour, name, dash, marks, line in self.curves:
            places = [(x_at(scale(x)), y_at(scale(y))) for x, y in points]
            style = f'stroke="{colour}" stroke-width="1.6" fill="none"' + (f' stroke-dasharray="{dash}"' if dash else "")
            if line:
                lines.append(f'<polyline points="{" ".join(f"{x:.1f},{y:.1f}" for x, y in places)}" {style}/>')
            if marks:
                lines += [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3.5" fill="{colour}"/>' for x, y in places]
            if name:
                start = right + 12
                if line:
                    lines.append(f'<line x1="{start}" y1="{legend}" x2="{start + 26}" y2="{legend}" {style}/>')
                if marks:
                    lines.append(f'<circle cx="{start + 13}" cy="{legend}" r="3.5" fill="{colour}"/>')
                lines.append(words(start + 32, legend + 4, name, 12))
                legend += 19
        return lines


def words(x, y, content, size, anchor="start", more=""):
    content = content.replace("&", "&amp;").replace("<", "&lt;")
    return f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size}" text-anchor="{anchor}" fill="{INK}"{more}>{content}</text>'


def save(path, size, plots):
    width, height = size
    head = f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}" font-family="sans-serif">'
    body = [line for plot in plots for line in plot.draw()]
    path.write_text("\n".join([head, f'<rect width="{width}" height="{height}" fill="#FFFFFF"/>', *body, "</svg>"]) + "\n")
    print(f"written: {path}")


def rows(path):
    with open(path, newline="") as file:
        reader = csv.reader(file)
        header = next(reader)
        return header, [row for row in reader]


def decays(demo, pictures):
    """Free decays of OC4 on its lines, of the demo."""
    header, values = rows(demo / "oc4_decay.csv")
    plots = []
    for k, name in enumerate(header[1:]):
        what, unit = name.rsplit("_", 1)
        column, row = k % 2, k // 2
        box = (90 + 480 * column, 50 + 270 * row, 490 + 480 * column, 240 + 270 * row)
        plot = Plot(box, what, ("time, s", unit))
        points = [(float(value[0]), float(value[k + 1])) for value in values if value[k + 1]]
        plot.curve(points, COLOURS[0])
        plots.append(plot)
    save(pictures / "mooring_decays.svg", (1000, 50 + 270 * ((len(plots) + 1) // 2)), plots)


def shapes(demo, pictures):
    """The lines of OC4, seen from the side, at rest and in wind."""
    _, values = rows(demo / "oc4_lines.csv")
    plot = Plot((90, 50, 800, 330), "Lines of OC4 from the side: at rest, and under 1 MN of wind", ("x, m", "z, m"))
    for line in sorted({value[0] for value in values}):
        own = [[float(c) for c in value[2:]] for value in values if value[0] == line]
        first = line == "0"
        plot.curve([(p[0], p[2]) for p in own], COLOURS[0], "at rest" if first else "")
        plot.curve([(p[3], p[5]) for p in own], COLOURS[1], "in wind" if first else "", "5,4")
    save(pictures / "mooring_lines.svg", (960, 390), [plot])


def tensions(record, pictures):
    """Tension of fairleads beside MoorDyn's converged one."""
    entries = [entry for entry in record["entries"] if "history" in entry]
    plots = []
    for k, entry in enumerate(entries):
        history = entry["history"]
        plot = Plot((90, 50 + 280 * k, 770, 250 + 280 * k), f"{entry['case']}: tension at the fairlead", ("time, s", "kN"))
        of = lambda values: [((i + 1) * history["dt"], 1e-3 * abs(value)) for i, value in enumerate(values)]
        plot.curve(of(history["moordyn"]), COLOURS[1], "MoorDyn, RK4, converged")
        every = of(history["pintle"])[4::5]
        plot.curve(every, COLOURS[0], f"pintle, {history['dt']:g} s, every fifth", marks=True, line=False)
        plots.append(plot)
    save(pictures / "mooring_tension.svg", (1000, 30 + 280 * len(plots)), plots)


def work_precision(record, pictures):
    """Error over processor time: pintle at its steps, MoorDyn at the largest good steps of its schemes."""
    entries = [entry for entry in record["entries"] if entry.get("found")]
    plot = Plot((90, 50, 690, 450), "Error of the tension over processor time", ("processor time per simulated second, ms", "error, %"), True)
    for entry, colour in zip(entries, COLOURS):
        steps = [step for step in entry["steps"] if "error" in step and not step.get("bed")]
        plot.curve([(1e3 * step["cpu"], 100 * step["error"]) for step in steps], colour, f"pintle, {entry['case']}", marks=True)
        others = [(1e3 * one["cpu"] / entry["time"], 100 * one["error"]) for one in entry["found"]]
        plot.curve(others, colour, f"MoorDyn, {entry['case']}", "2,4", marks=True, line=False)
    save(pictures / "mooring_work_precision.svg", (960, 520), [plot])


def main():
    record, demo = json.loads(pathlib.Path(sys.argv[1]).read_text()), pathlib.Path(sys.argv[2])
    pictures = pathlib.Path(sys.argv[3] if len(sys.argv) > 3 else ROOT / "docs/pictures")
    decays(demo, pictures)
    shapes(demo, pictures)
    tensions(record, pictures)
    work_precision(record, pictures)


if __name__ == "__main__":
    main()
