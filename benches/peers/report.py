"""What run.py measured as a section of docs/benchmarks.md (between two marks) and as a picture."""

import math
import statistics

BEGIN, END = "<!-- peers: written by benches/peers/run.py -->", "<!-- peers: end -->"
PICTURE = "peers_work_precision.svg"

COLOURS = {"pintle": "#1F5FA8", "exudyn": "#C0392B", "mujoco": "#2E8B57", "pinocchio": "#8E5BB5", "limit": "#777777"}
DASHES = {"generalized-alpha": "", "newmark": "2,3", "rk4": "8,4", "ab5": "8,3,2,3", "implicit": ""}


def number(value):
    """Three significant digits, with commas in thousands."""
    if value is None or not math.isfinite(value):
        return "-"
    if value >= 999.5:
        digits = 2 - math.floor(math.log10(value))
        return f"{round(value, digits):,.0f}"
    return f"{value:.{max(0, 2 - math.floor(math.log10(value)))}f}" if value > 0 else f"{value:.2f}"


class Table:
    """The entries by problem, peer and method."""

    def __init__(self, record):
        self.record = record
        self.entries = {(entry["problem"], entry["peer"], entry["method"]): entry for entry in record["entries"]}
        self.problems = list(dict.fromkeys(entry["problem"] for entry in record["entries"]))

    def us(self, problem, peer, method):
        entry = self.entries.get((problem, peer, method))
        return entry["us"] if entry else None

    def cell(self, problem, peer, method):
        """Microseconds per step and iterations; a dagger where the positions are not those of the reference."""
        entry = self.entries.get((problem, peer, method))
        if not entry:
            return ""
        count = f" ({entry['iterations']:.1f})" if entry["iterations"] else ""
        return number(entry["us"]) + count + ("" if entry["agrees"] else " †")

    def ratio(self, problem, over, under):
        """Of the times of two codes."""
        a, b = (self.us(problem, *pair) for pair in (over, under))
        return a / b if a and b else None

    def per_body(self, problem, peer, method):
        """Microseconds per body and iteration."""
        entry = self.entries.get((problem, peer, method))
        if not entry or not entry["iterations"]:
            return None
        return entry["us"] / entry["bodies"] / entry["iterations"]

    def spread(self):
        """By how much the median of the rounds is above the time that is told, in percent: the median of all, and the largest."""
        spreads = [100 * (statistics.median(e["rounds_us"]) / e["us"] - 1) for e in self.record["entries"]]
        return statistics.median(spreads), max(spreads)


def markdown(rows):
    """A table: the first row is the head, the first column stands left, the others right."""
    lines = ["| " + " | ".join(rows[0]) + " |", "|---|" + "---:|" * (len(rows[0]) - 1)]
    return lines + ["| " + " | ".join(row) + " |" for row in rows[1:]]


def implicit_table(table):
    ours, exudyn, limit = ("pintle", "generalized-alpha"), ("exudyn", "generalized-alpha"), ("limit", "generalized-alpha")
    rows = [["problem", "pintle", "Exudyn", "Exudyn/pintle", "loop by hand", "pintle/loop", "pintle, per body and iteration",
             "Exudyn, per body and iteration", "MuJoCo implicit"]]
    for problem in table.problems:
        if table.us(problem, *ours) is None:
            continue
        rows.append([problem, table.cell(problem, *ours), table.cell(problem, *exudyn),
                     number(table.ratio(problem, exudyn, ours)), table.cell(problem, *limit),
                     number(table.ratio(problem, ours, limit)), number(table.per_body(problem, *ours)),
                     number(table.per_body(problem, *exudyn)), table.cell(problem, "mujoco", "implicit")])
    return markdown(rows)


