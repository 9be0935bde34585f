"""Compares `elbowroom dynamics` with Orocos KDL (PyKDL) and MuJoCo on robots in URDF, each if it is installed.

    python3 scripts/compare-dynamics.py [--states N] [--random N] [FILE.urdf ...]

Geometry, friction and mimic rules are removed first: the programs compare rigid bodies. `--random`: arms that are
generated, with turning and sliding joints. Prints the greatest difference of a torque, relative to the greatest torque
of its state. Exit code 1: above 1e-9.
"""

import argparse
import copy
import json
import math
import pathlib
import random
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as Xml

try:
    import PyKDL as kdl
except ImportError:
    kdl = None
try:
    import mujoco
except ImportError:
    mujoco = None

TOLERANCE = 1e-9
MOVING = ("revolute", "continuous", "prismatic")
PROGRAM = pathlib.Path(__file__).resolve().parent.parent / "bin" / "elbowroom.js"


def numbers(element, key, default="0 0 0"):
    return [float(x) for x in (element.get(key, default) if element is not None else default).split()]


def stripped(root):
    """Removes what is not rigid-body dynamics; every joint gets limits."""
    root = copy.deepcopy(root)
    for child in list(root):
        if child.tag not in ("link", "joint"):
            root.remove(child)
    for element in root:
        for child in list(element):
            if child.tag in ("visual", "collision", "dynamics", "mimic", "safety_controller"):
                element.remove(child)
    return root


def random_arm(seed):
    source = random.Random(seed)
    uniform = source.uniform
    root = Xml.Element("robot", name=f"random{seed}")
    Xml.SubElement(root, "link", name="l0")
    for i in range(1, source.randint(4, 8)):
        link = Xml.SubElement(root, "link", name=f"l{i}")
        inertial = Xml.SubElement(link, "inertial")
        triple = lambda size: " ".join(repr(uniform(-size, size)) for _ in range(3))
        Xml.SubElement(inertial, "origin", xyz=triple(0.1), rpy=triple(1.5))
        Xml.SubElement(inertial, "mass", value=repr(uniform(0.3, 5)))
        a, b, c = (uniform(0.001, 0.01) for _ in range(3))
        moments = {"ixx": b + c, "iyy": a + c, "izz": a + b, "ixy": 0, "ixz": 0, "iyz": 0}
        Xml.SubElement(inertial, "inertia", {key: repr(float(value)) for key, value in moments.items()})
        kind = "prismatic" if source.random() < 0.3 else "revolute"
        joint = Xml.SubElement(root, "joint", name=f"j{i}", type=kind)
        Xml.SubElement(joint, "parent", link=f"l{i - 1}")
        Xml.SubElement(joint, "child", link=f"l{i}")
        Xml.SubElement(joint, "origin", xyz=triple(0.3), rpy=triple(3))
        axis = [source.gauss(0, 1) for _ in range(3)]
        size = math.sqrt(sum(x * x for x in axis))
        Xml.SubElement(joint, "axis", xyz=" ".join(repr(x / size) for x in axis))
        Xml.SubElement(joint, "limit", lower="-2", upper="2", velocity="3", effort="100")
    return root


