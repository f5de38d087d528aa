#!/usr/bin/env python3
"""Runs the same problems in pintle and in its peers, and writes what it measured into docs/benchmarks.md.

    benches/peers/run.py                       installs, builds, measures, writes page and picture
    benches/peers/run.py --quick               small problems and few rounds, to see that it works
    benches/peers/run.py --only tree           the problems with this word
    benches/peers/run.py --report FILE         writes page and picture from a record of an earlier run

The peers come from PyPI (requirements.txt) into a virtual environment under Cargo's target directory; one that cannot be had is
left out with a word. Each code runs in a process of its own (worker.py), one at a time, in turn; times are processor times,
per step, by the difference of two run lengths, of each the fastest run. Before anything is timed, the positions are compared with a reference: the
error must be the method's own, which a run with half the step tells. The record (JSON) lies beside the environment.
"""

import argparse
import datetime
import json
import math
import os
import pathlib
import platform
import subprocess
import sys

import problems
import reference
import report

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
PEERS = ["pintle", "exudyn", "mujoco", "pinocchio", "limit"]
# What iterations leave: they stop at tolerances of 1e-8 to 1e-10.
ITERATION_ERROR = 1e-7
PRECISION_END = 2.0  # s
PRECISION_STEPS = [250, 500, 1000, 2000, 4000, 8000, 16000]


def say(*words):
    print(*words, flush=True)


def install(cache, only=""):
    """The environment's Python with the peers in it (those whose line has the word); what cannot be installed is told."""
    python = cache / "venv" / "bin" / "python"
    if not python.exists():
        subprocess.run([sys.executable, "-m", "venv", cache / "venv"], check=True)
    wanted = [line.strip() for line in (HERE / "requirements.txt").read_text().splitlines()]
    wanted = [line for line in wanted if line and not line.startswith("#") and only in line]
    pip = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    if subprocess.run([*pip, *wanted], check=False).returncode != 0:
        for one in wanted:
            if subprocess.run([*pip, one], check=False, stderr=subprocess.DEVNULL).returncode != 0:
                say(f"cannot install {one}: its column stays empty")
    return python


def target_directory():
    """Cargo's."""
    return pathlib.Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")).resolve()


def release_library():
    """Builds libpintle.so as Cargo releases it, and says where it is."""
    command = ["cargo", "rustc", "--locked", "--release", "--lib", "--crate-type", "cdylib,staticlib"]
    command += ["--message-format=json-render-diagnostics"]
    built = subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True).stdout
    messages = [json.loads(line) for line in built.splitlines() if line.startswith("{")]
    return next(name for message in messages for name in message.get("filenames", []) if name.endswith("libpintle.so"))


class Worker:
    """A code in its process."""

    def __init__(self, peer, python, environment):
        self.peer = peer
        command = [python, HERE / "worker.py", peer]
        # Some of the codes write logs where they run.
        directory, pipe = environment["PEERS_CACHE"], subprocess.PIPE
        self.process = subprocess.Popen(
            command, env=environment, cwd=directory, text=True, stdin=pipe, stdout=pipe
        )
        self.about = self.answer()

    def answer(self):
        line = self.process.stdout.readline()
        return json.loads(line) if line else {"missing": "its process ended", "error": "its process ended"}

    def ask(self, **request):
        if self.process.poll() is not None:
            return {"error": "its process has ended", "converged": False}
        self.process.stdin.write(json.dumps(request) + "\n")
        self.process.stdin.flush()
        return self.answer()

    def run(self, problem, method, step, steps, repeats=1):
        return self.ask(ask="run", problem=problem.name, method=method, step=step, steps=steps, repeats=repeats)

    def close(self):
        self.process.stdin.close()
        self.process.wait()


def distance(a, b):
    """The largest difference of positions, of the bodies that both tell; NaN where one is none."""
    pairs = [(x, y) for p, q in zip(a, b) if p and q for x, y in zip(p, q)]
    if not pairs or not all(math.isfinite(x) and math.isfinite(y) for x, y in pairs):
        return math.nan
    return max(abs(x - y) for x, y in pairs)


