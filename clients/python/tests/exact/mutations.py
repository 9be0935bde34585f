"""Changes after which a certificate proves nothing, by construction: for both checkers.

python -m tests.exact.mutations FOLDER COUNT SEED   for FOLDER/i with scene.json, motion.json and cert.json: writes COUNT
changed copies of one of them, and prints a line [what, certificate, scene, motion] each
"""

from __future__ import annotations

import copy
import json
import sys
from pathlib import Path

from elbowroom_verify.json_text import sha256, text_of

from .limits import random_limits
from .worlds import chain, link_poses, position, rng, rotation, robot_of


def sealed(certificate, motion):
    """The certificate with the hash of the motion."""
    data = json.loads(json.dumps([motion["joint_names"], motion["points"]]), parse_int=float)
    return {**certificate, "trajectory": sha256(text_of(data))}


def parts(certificate):
    """What has pairs: the certificate, or its segments."""
    return certificate.get("segments", [certificate])


def pairs(certificate):
    """A list of pairs that is not empty."""
    return next(one["pairs"] for one in parts(certificate) if one["pairs"])


def of_spans(change):
    def mutation(r, certificate, scene, motion):
        part = r.choice([one for one in parts(certificate) if any(pair["spans"] for pair in one["pairs"])])
        change(r, r.choice([pair for pair in part["pairs"] if pair["spans"]]), part.get("to", certificate["duration"]))
        return certificate, scene, motion

    return mutation


def turned(r, pair, end):
    spans = pair["spans"] if r.random() < 0.5 else [r.choice(pair["spans"])]
    for span in spans:
        span[2:] = [-x for x in span[2:]]


def hole(r, pair, end):
    low, high = pair["spans"][0][0], pair["spans"][-1][1]
    cut = sorted(r.uniform(low, high) for _ in range(2))
    kept = [[a, min(b, cut[0]), *n] for a, b, *n in pair["spans"] if a < cut[0]]
    pair["spans"] = kept + [[max(a, cut[1]), b, *n] for a, b, *n in pair["spans"] if b > cut[1]]


def short(r, pair, end):
    pair["spans"][-1][1] -= end * r.choice([1e-12, 1e-6, 0.1])


def late(r, pair, end):
    pair["spans"][0][0] += end * r.choice([1e-12, 1e-6, 0.1])


def reversed_time(r, pair, end):
    span = r.choice(pair["spans"])
    span[0], span[1] = span[1] + end * 1e-3, span[0]


def long_direction(r, pair, end):
    span = r.choice(pair["spans"])
    factor = r.choice([0, 0.5, 1 + 1e-5, 1 - 1e-5, 2, 1e6])
    span[2:] = [x * factor for x in span[2:]]


def beyond(r, pair, end):
    pair["spans"].append([end, end * 2, *pair["spans"][-1][2:]])


def missing(r, certificate, scene, motion):
    found = pairs(certificate)
    found.pop(r.randrange(len(found)))
    return certificate, scene, motion


def unknown_part(r, certificate, scene, motion):
    pair = r.choice(pairs(certificate))
    pair[r.choice(["a", "b"])] += "x"
    return certificate, scene, motion


def other_index(r, certificate, scene, motion):
    r.choice(pairs(certificate))[r.choice(["partA", "partB"])] += r.choice([1, 7, 0.5, -9])
    return certificate, scene, motion


def other_head(r, certificate, scene, motion):
    key = r.choice(["format", "trajectory", "duration"])
    certificate[key] = certificate[key] * 1.0001 if key == "duration" else certificate[key][:-1] + "~"
    return certificate, scene, motion


def moved_point(r, certificate, scene, motion):
    """Without a new hash."""
    point = r.choice(motion["points"])
    key = r.choice([key for key in point if isinstance(point[key], list)])
    point[key][r.randrange(len(point[key]))] += r.choice([1e-9, 0.1])
    return certificate, scene, motion


def slower(r, certificate, scene, motion):
    """The same points at other times, with their hash: the duration is another, unless other motions last longer."""
    lasting = moving(scene) or any("trajectory" in robot for robot in scene["robots"])
    if "time_from_start" not in motion["points"][0] or lasting:
        return missing(r, certificate, scene, motion)
    for point in motion["points"]:
        point["time_from_start"] *= 1.25
    return sealed(certificate, motion), scene, motion


