"""A planner of your own on the service: a bidirectional RRT that checks states and motions with elbowroom.

    elbowroom serve scenes/table-top.yaml --socket /tmp/table.sock     # in another shell
    python3 examples/clients/rrt.py /tmp/table.sock

It prints the waypoints, one JSON line each. The client is the package in clients/python (docs/python.md).
"""

import json
import math
import random
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "clients" / "python"))  # without installation
import elbowroom  # noqa: E402


def rrt(session, goals, step=0.8, seed=1, iterations=20000):
    """Returns a path from the start of the scene to any of the goal states; None if there is none."""
    generator = random.Random(seed)
    trees = [[(list(session.start), None)], [(list(goal), None) for goal in goals]]
    bounds = list(zip(session.lower, session.upper))

    def extend(tree, target):
        near = min(tree, key=lambda node: math.dist(node[0], target))
        length = math.dist(near[0], target)
        q = list(target) if length <= step else [a + step / length * (b - a) for a, b in zip(near[0], target)]
        if not session.validate(q) or not session.validate_motions([[near[0], q]])[0]:
            return None
        tree.append((q, near))
        return tree[-1]

    def to_root(node):
        return [] if node is None else [node[0], *to_root(node[1])]

    for i in range(iterations):
        one, other = trees if i % 2 == 0 else trees[::-1]
        tip = extend(one, [generator.uniform(*ends) for ends in bounds])
        met = tip and extend(other, tip[0])
        while met and met[0] != tip[0]:
            met = extend(other, tip[0])
        if met:
            path = to_root(tip)[::-1] + to_root(met)[1:]
            return path if i % 2 == 0 else path[::-1]
    return None


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: python3 rrt.py SOCKET")
    with elbowroom.connect(sys.argv[1]) as session:
        goals = session.goal_states()
        if session.start is None or not goals:
            sys.exit("the scene has no start, or no valid goal state")
        path = rrt(session, goals)
        if path is None:
            sys.exit("no path found")
        for q in path:
            print(json.dumps(q))