def reference_positions(problem, workers):
    """Positions at the time of the comparison, and who computed them."""
    if problem.name == "heavy top":
        return [reference.centre_of_mass(problem.step * problem.compare)], "the equations of the symmetric top"
    for peer in ("mujoco", "pintle"):
        worker = workers.get(peer)
        if worker and worker.ask(ask="can", problem=problem.name, method="rk4").get("can"):
            run = worker.run(problem, "rk4", problem.step / 4, 4 * problem.compare)
            if run["converged"]:
                return run["positions"], f"{worker.about['name']} rk4 with a quarter of the step"
    raise SystemExit(f"{problem.name}: no reference")


def compare(problem, workers, pairs):
    """Errors of all codes and whether they are those of their methods: order 1 or higher, so at most twice the difference to a
    run with half the step, and half of that again for what the next order adds."""
    expected, source = reference_positions(problem, workers)
    say(f"{problem.name}: compared at {problem.step * problem.compare:g} s with {source}")
    results = {}
    for peer, method in pairs:
        runs = [workers[peer].run(problem, method, problem.step / k, k * problem.compare) for k in (1, 2)]
        entry = {"agrees": False, "error": None, "own": None}
        if all(run.get("converged") for run in runs):
            error = distance(runs[0]["positions"], expected)
            own = distance(runs[0]["positions"], runs[1]["positions"])
            agrees = error <= 3.0 * own + ITERATION_ERROR
            entry = {"agrees": agrees, "error": None if math.isnan(error) else error, "own": None if math.isnan(own) else own}
        results[peer, method] = entry
        say(f"    {peer:10} {method:18} error {entry['error']}  {'agrees' if entry['agrees'] else 'DISAGREES'}")
    return results


def difference_of_least(times):
    """Of a shorter and a longer run, measured some times: what other programs and the guests of other machines do only adds."""
    before, after = (min(of_one) for of_one in zip(*times))
    return after - before


def measure(problem, workers, rounds):
    """One problem in all codes: a list of entries."""
    pairs = []
    for peer, worker in workers.items():
        for method in worker.about["methods"]:
            if worker.ask(ask="can", problem=problem.name, method=method).get("can"):
                pairs.append((peer, method))
    settings = {
        (peer, method): workers[peer].ask(ask="tune", problem=problem.name, method=method, step=problem.step)
        for peer, method in pairs
    }
    agreement = compare(problem, workers, pairs)
    times, iterations = {pair: [] for pair in pairs}, {}
    short, long = problem.window
    for _ in range(rounds):
        for peer, method in pairs:
            runs = [workers[peer].run(problem, method, problem.step, n, problem.repeats) for n in (short, long)]
            if all("cpu" in run for run in runs):
                times[peer, method].append([run["cpu"] for run in runs])
                counts = [run.get("iterations") for run in runs]
                if None not in counts:
                    iterations[peer, method] = (counts[1] * long - counts[0] * short) / (long - short)
    entries = []
    for pair in pairs:
        if not times[pair]:
            say(f"    {pair[0]} {pair[1]}: {settings[pair].get('error', 'no time')}")
            continue
        per_step = 1e6 / (long - short)
        least = per_step * difference_of_least(times[pair])
        entry = {
            "problem": problem.name,
            "bodies": len(problem.bodies),
            "peer": pair[0],
            "method": pair[1],
            "settings": settings[pair].get("settings", ""),
            "us": least,
            "rounds_us": [per_step * (after - before) for before, after in times[pair]],
            "iterations": iterations.get(pair),
            **agreement[pair],
        }
        say(f"    {pair[0]:10} {pair[1]:18} {least:12.3f} us/step  {entry['iterations'] or ''}  {entry['settings']}")
        entries.append(entry)
    return entries


