#!/usr/bin/env python3
"""Mooring lines in pintle and in MoorDyn (the `moordyn` wheel of PyPI): accuracy and processor time, into docs/benchmarks.md.

    benches/peers/mooring.py                    installs, builds, measures, writes the section
    benches/peers/mooring.py --only OC3         the cases with this word
    benches/peers/mooring.py --report FILE      writes the section from a record of an earlier run

The cases are in mooring_cases.py. The reference of a case is MoorDyn's RK4 at host steps of 2.5 ms with inner steps that are
halved until the tensions change by less than 2e-4 of their maximum. Error is the largest difference of the tension of the
fairlead's segment over its maximum. MoorDyn moves coupled points in straight lines over a host's step and bounds its inner
steps; of its schemes and host steps the fastest with an error below 0.5 % is compared with pintle at 0.1 s. Both run the host's
loop in C (mooring_loop.c), in turn; times are processor times of the loop, without start. References and the settings that
were good are kept beside the environment for the next run.
"""

import argparse
import dataclasses
import datetime
import json
import os
import pathlib
import statistics
import subprocess
import sys

import mooring_cases
from run import HERE, ROOT, install, machine, release_library, say

BEGIN, END = "<!-- moorings: written by benches/peers/mooring.py -->", "<!-- moorings: end -->"
FINE = 0.0025  # s, host steps of the reference
STEPS = [0.1, 0.05, 0.025, FINE]  # s, of pintle
# At the shortest step also with a bed that is as hard from the start as MoorDyn's, and with one that holds nodes as its damper does.
HARD = {"seabed_smoothing": 1e-3}
HOLDING = HARD | {"seabed_adhesion": 1.0}
SCHEMES = ["Euler", "LEuler", "RK2", "midpoint2", "RK4"]
HOSTS = [0.1, 0.05, 0.025]  # s, host steps of MoorDyn
GOOD = 0.005
OPTIONS = {"rho_inf": 0.3}
REFERENCE_CHANGE = 2e-4
DRAWN = ["OC3, N = 20", "OC4, 3 x 20", "snap, N = 20"]  # whose tensions mooring_figures.py draws


class Worker:
    """A code in its process."""

    def __init__(self, code, environment):
        command, pipe = [sys.executable, HERE / "mooring_codes.py", code], subprocess.PIPE
        self.process = subprocess.Popen(
            command, env=environment, cwd=environment["PEERS_CACHE"], text=True, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL
        )

    def run(self, case, **request):
        self.process.stdin.write(json.dumps({"case": case.name, **request}) + "\n")
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        return json.loads(line) if line else {"error": "its process ended"}

    def close(self):
        self.process.stdin.close()
        self.process.wait()


def largest_difference(tensions, every, fine, lines):
    """Between a run and one whose host steps are `every` times shorter; MoorDyn tells the absolute value of a tension."""
    rows = len(tensions) // lines
    pairs = ((tensions[i * lines + k], fine[((i + 1) * every - 1) * lines + k]) for i in range(rows) for k in range(lines))
    return max(abs(abs(a) - abs(b)) for a, b in pairs)


def reference(case, moordyn):
    """Tensions of RK4, their maximum and by how much they still changed."""
    lines, inner, last = len(case.fairleads), FINE, None
    while inner > FINE / 64:
        run = moordyn.run(case, dt=FINE, scheme="RK4", inner=inner)
        if "error" not in run:
            tension = run["tension"]
            largest = max(map(abs, tension))
            change = largest_difference(tension, 1, last, lines) / largest if last else 1.0
            if change < REFERENCE_CHANGE:
                return {"tension": tension, "largest": largest, "change": change, "inner": inner, "rest": run["rest"]}
            last = tension
        inner /= 2
    raise SystemExit(f"{case.name}: no reference")


def error_of(run, case, dt, fine):
    every = round(dt / FINE)
    return largest_difference(run["tension"], every, fine["tension"], len(case.fairleads)) / fine["largest"]


def largest_good_step(case, moordyn, fine, dt, scheme):
    """MoorDyn's fewest inner steps per host step with an error below 0.5 %, by bisection, and the run; None if there are none."""
    runs = {}

    def good(n):
        run = moordyn.run(case, dt=dt, scheme=scheme, inner=dt / n)
        if "error" not in run:
            runs[n] = run | {"error": error_of(run, case, dt, fine)}
        return n in runs and runs[n]["error"] < GOOD

    low, high = 0, max(1, round(dt / 0.025))
    # No scheme takes steps longer than twice the limit of the explicit Euler method: the first one that is stable is near.
    while not good(high):
        if high in runs and high - 1 in runs or high > 400 * dt / 0.05:
            return None
        low, high = high, max(high + 1, round(1.5 * high))
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if good(middle) else (middle, high)
    return {"scheme": scheme, "host": dt, "inner": dt / high, "error": runs[high]["error"], "cpu": runs[high]["cpu"]}