def explicit_table(table):
    ours, pinocchio = ("pintle", "rk4"), ("pinocchio", "rk4")
    rows = [["problem", "pintle", "Pinocchio ABA", "pintle/Pinocchio", "MuJoCo", "Exudyn"]]
    for problem in table.problems:
        if table.us(problem, *ours) is None:
            continue
        rows.append([problem, table.cell(problem, *ours), table.cell(problem, *pinocchio),
                     number(table.ratio(problem, ours, pinocchio)), table.cell(problem, "mujoco", "rk4"),
                     table.cell(problem, "exudyn", "rk4")])
    return markdown(rows)


def settings_of(record):
    """What each code was run with, by problem where it differs."""
    lines = []
    for peer, about in record["peers"].items():
        by_setting = {}
        for entry in record["entries"]:
            if entry["peer"] == peer:
                by_setting.setdefault(entry["settings"], []).append(entry["problem"])
        if len(by_setting) > len(about["methods"]):
            words = "; ".join(f"{setting} ({', '.join(dict.fromkeys(names))})" for setting, names in by_setting.items())
        else:
            words = "; ".join(by_setting)
        lines.append(f"- **{about['name']}** {about['version']}: {words}.")
    for peer, why in record["missing"].items():
        lines.append(f"- {peer} was not there: {why}.")
    return lines


def section(record):
    """The text between the marks."""
    table = Table(record)
    middle, largest = table.spread()
    wrong = [f"{entry['problem']}, {entry['peer']} {entry['method']}" for entry in record["entries"] if not entry["agrees"]]
    lines = [
        BEGIN,
        "## Beside other codes",
        "",
        f"Measured on {record['date']}: {record['machine']}; Python {record['python']}. One run of all codes:",
        "",
        "    benches/peers/run.py",
        "",
        "It installs Exudyn, MuJoCo and Pinocchio from PyPI (versions in `benches/peers/requirements.txt`) into an environment",
        "under the target directory, builds the library as `cargo build --release` does (`scripts/dist` optimizes it as a whole: steps on",
        "hinges take 2 % less, those of the heavy top 3 % more), and runs the same bodies, joints, inertias and first states in",
        "all of them (`benches/peers/problems.py`) with steps of 1 ms. Kynema is not on PyPI and left out. The loop by hand is",
        "`benches/limit.cpp`: everything of fixed size, no checks, no restarts, with instructions of this very processor and",
        "relaxed arithmetic.",
        "",
        "Before timing, positions are compared with a reference (the heavy top's: equations of the symmetric top): the error must",
        "be the method's own, which a run with half the step tells. A dagger (†) marks a code whose positions are others.",
        *([f"Here: {'; '.join(wrong)}."] if wrong else []),
        "",
        "Times are processor times in microseconds per step, by the difference of two run lengths, of each the fastest run of"
        f" {record['rounds']} rounds",
        "in which the codes take turns, each alone: other guests of the machine only add. The medians of the rounds are above that by"
        f" {middle:.0f} %",
        f"(half of them; the worst by {largest:.0f} %).",
        "",
        *settings_of(record),
        "",
        "Implicit, us per step (iterations per step). Exudyn's modified Newton factorises its matrix in few of its iterations, so",
        "that its iterations are cheaper than those of the others and more. MuJoCo's implicit integrator is of order 1 and solves",
        "once per step, in joint coordinates.",
        "",
        *implicit_table(table),
        "",
        "Explicit, classical Runge-Kutta method of order 4, us per step. Pinocchio and MuJoCo compute in joint coordinates, in",
        "which trees need no constraints; Pinocchio keeps third derivatives that take n^3 numbers, too many for 1000 bodies. On",
        "chains of spherical joints the rounding errors of its articulated-body algorithm nearly double with each link: at 60 links",
        "they are as large as the accelerations, at 100 the run ends in numbers that are not finite.",
        "",
        *explicit_table(table),
        "",
        "The heavy top's error of the position after 2 s over processor time, steps from 8 ms to 0.125 ms:",
        "",
        f"![Work and precision](pictures/{PICTURE})",
        END,
    ]
    return "\n".join(lines) + "\n"


