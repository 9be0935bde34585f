// Writes robots/srs7, robots/gantry4 and robots/dual12, each a URDF of plain shapes: `node
// scripts/robots/machines.mjs`, or into another folder than robots/: `node scripts/robots/machines.mjs FOLDER`. Each
// robot's README.md says where its numbers come from.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { box, capsule, cylinder, degrees, joint, link, robotText, sphere } from './urdfText.mjs';

const HALF = Math.PI / 2;

/** Lengths of an arm of dual12: its kinematics are those of the Universal Robots, with our own numbers. */
const arm = { d1: 0.11, a2: 0.3, a3: 0.26, d4: 0.11, d5: 0.09, d6: 0.09 };

const target = process.argv[2] ?? fileURLToPath(new URL('../../robots/', import.meta.url));
for (const [name, { links, joints }] of Object.entries({ srs7: srs7(), gantry4: gantry4(), dual12: dual12() })) {
  mkdirSync(join(target, name), { recursive: true });
  writeFileSync(join(target, name, `${name}.urdf`), robotText(name, 'scripts/robots/machines.mjs', links, joints));
}

/** Seven joints whose axes meet in a shoulder, an elbow and a wrist. */
function srs7() {
  const [base, upperArm, forearm, flange] = [0.36, 0.42, 0.4, 0.126];
  const ranges = [170, 120, 170, 120, 170, 120, 175];
  const speeds = [85, 85, 100, 75, 130, 135, 135];
  const efforts = [320, 320, 176, 176, 110, 40, 40];
  /** Where each joint's frame sits in the one before: Denavit-Hartenberg after Craig, every a zero. */
  const frames = [
    { xyz: [0, 0, base] },
    { rpy: [-HALF, 0, 0] },
    { xyz: [0, -upperArm, 0], rpy: [HALF, 0, 0] },
    { rpy: [HALF, 0, 0] },
    { xyz: [0, forearm, 0], rpy: [-HALF, 0, 0] },
    { rpy: [-HALF, 0, 0] },
    { rpy: [HALF, 0, 0] },
  ];
  const links = [
    link('link0', cylinder(0.1, [0, 0, 0], [0, 0, 0.15])),
    link('link1', capsule(0.075, [0, 0, -0.13], [0, 0, 0])),
    link('link2', capsule(0.07, [0, 0, 0], [0, -0.17, 0])),
    link('link3', capsule(0.065, [0, 0, -0.17], [0, 0, 0])),
    link('link4', capsule(0.06, [0, 0, 0], [0, 0.16, 0])),
    link('link5', capsule(0.048, [0, 0, -0.24], [0, 0, -0.115])),
    link('link6', sphere(0.067, [0, 0, 0])),
    link('link7', cylinder(0.04, [0, 0, 0.06], [0, 0, flange])),
    link('flange'),
  ];
  const joints = frames.map((frame, i) => {
    const [range, velocity] = [degrees(ranges[i]), degrees(speeds[i])];
    const limit = { lower: -range, upper: range, effort: efforts[i], velocity, acceleration: 10 };
    return joint(`joint${i + 1}`, 'revolute', `link${i}`, `link${i + 1}`, { ...frame, limit });
  });
  return { links, joints: [...joints, joint('flange_joint', 'fixed', 'link7', 'flange', { xyz: [0, 0, flange] })] };
}

/** A bridge on two rails, a carriage on the bridge, a ram that goes down, and a gripper that turns. */
function gantry4() {
  const slide = (range, velocity, acceleration, effort) => ({
    lower: range[0],
    upper: range[1],
    effort,
    velocity,
    acceleration,
  });
  const finger = slide([0, 0.04], 0.1, 1, 60);
  const turn = slide([-Math.PI, Math.PI], Math.PI, 10, 20);
  return {
    links: gantryLinks(),
    joints: [
      joint('x_joint', 'prismatic', 'frame', 'bridge', {
        xyz: [0, 0, 1.2],
        axis: [1, 0, 0],
        limit: slide([-0.8, 0.8], 1.5, 3, 800),
      }),
      joint('y_joint', 'prismatic', 'bridge', 'carriage', {
        xyz: [0.17, 0, 0.06],
        axis: [0, 1, 0],
        limit: slide([-0.4, 0.4], 1.5, 4, 500),
      }),
      joint('z_joint', 'prismatic', 'carriage', 'ram', {
        xyz: [0, 0, -0.1],
        axis: [0, 0, -1],
        limit: slide([0, 0.6], 1, 5, 400),
      }),
      joint('turn_joint', 'revolute', 'ram', 'gripper', { xyz: [0, 0, -0.2], limit: turn }),
      joint('finger_joint', 'prismatic', 'gripper', 'left_finger', {
        xyz: [0, 0, -0.12],
        axis: [0, 1, 0],
        limit: finger,
      }),
      joint('right_finger_joint', 'prismatic', 'gripper', 'right_finger', {
        xyz: [0, 0, -0.12],
        axis: [0, -1, 0],
        limit: finger,
        mimic: 'finger_joint',
      }),
      joint('tool_joint', 'fixed', 'gripper', 'tool0', { xyz: [0, 0, -0.22], rpy: [Math.PI, 0, 0] }),
    ],
  };
}