def best_of_moordyn(case, moordyn, fine):
    """Its fastest setting, and all that were good."""
    hosts = HOSTS if case.segments < 500 else [0.05]
    found = [largest_good_step(case, moordyn, fine, dt, scheme) for dt in hosts for scheme in SCHEMES]
    found = sorted((one for one in found if one), key=lambda one: one["cpu"])
    for one in found:
        say(f"    MoorDyn {one['scheme']:10} host {one['host']:g} s, inner {1e3 * one['inner']:.3g} ms: "
            f"{100 * one['error']:.2f} %, {1e3 * one['cpu'] / case.time:.3f} ms/s")
    return found


def measure(case, workers, rounds, cache):
    """One case: errors at all steps, and times in turn."""
    kept = cache / f"mooring_{case.name.replace(', ', '_').replace(' ', '')}.json"
    if kept.exists() and (known := json.loads(kept.read_text()))["case"] == json.loads(json.dumps(dataclasses.asdict(case))):
        fine, found = known["reference"], known["found"]
    else:
        fine = reference(case, workers["moordyn"])
        found = best_of_moordyn(case, workers["moordyn"], fine) if case.timed else []
        kept.write_text(json.dumps({"case": dataclasses.asdict(case), "reference": fine, "found": found}))
    say(f"{case.name}: {fine['rest'] / 1e3:.2f} kN at rest, {fine['largest'] / 1e3:.1f} kN at most; "
        f"reference at {1e3 * fine['inner']:.3g} ms, last change {fine['change']:.1e}")
    entry = {"case": case.name, "segments": case.segments, "lines": len(case.fairleads), "largest": fine["largest"],
             "reference": {key: fine[key] for key in ("inner", "change", "rest")}, "steps": [], "time": case.time, "found": found}
    for dt, bed in [*((dt, {}) for dt in STEPS), (FINE, HARD), (FINE, HOLDING)]:
        run = workers["pintle"].run(case, dt=dt, options=OPTIONS, bed=bed)
        if "error" in run:
            say(f"    pintle {dt:g} s {bed or ''}: {run['error']}")
            entry["steps"].append({"dt": dt, "failure": run["error"]})
            continue
        error = error_of(run, case, dt, fine)
        entry["steps"].append({"dt": dt, "error": error, "cpu": run["cpu"] / case.time, "iterations": run["iterations"],
                               "failed": run["failed"], "rest": run["rest"], "bed": bed})
        if case.name in DRAWN and dt == STEPS[0]:
            lines, every = len(case.fairleads), round(dt / FINE)
            entry["history"] = {"dt": dt, "pintle": run["tension"][::lines], "moordyn": fine["tension"][::lines][every - 1 :: every]}
        say(f"    pintle {dt:g} s {bed or ''}: {100 * error:.3f} %, {run['iterations']:.2f} iterations, "
            f"{1e3 * run['cpu'] / case.time:.4f} ms/s, {run['failed']:g} failed steps, {run['rest'] / 1e3:.2f} kN at rest")
    if not found:
        return entry
    best = entry["moordyn"] = found[0]
    times = entry["times"] = {"pintle": [], "moordyn": []}
    for _ in range(rounds):
        requests = {
            "pintle": {"dt": STEPS[0], "options": OPTIONS},
            "moordyn": {"dt": best["host"], "scheme": best["scheme"], "inner": best["inner"]},
        }
        for code, request in requests.items():
            runs = [workers[code].run(case, **request) for _ in range(3 if case.segments < 500 else 1)]
            if all("cpu" in run for run in runs):
                times[code].append(min(run["cpu"] for run in runs) / case.time)
    if all(times.values()):
        say(f"    ratio {ratio(entry):.2f}")
    return entry


def ratio(entry):
    """The median of the ratios of the rounds."""
    times = entry["times"]
    return statistics.median(b / a for a, b in zip(times["pintle"], times["moordyn"]))