def own_torques(text, states):
    with tempfile.NamedTemporaryFile("w", suffix=".urdf") as file:
        file.write(text)
        file.flush()
        lines = "".join(json.dumps(dict(zip("qva", state))) + "\n" for state in states)
        command = ["node", str(PROGRAM), "dynamics", file.name]
        done = subprocess.run(command, input=lines, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise ValueError(done.stderr.strip())
    return [json.loads(line)["torques"] for line in done.stdout.splitlines()]


def frame(origin):
    return kdl.Frame(kdl.Rotation.RPY(*numbers(origin, "rpy")), kdl.Vector(*numbers(origin, "xyz")))


def kdl_inertia(link):
    inertial = link.find("inertial")
    if inertial is None:
        return kdl.RigidBodyInertia(0)
    at = frame(inertial.find("origin"))
    I = inertial.find("inertia")
    tensor = kdl.RotationalInertia(*[float(I.get(k)) for k in ("ixx", "iyy", "izz", "ixy", "ixz", "iyz")])
    return at * kdl.RigidBodyInertia(float(inertial.find("mass").get("value")), kdl.Vector(0, 0, 0), tensor)


def kdl_torques(root, names, states):
    """None if the moving joints are not one chain."""
    if kdl is None:
        return None
    links = {link.get("name"): link for link in root.findall("link")}
    below = {}
    for joint in root.findall("joint"):
        below.setdefault(joint.find("parent").get("link"), []).append(joint)

    def moves(link):
        return any(j.get("type") in MOVING or moves(j.find("child").get("link")) for j in below.get(link, []))

    def merged(link, skip=None):
        total = kdl_inertia(links[link])
        for joint in below.get(link, []):
            if joint is not skip:
                total = total + frame(joint.find("origin")) * merged(joint.find("child").get("link"))
        return total

    children = {joint.find("child").get("link") for joint in root.findall("joint")}
    link = next(name for name in links if name not in children)
    chain, order = kdl.Chain(), []
    while True:
        onward = [j for j in below.get(link, []) if j.get("type") in MOVING or moves(j.find("child").get("link"))]
        if len(onward) > 1:
            return None
        if not onward:
            break
        (joint,) = onward
        link = joint.find("child").get("link")
        at = frame(joint.find("origin"))
        after = [j for j in below.get(link, []) if j.get("type") in MOVING or moves(j.find("child").get("link"))]
        inertia = merged(link, after[0] if len(after) == 1 else None)
        if joint.get("type") in MOVING:
            order.append(joint.get("name"))
            axis = at.M * kdl.Vector(*numbers(joint.find("axis"), "xyz", "1 0 0"))
            kind = kdl.Joint.TransAxis if joint.get("type") == "prismatic" else kdl.Joint.RotAxis
            moving = kdl.Joint(joint.get("name"), at.p, axis, kind)
        else:
            moving = kdl.Joint(kdl.Joint.Fixed)
        chain.addSegment(kdl.Segment(link, moving, at, inertia))
    if sorted(order) != sorted(names):
        return None
    solver = kdl.ChainIdSolver_RNE(chain, kdl.Vector(0, 0, -9.81))
    wrenches = [kdl.Wrench() for _ in range(chain.getNrOfSegments())]

    def torques(state):
        rows = [kdl.JntArray(len(order)) for _ in range(4)]
        for row, values in zip(rows, state):
            for k, name in enumerate(order):
                row[k] = values[names.index(name)]
        if solver.CartToJnt(*rows[:3], wrenches, rows[3]) < 0:
            raise ValueError("KDL fails")
        return [rows[3][order.index(name)] for name in names]

    return [torques(state) for state in states]


def mujoco_torques(root, names, states):
    if mujoco is None:
        return None
    root = copy.deepcopy(root)
    settings = {"fusestatic": "false", "inertiafromgeom": "false", "discardvisual": "false", "boundmass": "0"}
    Xml.SubElement(Xml.SubElement(root, "mujoco"), "compiler", settings)
    model = mujoco.MjModel.from_xml_string(Xml.tostring(root, encoding="unicode"))
    model.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_CONSTRAINT
    data = mujoco.MjData(model)
    at = [model.joint(name).dofadr[0] for name in names]

    def torques(state):
        for row, values in zip((data.qpos, data.qvel, data.qacc), state):
            row[at] = values
        mujoco.mj_inverse(model, data)
        return [float(x) for x in data.qfrc_inverse[at]]

    return [torques(state) for state in states]


def compare(name, root, count):
    root = stripped(root)
    joints = [joint for joint in root.findall("joint") if joint.get("type") in MOVING]
    names = [joint.get("name") for joint in joints]
    source = random.Random(name)
    rows = lambda size: [source.uniform(-size, size) for _ in names]
    limits = [joint.find("limit") for joint in joints]
    bounds = [
        (-3.0, 3.0) if joint.get("type") == "continuous" else (float(one.get("lower")), float(one.get("upper")))
        for joint, one in zip(joints, limits)
    ]
    states = [([source.uniform(*bound) for bound in bounds], rows(3), rows(10)) for _ in range(count)]
    own = own_torques(Xml.tostring(root, encoding="unicode"), states)
    worst = {}
    for program, found in (("kdl", kdl_torques(root, names, states)), ("mujoco", mujoco_torques(root, names, states))):
        if found is not None:
            worst[program] = max(
                max(abs(x - y) for x, y in zip(a, b)) / max(1e-9, *(abs(y) for y in b)) for a, b in zip(own, found)
            )
    return {"robot": name, "joints": len(names), "states": count, **worst}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--states", type=int, default=1000)
    parser.add_argument("--random", type=int, default=0)
    parser.add_argument("files", nargs="*")
    options = parser.parse_args()
    robots = [(file, Xml.parse(file).getroot()) for file in options.files]
    robots += [(f"random {seed}", random_arm(seed)) for seed in range(1, options.random + 1)]
    is_equal = True
    for name, root in robots:
        try:
            result = compare(name, root, options.states)
        except ValueError as error:
            result = {"robot": name, "error": str(error)}
        print(json.dumps(result), flush=True)
        is_equal &= all(result.get(program, 0) <= TOLERANCE for program in ("kdl", "mujoco"))
    return 0 if is_equal else 1


if __name__ == "__main__":
    sys.exit(main())
