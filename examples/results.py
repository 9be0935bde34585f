"""Results of an experiment in Python: python3 examples/results.py DIR

DIR is what `elbowroom experiment FILE -o DIR` has written. The cells (# %%) run in editors that show
Python files as notebooks, too. It needs nothing but the standard library.
"""

# %% The runs, one dictionary each, and the better paths of all searches
import json
import math
import sys
from pathlib import Path

folder = Path(sys.argv[1] if len(sys.argv) > 1 else "results")


def read_json(folder):
    """Reads all records; of several with one id the first counts, and an incomplete last line is ignored."""
    runs = {}
    for file in sorted(folder.glob("runs*.jsonl")):
        for line in file.read_text(encoding="utf-8").split("\n")[:-1]:
            run = json.loads(line)
            runs.setdefault(run["id"], run)
    steps = [
        {"id": run["id"], "number": i + 1, "iterations": step[0], "ms": step[1], "length": step[2]}
        for run in runs.values()
        for i, step in enumerate(run.get("improvements") or [])
    ]
    return list(runs.values()), steps


runs, steps = read_json(folder)
print(f"{len(runs)} runs", file=sys.stderr)


# %% Runs by setting: the planner with its options
def setting(run):
    options = " ".join(f"{name}={value:g}" for name, value in sorted(run["planner_options"].items()))
    return f"{run['planner']} {options}".strip()


settings = {}
for run in runs:
    settings.setdefault(setting(run), []).append(run)


# %% Medians over all runs: a run without a path counts, with an infinite value
def median(values):
    values = sorted(math.inf if value is None else value for value in values)
    low, high = values[(len(values) - 1) // 2], values[len(values) // 2]
    return low if low == high else (low + high) / 2


print(f"{'setting':<28}{'solved':>9}{'first ms':>12}{'first rad':>12}{'search rad':>12}{'final rad':>12}")
for name, group in sorted(settings.items()):
    solved = [run for run in group if run["status"] == "solved"]
    columns = [median(run[key] for run in group) for key in ("first_ms", "first_length", "search_length", "path_length")]
    print(f"{name:<28}{len(solved):>4} of {len(group):<2}" + "".join(f"{value:>12.3f}" for value in columns))

# %% Share of the runs that have a path by a time: the denominator is all runs
of_run = {run["id"]: setting(run) for run in runs}
first = {}
for step in steps:
    if step["number"] == 1:
        first.setdefault(of_run[step["id"]], []).append(step["ms"])
times = [10**exponent for exponent in range(5)]
print(f"\n{'with a path by':<28}" + "".join(f"{time:>9} ms" for time in times))
for name, group in sorted(settings.items()):
    shares = [sum(ms <= time for ms in first.get(name, [])) / len(group) for time in times]
    print(f"{name:<28}" + "".join(f"{100 * share:>10.0f} %" for share in shares))

# %% A chart of the same, if matplotlib is installed and the file runs as a notebook
if "ipykernel" in sys.modules:
    import matplotlib.pyplot as plt

    for name, group in sorted(settings.items()):
        ms = sorted(first.get(name, []))
        plt.step(ms, [(i + 1) / len(group) for i in range(len(ms))], where="post", label=name)
    plt.xscale("log")
    plt.xlabel("time of the search (ms)")
    plt.ylabel("runs with a path")
    plt.legend()
    plt.show()
