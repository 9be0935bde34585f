import { type Samples, texts } from './encode.ts';

/** Small ones, for YAML is read slowly; every key stands in one of them. */
const scenes = texts(
  `format: elbowroom-scene/1
robot: {urdf: r.urdf, joints: [j], fixed: {k: 20 mm}, limits: {j: {velocity: 1 rad/s}}}
start: [-90 deg]
goals: [{j: pi/2}, up, {link: c, xyz: [0, 0, 1], rpy: [0, 0, 0], tolerance: {angle: 1 deg}}]
weights: {j: 2}
padding: 5 mm
`,
  `format: elbowroom-scene/1
robot: {name: r, pose: {rpy: [0, 0, 90 deg]}, packages: {p: ../p}, parts: decompose}
obstacles:
  - &o {name: a1, type: box, size: [1, 1, 20 cm], pose: {xyz: [0, 0, 1], quat_wxyz: [1, 0, 0, 0]}}
  - {<<: *o, name: a2}
  - {type: convex, points: [[0, 0, 0], [1, 0, 0]], margin: 0.1}
attached: [{name: cup, type: sphere, radius: 0.1, link: c, touches: [b]}]
allow: [[a, cup]]
`,
  `format: elbowroom-scene/1
robot: r
include: [{file: other.yaml, pose: {xyz: [0, 0, 1]}, prefix: a-}]
obstacles:
  - {type: cloud, points: [[0, 0, 0], [1, 2, 3]], radius: 5 mm, scale: [1, 1, 2]}
  - {type: cloud, file: a.pcd, radius: sqrt(2)*1 mm}
`,
  `{"format": "elbowroom-scene/1", "robot": "r", "start": {"j": "1/2*sin(30 deg)"}, "goal": [0.5, 0], "equivalent": true,
"obstacles": [{"type": "heightfield", "heights": [[0, 1], [1, 0], [0, 0]], "cell": [1, 1], "base": -1}, {"type": "halfspace", "normal": [0, 0, 1]}]}`,
  `format: elbowroom-scene/1
robot: r
obstacles:
  - name: part
    type: mesh
    file: a.stl
    scale: 0.001
    margin: 1 mm
  - {type: heightfield, file: a.csv, cell: [1 cm, 1 cm]}
  - {type: capsule, radius: 1, length: 2}
`,
  `format: elbowroom-scene/1
robot: r
tcp: {link: c, xyz: [0, 0, 10 cm], rpy: [0, pi/2, 0]}
speed: 50 %
acceleration: 0.5
tcp_speed: 250 mm/s
start: up
goal: {xyz: [0, 0, 1], relative_to: o, tolerance: {position: 1 mm, angle: [1 deg, 1, 180 deg]}}
obstacles: [{name: o, type: sphere, radius: 1}]
constraints:
  - {type: tilt, axis: [0, 0, 1], towards: [0, 0, -1], within: 10 deg, frame: {link: c}}
  - {type: orientation, rpy: [0, 0, 1], within: [5 deg, 5 deg, 180 deg], name: n}
  - {type: region, shape: {type: cylinder, radius: 1, length: 2}, pose: {xyz: [0, 0, 1]}}
  - {type: joint, joint: j, range: [0, 90 deg]}
  - {type: speed, most: 0.5}
`,
  `format: elbowroom-scene/1
robot: r
start: up
obstacles: [{name: o, type: sphere, radius: 1}, {name: w, type: box, size: [1, 1, 1]}]
defaults: {speed: 0.5, tcp_speed: 0.25, blend: 10 mm, tolerance: {position: 0.1 mm}}
steps:
  - {move: [up, {xyz: [0, 0, 1]}], name: a, constraints: [{type: region, shape: {type: box, size: [1, 1, 1]}}]}
  - {line: {by: [0, 0, 80 mm], rpy: [0, 0, 1], frame: tcp}, speed: 30 %, acceleration: 1}
  - {allow: [[o, w]]}
  - {attach: o, touches: [w], link: c}
  - {line: {to: [{xyz: [0, 0, 1]}, {xyz: [0, 1, 1], quat_wxyz: [1, 0, 0, 0]}]}}
  - {arc: {via: {xyz: [0, 0, 0]}, to: {xyz: [1, 1, 0], rpy: [0, 0, 0]}}}
  - {wait: 0.5}
  - {set: {gripper: [1, {a: open}]}}
  - {detach: o}
  - {forbid: [[o, w]]}
`,
);

