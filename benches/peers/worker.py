"""One code in a process of its own: takes requests as lines of JSON and answers each with one. `worker.py <peer>`"""

import importlib
import json
import os
import sys

import problems

# What the codes print must not come between the answers.
answers = os.fdopen(os.dup(1), "w")
os.dup2(2, 1)


def answer(message):
    print(json.dumps(message), file=answers, flush=True)


def main():
    try:
        peer = importlib.import_module(sys.argv[1] + "_peer")
    except Exception as error:  # not installed, not compiled: the caller says so and goes on without it
        answer({"missing": f"{type(error).__name__}: {error}"})
        return
    answer({"name": peer.NAME, "version": peer.VERSION, "methods": peer.METHODS})
    by_name = {problem.name: problem for problem in problems.problems()}
    for line in sys.stdin:
        request = json.loads(line)
        problem, method = by_name[request["problem"]], request["method"]
        try:
            if request["ask"] == "can":
                answer({"can": bool(peer.can(problem, method))})
            elif request["ask"] == "tune":
                answer({"settings": peer.tune(problem, method, request["step"])})
            else:
                runs = [peer.run(problem, method, request["step"], request["steps"]) for _ in range(request["repeats"])]
                answer(runs[-1] | {"cpu": min(run["cpu"] for run in runs)})
        except Exception as error:
            answer({"error": f"{type(error).__name__}: {error}", "converged": False})


main()