def picture(curves):
    """Error over processor time as an SVG, both axes logarithmic."""
    width, height, left, right, top, bottom = 1040, 640, 90, 300, 70, 70
    points = [(point["seconds"], point["error"]) for curve in curves for point in curve["points"] if point["seconds"] > 0]
    x_range = [math.floor(math.log10(min(x for x, _ in points))), math.ceil(math.log10(max(x for x, _ in points)))]
    y_range = [math.floor(math.log10(min(y for _, y in points))), math.ceil(math.log10(max(y for _, y in points)))]
    x_range[1] = max(x_range[1], x_range[0] + 1)
    y_range[1] = max(y_range[1], y_range[0] + 1)

    def x_at(value):
        return left + (math.log10(value) - x_range[0]) / (x_range[1] - x_range[0]) * (width - left - right)

    def y_at(value):
        return height - bottom - (math.log10(value) - y_range[0]) / (y_range[1] - y_range[0]) * (height - top - bottom)

    def words(x, y, content, size=14, anchor="start", more=""):
        return f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size}" text-anchor="{anchor}" fill="#262B33"{more}>{content}</text>'

    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}"'
        ' font-family="sans-serif">',
        f'<rect width="{width}" height="{height}" fill="#FFFFFF"/>',
        words(20, 32, "Heavy top, spin 150 rad/s: error of the position after 2 s over processor time", 18),
    ]
    for power in range(x_range[0], x_range[1] + 1):
        x = x_at(10.0**power)
        lines.append(f'<line x1="{x:.1f}" y1="{top}" x2="{x:.1f}" y2="{height - bottom}" stroke="#E1E4E8"/>')
        lines.append(words(x, height - bottom + 22, f"1e{power}", anchor="middle"))
    for power in range(y_range[0], y_range[1] + 1):
        y = y_at(10.0**power)
        lines.append(f'<line x1="{left}" y1="{y:.1f}" x2="{width - right}" y2="{y:.1f}" stroke="#E1E4E8"/>')
        lines.append(words(left - 8, y + 5, f"1e{power}", anchor="end"))
    lines.append(words((left + width - right) / 2, height - 20, "processor time, s", anchor="middle"))
    middle = (top + height - bottom) / 2
    lines.append(words(24, middle, "error, m", anchor="middle", more=f' transform="rotate(-90 24 {middle:.1f})"'))
    legend = top + 10
    for curve in curves:
        known = [point for point in curve["points"] if point["seconds"] > 0]
        if not known:
            continue
        style = f'stroke="{COLOURS.get(curve["peer"], "#000000")}" stroke-width="2" fill="none"'
        dash = DASHES.get(curve["method"], "")
        style += f' stroke-dasharray="{dash}"' if dash else ""
        path = " ".join(f"{x_at(point['seconds']):.1f},{y_at(point['error']):.1f}" for point in known)
        lines.append(f'<polyline points="{path}" {style}/>')
        colour = COLOURS.get(curve["peer"], "#000000")
        for point in known:
            x, y = x_at(point["seconds"]), y_at(point["error"])
            lines.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{colour}"/>')
        start = width - right + 16
        lines.append(f'<line x1="{start}" y1="{legend}" x2="{start + 34}" y2="{legend}" {style}/>')
        lines.append(words(start + 42, legend + 5, f"{curve['name']} {curve['method']}"))
        legend += 24
    return "\n".join([*lines, "</svg>"]) + "\n"


def write(record, docs):
    """Puts the section in the place of the one before (or at the end of the page) and draws the picture."""
    page = docs / "benchmarks.md"
    text = page.read_text() if page.exists() else "# Benchmarks\n"
    if BEGIN in text:
        before, rest = text.split(BEGIN, 1)
        after = rest.split(END, 1)[1].lstrip("\n")
    else:
        before, after = text.rstrip("\n") + "\n\n", ""
    page.write_text(before + section(record) + ("\n" + after if after else ""))
    pictures = docs / "pictures"
    pictures.mkdir(parents=True, exist_ok=True)
    (pictures / PICTURE).write_text(picture(record["precision"]))
    print(f"wrote {page} and {pictures / PICTURE}")
