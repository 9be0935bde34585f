#!/usr/bin/env node
// Compares the forward kinematics of robots that are published in two formats, and prints the table of
// docs/robots-published.md: node scripts/robots/twoFormats.mjs --checkouts DIR
// The descriptions place their bases and link frames differently, so motions are compared: the screw of the last link
// from one random state to the next (its angle and its slide along the axis) does not depend on these frames.
import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const bin = fileURLToPath(new URL('../../bin/elbowroom.js', import.meta.url));
const STATES = 60;
const UR = 'UniversalRobots+Universal_Robots_ROS2_Description/urdf/ur.urdf.xacro --arg name=u --arg ur_type=ur5e';
const DRAKE = 'RobotLocomotion+models';
/** Name, then twice a file and its last link. Joints are matched by name, or else by their order. */
const pairs = [
  [
    'UR5e, xacro and MJCF',
    UR,
    'wrist_3_link',
    'deepmind+mujoco_menagerie/universal_robots_ur5e/ur5e.xml',
    'wrist_3_link',
  ],
  [
    'UR5e, ROS 2 and ROS 1',
    UR,
    'wrist_3_link',
    'ros-industrial+universal_robot/ur_description/urdf/ur5e.xacro',
    'wrist_3_link',
  ],
  [
    'Franka Panda, xacro and MJCF',
    'frankaemika+franka_ros/franka_description/robots/panda/panda.urdf.xacro',
    'panda_link7',
    'deepmind+mujoco_menagerie/franka_emika_panda/panda_nohand.xml',
    'link7',
  ],
  [
    'Franka Panda, xacro and Drake',
    'frankaemika+franka_ros/franka_description/robots/panda/panda.urdf.xacro',
    'panda_link7',
    `${DRAKE}/franka_description/urdf/panda_arm.urdf`,
    'panda_link7',
  ],
  [
    'LBR iiwa 14, xacro and SDF',
    'lbr-stack+lbr_fri_ros2_stack/lbr_description/urdf/iiwa14/iiwa14.xacro',
    'lbr_link_7',
    `${DRAKE}/iiwa_description/sdf/iiwa14_polytope_collision.sdf`,
    'iiwa_link_7',
  ],
  [
    'LBR iiwa 14, SDF and URDF',
    `${DRAKE}/iiwa_description/sdf/iiwa14_polytope_collision.sdf`,
    'iiwa_link_7',
    `${DRAKE}/iiwa_description/urdf/iiwa14_primitive_collision.urdf`,
    'iiwa_link_7',
  ],
  [
    'LBR iiwa 14, SDF and MJCF',
    `${DRAKE}/iiwa_description/sdf/iiwa14_polytope_collision.sdf`,
    'iiwa_link_7',
    'kevinzakka+mink/examples/kuka_iiwa_14/iiwa14.xml',
    'link7',
  ],
  [
    'xArm 7, xacro and MJCF',
    'xArm-Developer+xarm_ros2/xarm_description/urdf/xarm_device.urdf.xacro --arg dof=7',
    'link7',
    'kevinzakka+mink/examples/ufactory_xarm7/xarm7_nohand.xml',
    'link7',
  ],
  [
    'SO-ARM101, URDF and MJCF',
    'TheRobotStudio+SO-ARM100/Simulation/SO101/so101_new_calib.urdf',
    'gripper_link',
    'TheRobotStudio+SO-ARM100/Simulation/SO101/so101_new_calib.xml',
    'gripper',
  ],
  [
    'Allegro hand, URDF and SDF',
    `${DRAKE}/allegro_hand_description/urdf/allegro_hand_description_right.urdf`,
    'link_3',
    `${DRAKE}/allegro_hand_description/sdf/allegro_hand_description_right.sdf`,
    'link_3',
  ],
];

const { values } = parseArgs({ options: { checkouts: { type: 'string', default: '.' } } });
console.log('| robot | angle | slide |\n| --- | --: | --: |');
for (const [name, fileA, linkA, fileB, linkB] of pairs) {
  const [a, b] = [robotOf(fileA), robotOf(fileB)];
  const names = a.joints.every((joint) => b.joints.includes(joint)) ? a.joints : undefined;
  const random = generator(7);
  const common = Math.min(a.joints.length, b.joints.length);
  const states = Array.from({ length: STATES }, () => Array.from({ length: common }, () => random() * 1.2 - 0.6));
  const motionA = linkPoses(a, states, linkA, undefined);
  const motionB = linkPoses(b, states, linkB, names);
  let [angle, slide] = [0, 0];
  for (let k = 1; k < STATES; k++) {
    const [s, t] = [screw(motionA[k - 1], motionA[k]), screw(motionB[k - 1], motionB[k])];
    angle = Math.max(angle, Math.abs(s[0] - t[0]));
    slide = Math.max(slide, Math.abs(s[1] - t[1]));
  }
  console.log(`| ${name} | ${angle.toExponential(1)} rad | ${slide.toExponential(1)} m |`);
}

function run(words, input) {
  const options = { input, maxBuffer: 1 << 28, stdio: ['pipe', 'pipe', 'ignore'] };
  return execFileSync(process.execPath, [bin, ...words], options).toString();
}

function robotOf(text) {
  const [file, ...args] = text.split(' ');
  const words = [path.join(values.checkouts, file), ...args];
  const joints = JSON.parse(run(['robot', ...words, '--json'])).joints;
  return { words, joints: joints.filter(({ type, mimic }) => type !== 'fixed' && !mimic).map(({ name }) => name) };
}

/** @param names of the joints that the values of a state belong to; undefined: the first joints of the robot */
function linkPoses({ words, joints }, states, link, names) {
  const lines = states.map((state) => {
    const value = (joint, i) => state[names === undefined ? i : names.indexOf(joint)] ?? 0;
    return JSON.stringify({ q: joints.map(value) });
  });
  const answers = run(['fk', ...words], `${lines.join('\n')}\n`)
    .trim()
    .split('\n');
  return answers.map((line) => JSON.parse(line).links[link]);
}

/** Returns the angle, at most π, and the slide along the axis of the motion between two poses. */
function screw(from, to) {
  const back = [from.quat_wxyz[0], ...from.quat_wxyz.slice(1).map((x) => -x)];
  const turn = product(back, to.quat_wxyz);
  const sine = Math.hypot(turn[1], turn[2], turn[3]);
  const step = [0, ...to.xyz.map((x, i) => x - from.xyz[i])];
  const moved = product(product(back, step), from.quat_wxyz).slice(1);
  const sign = turn[0] < 0 ? -1 : 1;
  const slide = moved.reduce((sum, x, i) => sum + (sign * x * turn[i + 1]) / sine, 0);
  return [2 * Math.atan2(sine, Math.abs(turn[0])), slide];
}

function product([a, b, c, d], [e, f, g, h]) {
  return [
    a * e - b * f - c * g - d * h,
    a * f + b * e + c * h - d * g,
    a * g - b * h + c * e + d * f,
    a * h + b * g - c * f + d * e,
  ];
}

/** Random numbers from 0 to 1 of a seed. */
function generator(seed) {
  let state = seed;
  return () => {
    state = (state * 1103515245 + 12345) % 2147483648;
    return state / 2147483648;
  };
}