def backwards(r, certificate, scene, motion):
    """Begins elsewhere, or at the end; with its hash."""
    points = [point["positions"] for point in motion["points"]]
    for point, q in zip(motion["points"], reversed(points)):
        point["positions"] = q
    motion["points"][0]["positions"][0] += 0.01
    return sealed(certificate, motion), scene, motion


def solid(scene):
    return [one for one in scene["obstacles"] if one["type"] != "halfspace"]


def moving(scene):
    return [one for one in scene["obstacles"] if "motion" in one]


def other_motion(r, certificate, scene, motion):
    """What moves comes to rest later; or another robot has a further part, around everything or out of the certificate."""
    if scene["robots"] and r.random() < 0.5:
        robot = scene["robots"][0]["robot"]
        at = robot["urdf"].rindex("</link>")
        radius = r.choice(["9", "0.001"])
        robot["urdf"] = f'{robot["urdf"][:at]}<collision><geometry><sphere radius="{radius}"/></geometry></collision>{robot["urdf"][at:]}'
    elif scene["robots"] and "trajectory" in scene["robots"][0]:
        scene["robots"][0]["start_time"] += 100.0
    elif moving(scene):
        change = moving(scene)[0]["motion"]
        change["times"].append(certificate["duration"] * 1.0001 + 1e-9)
        change["poses"].append(change["poses"][0])
    else:
        return missing(r, certificate, scene, motion)
    return certificate, scene, motion


def other_program(r, certificate, scene, motion):
    """Events that are not those of the steps, or other intervals between them."""
    if "steps" not in scene:
        return missing(r, certificate, scene, motion)
    kind = r.choice(["segments", "from", "kind", "drop", "late", "name", "steps"])
    one = r.choice(certificate["segments"])
    if kind == "from":
        one["from"] += r.choice([-1e-9, 1e-9, 0.1])
    elif kind == "kind":
        r.choice(motion["segments"])["kind"] = "line"
    elif kind == "segments" or not motion["events"]:
        motion["segments"].pop()
    elif kind == "drop":
        motion["events"].pop(r.randrange(len(motion["events"])))
    elif kind == "late":
        r.choice(motion["events"])["time"] += r.choice([1e-6, 0.1])
    elif kind == "name":
        event = r.choice(motion["events"])
        key = next(key for key in event if key in ("attach", "detach", "allow", "forbid"))
        event[key] = [["a", "b"]] if isinstance(event[key], list) else event[key] + "x"
    else:
        event = r.choice(motion["events"])
        scene["steps"].pop(event["step"])
    return certificate, scene, motion


def onto(r, certificate, scene, motion):
    """An obstacle around a point of a link at some instant of the motion, or a new one there."""
    joints, links = robot_of(scene)
    names = motion["joint_names"]
    end = min(certificate["duration"], motion["points"][-1].get("time_from_start", certificate["duration"]))
    t = min(r.uniform(0, end), end * 0.999)
    values = dict(zip(names, position(motion["points"], t)))
    pose = scene["robot"]["pose"]
    poses = link_poses(joints, (rotation(pose["rpy"]), pose["xyz"]), values)
    name, xyz, rpy = r.choice(links)
    _, p = chain(poses[name], (rotation(rpy), xyz))
    if "steps" in scene:  # by then, another obstacle may be carried
        scene["obstacles"].append({"name": "new", "type": "sphere", "radius": 0.01, "pose": {"xyz": p}})
    elif moving(scene) and r.random() < 0.5:
        # It passes there at that time.
        obstacle = moving(scene)[0]
        before, after = ([x + r.uniform(-0.5, 0.5) for x in p] for _ in range(2))
        passing = {"times": [t - 1.0, t, t + 1e-6], "poses": [{"xyz": before}, {"xyz": p}, {"xyz": after}]}
        scene["obstacles"][scene["obstacles"].index(obstacle)] = {"name": obstacle["name"], "type": "sphere", "radius": 0.01, "motion": passing}
    elif r.random() < 0.3 or not solid(scene):
        scene["obstacles"].append({"name": "new", "type": "sphere", "radius": 0.01, "pose": {"xyz": p}})
    else:
        obstacle = r.choice(solid(scene))
        kept = {"name": obstacle["name"], "type": "sphere", "radius": 0.02, "pose": {"xyz": p}}
        scene["obstacles"][scene["obstacles"].index(obstacle)] = kept
    return certificate, scene, motion