function gantryLinks() {
  const corners = [-1, 1].flatMap((x) => [-0.6, 0.6].map((y) => [x, y]));
  return [
    link(
      'frame',
      ...corners.map(([x, y]) => box([0.08, 0.08, 1.1], [x, y, 0.55])),
      ...[-0.6, 0.6].map((y) => box([2.08, 0.08, 0.1], [0, y, 1.15])),
    ),
    link(
      'bridge',
      box([0.12, 1.36, 0.12], [0, 0, 0.06]),
      box([0.3, 0.1, 0.05], [0, -0.6, 0.025]),
      box([0.3, 0.1, 0.05], [0, 0.6, 0.025]),
    ),
    link('carriage', box([0.2, 0.18, 0.3], [0, 0, 0])),
    link('ram', box([0.07, 0.07, 0.9], [0, 0, 0.25])),
    link('gripper', cylinder(0.045, [0, 0, -0.08], [0, 0, 0]), box([0.05, 0.16, 0.04], [0, 0, -0.1])),
    link('left_finger', box([0.03, 0.016, 0.1], [0, 0.013, -0.05])),
    link('right_finger', box([0.03, 0.016, 0.1], [0, -0.013, -0.05])),
    link('tool0'),
  ];
}

/** Two arms of six joints on the sides of a column. */
function dual12() {
  const arms = [
    { side: 'left', xyz: [0, 0.12, 0.95], rpy: [-HALF, 0, 0] },
    { side: 'right', xyz: [0, -0.12, 0.95], rpy: [HALF, 0, 0] },
  ];
  const torso = link(
    'torso',
    cylinder(0.22, [0, 0, 0], [0, 0, 0.08]),
    box([0.18, 0.2, 0.8], [0, 0, 0.48]),
    box([0.2, 0.24, 0.24], [0, 0, 0.95]),
    sphere(0.09, [0, 0, 1.14]),
  );
  return {
    links: [torso, ...arms.flatMap(({ side }) => armLinks(side))],
    joints: arms.flatMap((arm) => armJoints(arm)),
  };
}

function armLinks(side) {
  const { a2, a3, d1, d4, d5, d6 } = arm;
  return [
    link(`${side}_shoulder`, cylinder(0.055, [0, 0, -d1], [0, 0, 0.05]), cylinder(0.05, [0, 0, 0], [0, -0.06, 0])),
    link(`${side}_upper_arm`, capsule(0.05, [0, 0, d4], [-a2, 0, d4])),
    link(`${side}_forearm`, capsule(0.042, [0, 0, 0], [-a3, 0, 0]), cylinder(0.045, [0, 0, 0], [0, 0, 0.07])),
    link(
      `${side}_wrist_1`,
      cylinder(0.038, [0, 0, 0.04 - d4 + 0.005], [0, 0, 0.04]),
      cylinder(0.036, [0, 0, 0], [0, 0.04 - d5, 0]),
    ),
    link(
      `${side}_wrist_2`,
      cylinder(0.036, [0, 0, 0.04 - d5], [0, 0, 0.04]),
      cylinder(0.034, [0, 0, 0], [0, d6 - 0.04, 0]),
    ),
    link(`${side}_wrist_3`, cylinder(0.034, [0, 0, -0.04], [0, 0, 0])),
    link(`${side}_tool0`),
  ];
}

function armJoints({ side, xyz, rpy }) {
  const { d1, a2, a3, d4, d5, d6 } = arm;
  const range = (angle, velocity, effort) => ({
    lower: -degrees(angle),
    upper: degrees(angle),
    effort,
    velocity,
    acceleration: 8,
  });
  const [c, s] = [Math.cos(rpy[0]), Math.sin(rpy[0])];
  const rows = [
    ['shoulder_pan', 'shoulder', { xyz: [xyz[0], xyz[1] - s * d1, xyz[2] + c * d1], rpy, limit: range(180, 2.5, 80) }],
    ['shoulder_lift', 'upper_arm', { rpy: [HALF, 0, 0], limit: range(180, 2.5, 80) }],
    ['elbow', 'forearm', { xyz: [-a2, 0, 0], limit: range(155, 3, 50) }],
    ['wrist_1', 'wrist_1', { xyz: [-a3, 0, d4], limit: range(180, 4, 15) }],
    ['wrist_2', 'wrist_2', { xyz: [0, -d5, 0], rpy: [HALF, 0, 0], limit: range(180, 4, 15) }],
    ['wrist_3', 'wrist_3', { xyz: [0, d6, 0], rpy: [-HALF, 0, 0], limit: range(180, 4, 15) }],
  ];
  return [
    ...rows.map(([name, child, frame], i) =>
      joint(
        `${side}_${name}_joint`,
        'revolute',
        i === 0 ? 'torso' : `${side}_${rows[i - 1][1]}`,
        `${side}_${child}`,
        frame,
      ),
    ),
    joint(`${side}_tool_joint`, 'fixed', `${side}_wrist_3`, `${side}_tool0`, {}),
  ];
}