def work_precision(problem, workers, rounds):
    """Error of the heavy top at 2 s over processor time, for each method and number of steps."""
    expected = reference.centre_of_mass(PRECISION_END)
    curves = []
    for peer, worker in workers.items():
        for method in worker.about["methods"]:
            if not worker.ask(ask="can", problem=problem.name, method=method).get("can"):
                continue
            points = []
            for steps in PRECISION_STEPS:
                times, error, step = [], math.nan, PRECISION_END / steps
                worker.ask(ask="tune", problem=problem.name, method=method, step=step)
                for _ in range(rounds):
                    one, run = (worker.run(problem, method, step, n) for n in (1, steps))
                    if run.get("converged") and one.get("converged"):
                        times.append((one["cpu"], run["cpu"]))
                        error = distance(run["positions"], [expected])
                if times and math.isfinite(error) and error < 1.0:
                    points.append({"steps": steps, "seconds": difference_of_least(times), "error": error})
            curves.append({"peer": peer, "name": worker.about["name"], "method": method, "points": points})
            say(f"    {peer:10} {method:18} " + " ".join(f"{point['error']:.1e}" for point in points))
    return curves


def machine():
    """Processor and system in words."""
    try:
        lines = pathlib.Path("/proc/cpuinfo").read_text().splitlines()
        name = next(line.split(":")[1].strip() for line in lines if line.startswith("model name"))
    except (OSError, StopIteration):
        name = platform.processor() or "unknown processor"
    return f"{name}, {os.cpu_count()} cores, {platform.system()} {platform.machine()}"


def measure_all(options):
    """The record of a run."""
    cache = pathlib.Path(options.cache or target_directory() / "peers").resolve()
    cache.mkdir(parents=True, exist_ok=True)
    subprocess.run([ROOT / "scripts" / "setup", "cargo", "gcc", "g++"], check=True)
    python = install(cache)
    environment = os.environ | {
        "PEERS_CACHE": str(cache),
        "PEERS_PINTLE": str(pathlib.Path(options.library or release_library()).resolve()),
        "OMP_NUM_THREADS": "1",
        "OPENBLAS_NUM_THREADS": "1",
    }
    workers, missing = {}, {}
    for peer in PEERS:
        worker = Worker(peer, python, environment)
        if "missing" in worker.about:
            missing[peer] = worker.about["missing"]
            say(f"{peer} is left out: {worker.about['missing']}")
        else:
            workers[peer] = worker
            say(f"{worker.about['name']} {worker.about['version']}")
    if "pintle" not in workers:
        raise SystemExit("without pintle there is nothing to compare")
    chosen = [problem for problem in problems.problems() if options.only in problem.name]
    chosen = [problem for problem in chosen if not options.quick or len(problem.bodies) <= 100]
    entries = [entry for problem in chosen for entry in measure(problem, workers, options.rounds)]
    say("work and precision: the heavy top, error at 2 s")
    curves = work_precision(problems.problems()[0], workers, min(3, options.rounds))
    record = {
        "date": datetime.date.today().isoformat(),
        "machine": machine(),
        "python": platform.python_version(),
        "rounds": options.rounds,
        "peers": {peer: worker.about for peer, worker in workers.items()},
        "missing": missing,
        "entries": entries,
        "precision": curves,
    }
    for worker in workers.values():
        worker.close()
    (cache / "record.json").write_text(json.dumps(record, indent=1))
    say(f"record: {cache / 'record.json'}")
    return record


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="problems of at most 100 bodies")
    parser.add_argument("--only", metavar="WORD", default="", help="problems whose name has the word")
    parser.add_argument("--rounds", type=int, default=7, help="measurements of each number")
    parser.add_argument("--cache", help="where environment, programs and record are; <target>/peers")
    parser.add_argument("--library", help="a libpintle.so that is there; otherwise Cargo builds it")
    parser.add_argument("--report", metavar="FILE", help="a record; nothing is measured")
    parser.add_argument("--docs", default=str(ROOT / "docs"), help="the folder of benchmarks.md and pictures")
    options = parser.parse_args()
    record = json.loads(pathlib.Path(options.report).read_text()) if options.report else measure_all(options)
    report.write(record, pathlib.Path(options.docs))
    wrong = [entry for entry in record["entries"] if entry["peer"] == "pintle" and not entry["agrees"]]
    if wrong:
        raise SystemExit("pintle disagrees with the reference: " + ", ".join(entry["problem"] for entry in wrong))


if __name__ == "__main__":
    main()