def on_the_floor(r, certificate, scene, motion):
    names = [] if "steps" in scene else [one["name"] for one in scene["obstacles"]]
    up = {"name": r.choice([*names, "new"]), "type": "halfspace", "normal": [0.1, 0, 1]}
    scene["obstacles"] = [one for one in scene["obstacles"] if one["name"] != up["name"]] + [{**up, "pose": {"xyz": [0, 0, 20]}}]
    return certificate, scene, motion


def wider(r, certificate, scene, motion):
    """A padding or a margin that no pair keeps."""
    if r.random() < 0.5 or not solid(scene):
        scene["padding"] = 50.0
    else:
        r.choice(solid(scene))["margin"] = 50.0
    return certificate, scene, motion


def renamed(r, certificate, scene, motion):
    r.choice(scene["obstacles"])["name"] += "x"
    return certificate, scene, motion


def grown_robot(r, certificate, scene, motion):
    """A link gets a further part, around everything or out of the certificate."""
    urdf = scene["robot"]["urdf"]
    at = urdf.rindex("</link>")
    radius = r.choice(["9", "0.001"])
    scene["robot"]["urdf"] = f'{urdf[:at]}<collision><geometry><sphere radius="{radius}"/></geometry></collision>{urdf[at:]}'
    return certificate, scene, motion


def moved_robot(r, certificate, scene, motion):
    """The robot stands in the middle of an obstacle of 2 m."""
    obstacle = r.choice(scene["obstacles"])
    box = {"name": obstacle["name"], "type": "box", "size": [60, 60, 60], "pose": {"xyz": scene["robot"]["pose"]["xyz"]}}
    scene["obstacles"] = [box if one is obstacle else one for one in scene["obstacles"]]
    return certificate, scene, motion


def checked_pairs(r, certificate, scene, motion):
    """The SRDF disables no pair: those of links that are not adjacent are missing, or all links are."""
    before = scene["robot"]["srdf"]
    scene["robot"]["srdf"] = '<robot name="random"/>'
    return missing(r, certificate, scene, motion) if before == scene["robot"]["srdf"] else missing(r, certificate, scene, motion)


def violated(r, certificate, scene, motion):
    """A path constraint that a state of the motion violates, alone or beside those of the scene."""
    joints, links = robot_of(scene)
    for _ in range(9):
        limits = random_limits(r, links, joints, scene["robot"]["pose"], motion["joint_names"], motion, -0.05)
        if limits is not None:
            scene["constraints"] = [*scene.get("constraints", []), limits]
            return certificate, scene, motion
    return missing(r, certificate, scene, motion)


MUTATIONS = [
    of_spans(turned), of_spans(hole), of_spans(short), of_spans(late), of_spans(reversed_time), of_spans(long_direction),
    of_spans(beyond), missing, unknown_part, other_index, other_head, moved_point, slower, backwards, onto, onto, on_the_floor,
    wider, renamed, grown_robot, moved_robot, checked_pairs, violated, violated, violated,
    other_motion, other_motion, other_program, other_program,
]  # fmt: skip
NAMES = ["turned", "hole", "short", "late", "reversed_time", "long_direction", "beyond"] + [m.__name__ for m in MUTATIONS[7:]]


def main(folder, count, seed):
    for place in sorted(Path(folder).iterdir(), key=lambda path: path.name):
        if not (place / "cert.json").exists():
            continue
        files = {name: place / f"{name}.json" for name in ("cert", "scene", "motion")}
        given = [json.loads(path.read_text()) for path in files.values()]
        if not any(pair["spans"] for one in parts(given[0]) for pair in one["pairs"]):
            continue
        for k in range(count):
            r = rng(f"{seed} {place.name} {k}")
            which = r.randrange(len(MUTATIONS))
            changed = MUTATIONS[which](r, *copy.deepcopy(given))
            line = [NAMES[which]]
            for (name, path), before, after in zip(files.items(), given, changed):
                if after != before:
                    path = place / f"{name}-{k}.json"
                    path.write_text(json.dumps(after))
                line.append(str(path))
            print(json.dumps(line))


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
