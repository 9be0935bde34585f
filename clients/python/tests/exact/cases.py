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
from .worlds import random_motion, random_robot, random_shape, rng, scaled, write_scene


def generate(folder, count, seed):
    for i in range(count):
        r = rng(seed * 1_000_003 + i)
        urdf, (links, joints), meshes = random_robot(r, 0.3)
        names = [j["name"] for j in joints if j["kind"] != "fixed" and j["mimic"] is None]
        motion = random_motion(r, names, r.choice([0.1, 0.4, 1.0]))
        base = {"xyz": [r.uniform(-1, 1) for _ in range(3)], "rpy": [r.uniform(-3, 3) for _ in range(3)]}

        def pose(reach):
            xyz = [b + r.uniform(-reach, reach) for b in base["xyz"]]
            return {"xyz": xyz, "rpy": [r.uniform(-3, 3) for _ in range(3)]}

        obstacles = [{"name": f"o{k}", **scaled(random_shape(r), 0.6), "pose": pose(r.choice([0.7, 1.5]))} for k in range(r.randint(1, 3))]
        if r.random() < 0.3:
            low = min(b - 2.5 for b in base["xyz"])
            obstacles.append({"name": "floor", "type": "halfspace", "normal": [0.0, 0.1, 1.0], "pose": {"xyz": [0.0, 0.0, low]}})
        attached = []
        if r.random() < 0.5:
            xyz = [r.uniform(-0.2, 0.2) for _ in range(3)]
            shape = scaled(random_shape(r), 0.3)
            attached = [{"name": "carried", **shape, "link": links[-1][0], "pose": {"xyz": xyz}, "touches": [links[0][0]]}]
        pairs = [(a, b) for k, (a, _) in enumerate(links) for b, _ in links[k + 1 :] if r.random() < 0.6]
        lines = "".join(f'<disable_collisions link1="{a}" link2="{b}" reason="Never"/>' for a, b in pairs)
        more = {
            "robot": {"srdf": f'<robot name="random">{lines}</robot>', "pose": base},
            "start": motion["points"][0]["positions"],
            "obstacles": obstacles,
            "attached": attached,
            "padding": r.choice([0.0, 0.0, 0.001, 0.01]),
        }
        if r.random() < 0.4:
            limits = random_limits(r, links, joints, base, names, motion, 0.05)
            more["constraints"] = [limits] if limits else []
        place = Path(folder) / str(i)
        place.mkdir(parents=True, exist_ok=True)
        write_scene(place, urdf, meshes, more)
        (place / "motion.json").write_text(json.dumps(motion))


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
