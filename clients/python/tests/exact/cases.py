"""Cases for both checkers.

python -m tests.exact.cases generate FOLDER COUNT SEED   writes FOLDER/0/scene.json and motion.json, …
python -m tests.exact.cases verify                       lines [certificate, scene, motion] of paths in, an exit code a line out
"""

from __future__ import annotations

import contextlib
import io
import json
import sys
from pathlib import Path

from elbowroom_verify.__main__ import main

from .limits import random_limits
from .movers import random_motion_of_obstacle, random_other
from .worlds import independent, random_motion, random_robot, random_shape, rng, robot_text, scaled, without_own_pairs, write_scene


def generate(folder, count, seed):
    for i in range(count):
        r = rng(seed * 1_000_003 + i)
        urdf, (links, joints), meshes = random_robot(r, 0.3)
        names, mounts, contents = independent(joints), [], []
        if r.random() < 0.3:
            text, (own, below), more = random_robot(r, 0.2)
            pose = {"xyz": [r.uniform(-0.5, 0.5) for _ in range(3)], "rpy": [r.uniform(-3, 3) for _ in range(3)]}
            stated = {"srdf": without_own_pairs(own), "link": r.choice(links)[0], "pose": pose, "prefix": "m_"}
            mounts, contents = [{**robot_text(text, more), **stated}], list(more.values())
            names = names + [f"m_{name}" for name in independent(below)]
        motion = random_motion(r, names, r.choice([0.1, 0.4, 1.0]))
        base = {"xyz": [r.uniform(-1, 1) for _ in range(3)], "rpy": [r.uniform(-3, 3) for _ in range(3)]}

        def pose(reach):
            xyz = [b + r.uniform(-reach, reach) for b in base["xyz"]]
            return {"xyz": xyz, "rpy": [r.uniform(-3, 3) for _ in range(3)]}

        obstacles = [{"name": f"o{k}", **scaled(random_shape(r), 0.6), "pose": pose(r.choice([0.7, 1.5]))} for k in range(r.randint(1, 3))]
        attached = []
        if r.random() < 0.5:
            xyz = [r.uniform(-0.2, 0.2) for _ in range(3)]
            shape = scaled(random_shape(r), 0.3)
            attached = [{"name": "carried", **shape, "link": links[-1][0], "pose": {"xyz": xyz}, "touches": [links[0][0]]}]
        robots = []
        if "time_from_start" in motion["points"][0] and r.random() < 0.5:
            if r.random() < 0.7:
                moving = r.choice(obstacles)
                moving["motion"] = random_motion_of_obstacle(r, moving.pop("pose")["xyz"], r.choice([0.1, 0.6]))
            if r.random() < 0.5:
                other, more = random_other(r, base)
                robots, contents = [other], contents + more
        if r.random() < 0.3:
            low = min(b - 2.5 for b in base["xyz"])
            obstacles.append({"name": "floor", "type": "halfspace", "normal": [0.0, 0.1, 1.0], "pose": {"xyz": [0.0, 0.0, low]}})
        pairs = [(a, b) for k, (a, _) in enumerate(links) for b, _ in links[k + 1 :] if r.random() < 0.6]
        lines = "".join(f'<disable_collisions link1="{a}" link2="{b}" reason="Never"/>' for a, b in pairs)
        more = {
            "robot": {"srdf": f'<robot name="random">{lines}</robot>', "pose": base, "mounts": mounts},
            "contents": contents,
            "robots": robots,
            "start": motion["points"][0]["positions"],
            "obstacles": obstacles,
            "attached": attached,
            "padding": r.choice([0.0, 0.0, 0.001, 0.01]),
        }
        if r.random() < 0.4:
            limits = random_limits(r, links, joints, base, names, motion, 0.05)
            more["constraints"] = [limits] if limits else []
        if "time_from_start" in motion["points"][0] and r.random() < 0.4:
            make_program(r, more, motion, [name for name, _ in links])
        place = Path(folder) / str(i)
        place.mkdir(parents=True, exist_ok=True)
        write_scene(place, urdf, meshes, more)
        (place / "motion.json").write_text(json.dumps(motion))


def make_program(r, scene, motion, links):
    """Adds steps to a scene, and their segments and events to the motion: obstacles are attached, detached and allowed."""
    points, steps, segments, events = motion["points"], [], [], []
    free = [one["name"] for one in scene["obstacles"] if one["type"] != "halfspace" and "motion" not in one]
    carried = []
    scene["tcp"] = {"link": links[-1]}

    def event(step, time):
        steps.append(step)
        key = next(key for key in step if key in ("attach", "detach", "allow", "forbid"))
        link = {"link": step.get("link", links[-1])} if key == "attach" else {}
        events.append({"step": len(steps) - 1, "time": time, key: step[key], **link})

    for k, (a, b) in enumerate(zip(points, points[1:])):
        time = a["time_from_start"]
        if free and r.random() < 0.5:
            carried.append(free.pop(r.randrange(len(free))))
            stated = {} if r.random() < 0.6 else {"link": r.choice(links)}
            event({"attach": carried[-1], "touches": r.sample(links, 1), **stated}, time)
        elif carried and r.random() < 0.6:
            event({"detach": carried.pop()}, time)
        if r.random() < 0.2:
            names = [*links, *(one["name"] for one in scene["obstacles"])]
            event({r.choice(["allow", "forbid"]): [r.sample(names, 2)]}, time)
        steps.append({"move": b["positions"], **({"name": f"to {k}"} if r.random() < 0.5 else {})})
        name = {"name": steps[-1]["name"]} if "name" in steps[-1] else {}
        segments.append({"step": len(steps) - 1, **name, "kind": "move", "from": time, "to": b["time_from_start"]})
        if scene.get("constraints") and r.random() < 0.5:
            steps[-1]["constraints"] = scene["constraints"]
    if carried and r.random() < 0.5:
        event({"detach": carried.pop()}, points[-1]["time_from_start"])
    scene["steps"] = steps
    motion.update(segments=segments, events=events)


def verify():
    for line in sys.stdin:
        quiet = io.StringIO()
        with contextlib.redirect_stdout(quiet), contextlib.redirect_stderr(quiet):
            try:
                code = main(json.loads(line))
            except Exception as error:  # a fault of the checker: 70, as the command line of elbowroom
                code = f"70 {error!r}"
        print(code, flush=True)


if __name__ == "__main__":
    if sys.argv[1] == "generate":
        generate(sys.argv[2], int(sys.argv[3]), int(sys.argv[4]))
    else:
        verify()
