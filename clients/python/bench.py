"""Throughput from Python: states per second, 10,000 per call, beside JSON messages of the same states; and pairs per
second of `elbowroom.query`, each call of which starts a process.

    PYTHONPATH=clients/python python3 clients/python/bench.py [ADDRESS]
"""

import random
import statistics
import sys
import time
from pathlib import Path

import elbowroom
from elbowroom import arrays

COUNT = 10_000
ROUNDS = 9
PAIRS = 400_000
SCENE = Path(__file__).resolve().parents[2] / "scenes" / "shelf.yaml"


def main():
    with elbowroom.connect(sys.argv[1]) if len(sys.argv) > 1 else elbowroom.start(SCENE) as session:
        generator = random.Random(5)
        bounds = list(zip(session.lower, session.upper))
        states = [[generator.uniform(*ends) for ends in bounds] for _ in range(COUNT)]
        numbers = arrays.numpy.asarray(states) if arrays.numpy else states
        calls = {
            "frames": lambda: session.validate(numbers),
            "JSON": lambda: session.call("validate", {"states": states})["valid"],
        }
        rates = {name: [] for name in calls}
        for i in range(ROUNDS + 3):
            for name, call in calls.items():
                before = time.perf_counter()
                valid = call()
                if i >= 3:
                    rates[name].append(len(valid) / (time.perf_counter() - before))
        kind = "numpy" if arrays.numpy else "lists"
        for name, found in rates.items():
            print(f"{name} ({kind}): median {statistics.median(found):,.0f}, best {max(found):,.0f} states/s")


def pairs():
    generator = arrays.numpy.random.default_rng(5)
    poses = generator.normal(size=(PAIRS, 7))
    poses[:, 3:] /= arrays.numpy.linalg.norm(poses[:, 3:], axis=1, keepdims=True)
    pair = {
        "a": {"shape": {"type": "box", "size": [0.4, 0.6, 0.8]}, "pose": poses},
        "b": {"shape": {"type": "cylinder", "radius": 0.3, "length": 1}},
    }
    for what in ("collide", "distance", "growth"):
        best = 0.0
        for _ in range(ROUNDS):
            before = time.perf_counter()
            count = len(elbowroom.query(pair, what=what).status)
            best = max(best, count / (time.perf_counter() - before))
        print(f"query, {what}: best {best:,.0f} pairs/s of {PAIRS:,}")


if __name__ == "__main__":
    main()
    if arrays.numpy:
        pairs()