const suites = texts(
  `format: elbowroom-suite/1
robot: {name: r, joints: [j], fixed: {k: 0.5}, limits: {j: {velocity: 1, jerk: 2}}}
obstacles: [{name: o, type: box, size: [1, 1, 1]}]
problems:
  - {name: one, start: [1], goal: {j: 2}, obstacles: [{type: sphere, radius: 1}]}
  - {start: up, goals: [[1], up], padding: 1 mm}
  - {name: three, start: up, steps: [{move: up}, {line: {by: [0, 0, 0.1]}}], defaults: {speed: 0.5}}
`,
  `format: elbowroom-suite/1
include: other.yaml
problems: [{name: two, robot: r, include: {file: other.yaml, prefix: b-}}, {name: one, robot: {urdf: r.urdf}}]
`,
  JSON.stringify({
    format: 'elbowroom-suite/1',
    robot: 'r',
    problems: [{ name: 'p', start: [1, 2], obstacles: [{ type: 'sphere', radius: 1 }] }],
  }),
);

const moveit =
  '(noname)+\n* a\n1 0 0\n0 0 0 1\n2\ncylinder\n0.1 0.2\n0 0 1\n0 0 0 1\n0 0 0 0\nmesh\n4 2\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n0 2 1\n0 1 3\n0 0 0\n0 0 0 1\n0 0 0 0\n1\ntip\n0 0 0\n0 0 0 1\n* b\n0 0 0\n0 0 0 1\n1\nplane\n0 0 1 0\n0 0 0\n0 0 0 1\n0 0 0 0\n0\n.\n';

const plannings = texts(
  `name: x
robot_state: {joint_state: {name: [j], position: [1]}, attached_collision_objects: [{link_name: l, object: {id: c, primitives: [{type: 2, dimensions: [1]}]}}]}
goal_constraints: [{joint_constraints: [{joint_name: j, position: 2}]}]
`,
  `world:
  collision_objects:
    - id: a
      header: {frame_id: world}
      pose: {position: {x: 1}, orientation: {w: 1}}
      primitives: [{type: box, dimensions: [1, 2, 3]}]
      primitive_poses: [{position: [0, 0, 1], orientation: [0, 0, 0, 1]}]
`,
  `world: {collision_objects: [{id: a, meshes: [{vertices: [{x: 1}, {y: 1}, {z: 1}, {}]}], planes: [{coef: [0, 0, 1, 2]}]}]}
allowed_collision_matrix: {entry_names: [a, b], entry_values: [[false, true], {enabled: [true, false]}]}
`,
);

const experiments = texts(
  `format: elbowroom-experiment/1
scenes: [cells/*.yaml, suite.yaml#one]
planners: [rrt, {planner: rrt-connect, label: steps, iterations: 100, options: {stepSize: [0.5, 1]}}]
edges: [certified, sampled]
seeds: {from: 100, count: 2}
limits: {time: 1.5}
`,
  '{"format": "elbowroom-experiment/1", "name": "x", "script": "s.mjs", "checkers": "gjk", "step": [0.1, 0.2], "shortcut": [true, false], "seeds": [7, 9], "repetitions": 3, "metrics": ["path_length"]}',
);

/** Of the readers of scenes, ours and others', and of experiments, by their names. */
export const sceneSamples: Readonly<Record<string, Samples>> = {
  scene: scenes,
  suite: suites,
  moveit: texts(moveit),
  planning: plannings,
  experiment: experiments,
};