def section(record):
    """The section of the page."""
    lines = [
        BEGIN,
        "## Mooring lines beside MoorDyn",
        "",
        f"Measured on {record['date']}: {record['machine']}; MoorDyn {record['moordyn']}, the wheel of PyPI, in the same run:",
        "",
        "    benches/peers/mooring.py",
        "",
        "Lines of OC3 Hywind and OC4 DeepCwind whose fairleads are moved: OC3 by 2 m in 10 s along, 0.5 m in 13 s across and 1 m",
        "in 9 s up and down, OC4 with a body that also rolls, pitches and yaws; snap is OC3 moved by 8 m in 10 s, slack in each",
        "cycle (`benches/peers/mooring_cases.py`). The error is the largest difference of the tension of the fairlead's segment",
        "from MoorDyn's RK4, converged, at host steps of 2.5 ms, over the largest tension. pintle: generalized-alpha,",
        f"`rho_inf` {OPTIONS['rho_inf']}; iterations per step at 0.1 s; times are processor times per simulated second. pintle's bed",
        "becomes hard over the first 0.1 m of penetration, MoorDyn's at once, and does not pull, where MoorDyn's damper holds nodes",
        "that leave: differences of the model, which are taken away one after the other in the columns of the hard bed (`seabed_smoothing`",
        f"{HARD['seabed_smoothing']:g} m) and of the one that holds as well (`seabed_adhesion` {HOLDING['seabed_adhesion']:g}).",
        "",
        "| case | 0.1 s | 0.05 s | 0.025 s | 2.5 ms | hard bed | hard bed that holds | iterations | cut steps |",
        "|---|---:|---:|---:|---:|---:|---:|---:|---:|",
    ]
    for entry in record["entries"]:
        cells = ["failed" if "failure" in step else f"{100 * step['error']:.2f} %" for step in entry["steps"]]
        first = next((step for step in entry["steps"] if "failure" not in step), {"iterations": float("nan"), "failed": 0})
        failed = sum(step.get("failed", 0) for step in entry["steps"])
        lines.append(f"| {entry['case']} | {' | '.join(cells)} | {first['iterations']:.2f} | {failed:g} |")
    lines += [
        "",
        "Times beside MoorDyn's fastest setting with an error below 0.5 % (of its schemes " + ", ".join(SCHEMES) + ", each at",
        "its largest good inner step, at host steps of 0.1, 0.05 and 0.025 s; at N = 500 of 0.05 s), pintle at 0.1 s. MoorDyn moves",
        "coupled points in straight lines over a host's step, which costs it accuracy at 0.1 s. "
        f"Load of the machine at the end of the run: {record.get('load', 'not noted')}.",
        "",
        "| case | pintle, ms/s | error | MoorDyn, ms/s | error | its setting | ratio |",
        "|---|---:|---:|---:|---:|---|---:|",
    ]
    for entry in record["entries"]:
        if not entry.get("times", {}).get("pintle"):
            continue
        own, other = (1e3 * statistics.median(entry["times"][code]) for code in ("pintle", "moordyn"))
        best, error = entry["moordyn"], entry["steps"][0].get("error", float("nan"))
        setting = f"{best['scheme']}, {1e3 * best['inner']:.3g} ms in host steps of {best['host']:g} s"
        lines.append(f"| {entry['case']} | {own:.3f} | {100 * error:.2f} % | {other:.3f} | {100 * best['error']:.2f} % "
                     f"| {setting} | {ratio(entry):.1f} |")
    return "\n".join([*lines, END, ""])


def write(record, docs):
    """Puts the section in the place of the one before, or at the end of the page."""
    page = docs / "benchmarks.md"
    text = page.read_text()
    before, rest = text.split(BEGIN, 1) if BEGIN in text else (text.rstrip("\n") + "\n\n", END)
    page.write_text(before + section(record) + rest.split(END, 1)[1].lstrip("\n"))
    say(f"wrote {page}")


def measure_all(options):
    """The record of a run."""
    target = pathlib.Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")).resolve()
    cache = pathlib.Path(options.cache or target / "peers").resolve()
    cache.mkdir(parents=True, exist_ok=True)
    python = install(cache, "moordyn")
    wheel = next((cache / "venv" / "lib").glob("python*/site-packages/moordyn-*.dist-info")).name
    loops = cache / "libmooring_loop.so"
    subprocess.run(["gcc", "-O2", "-shared", "-fPIC", HERE / "mooring_loop.c", "-o", loops], check=True)
    environment = os.environ | {
        "PEERS_CACHE": str(cache),
        "PEERS_PINTLE": str(pathlib.Path(options.library or release_library()).resolve()),
        "MOORING_LOOPS": str(loops),
        "MOORING_MOORDYN": str(python.parent.parent / "lib/python*/site-packages/moordyn.libs/libmoordyn*"),
        "OMP_NUM_THREADS": "1",
    }
    workers = {code: Worker(code, environment) for code in ("moordyn", "pintle")}
    chosen = [case for case in mooring_cases.cases() if options.only in case.name]
    record = {
        "date": datetime.date.today().isoformat(),
        "machine": machine(),
        "load": "",
        "moordyn": wheel.split("-")[1].removesuffix(".dist"),
        "entries": [measure(case, workers, options.rounds, cache) for case in chosen],
    }
    record["load"] = f"{os.getloadavg()[1]:.1f} processes on {os.cpu_count()} cores"
    for worker in workers.values():
        worker.close()
    (cache / "mooring_record.json").write_text(json.dumps(record, indent=1))
    say(f"record: {cache / 'mooring_record.json'}")
    return record


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", metavar="WORD", default="", help="cases whose name has the word")
    parser.add_argument("--rounds", type=int, default=7, help="measurements of each time")
    parser.add_argument("--cache", help="where environment and record are; <target>/peers")
    parser.add_argument("--library", help="a libpintle.so that is there; otherwise Cargo builds it")
    parser.add_argument("--report", metavar="FILE", help="a record; nothing is measured")
    parser.add_argument("--docs", default=str(ROOT / "docs"), help="the folder of benchmarks.md")
    options = parser.parse_args()
    record = json.loads(pathlib.Path(options.report).read_text()) if options.report else measure_all(options)
    write(record, pathlib.Path(options.docs))


if __name__ == "__main__":
    main()
