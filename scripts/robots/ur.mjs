// Writes robots/ur3e, robots/ur5e and robots/ur10e, their URDF and collision meshes: `node scripts/robots/ur.mjs`, or
// into another folder than robots/: `node scripts/robots/ur.mjs FOLDER`. Each robot's README.md says where its numbers
// come from.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { convexHull, evenInertia, objText, ringCorners } from './convexBody.mjs';

/**
 * The six moving links from base to flange, as ROS names them, and the mirror plane of each in its own frame: x = 0 or
 * y = 0.
 */
const links = [
  { name: 'shoulder', joint: 'shoulder_pan', symmetric: 'x' },
  { name: 'upper_arm', joint: 'shoulder_lift', symmetric: 'y' },
  { name: 'forearm', joint: 'elbow', symmetric: 'y' },
  { name: 'wrist_1', joint: 'wrist_1', symmetric: 'x' },
  { name: 'wrist_2', joint: 'wrist_2', symmetric: 'x' },
  { name: 'wrist_3', joint: 'wrist_3', symmetric: 'x' },
];

/**
 * `d1`, `a2`, `a3`, `d4`, `d5`, `d6`: Denavit-Hartenberg lengths, metres. By joint: `velocity` in degrees per second,
 * `effort` in N m. By link: `masses` in kg, `centers` of mass in the link's Denavit-Hartenberg frame, metres. `bodies`:
 * rings around each link, [u, v, radius, tilt] in millimetres and degrees: u and v are the link's y and z where it
 * mirrors in x = 0, its x and z where it mirrors in y = 0; the ring's axis lies in that plane, tilted from the u axis
 * towards v.
 */
const robots = {
  ur3e: {
    ...{ d1: 0.15185, a2: -0.24355, a3: -0.2132, d4: 0.13105, d5: 0.08535, d6: 0.0921 },
    velocity: [180, 180, 180, 360, 360, 360],
    effort: [56, 56, 28, 12, 12, 12],
    masses: [1.98, 3.4445, 1.437, 0.871, 0.805, 0.261],
    // biome-ignore format: a row per link
    centers: [
      [0, -0.02, 0], [0.13, 0, 0.1157], [0.05, 0, 0.0238],
      [0, 0, 0.01], [0, 0, 0.01], [0, 0, -0.02],
    ],
    // biome-ignore format: a line per link
    bodies: {
      base: [[0, 0, 65, 90], [0, 17, 65, 90], [0, 85.5, 50, 90]],
      shoulder: [[0, -67, 50, 90], [0, 37.5, 52.5, 90], [-64, 0, 50, 0], [-5.5, 57, 45.5, 83]],
      upper_arm: [[0, 65, 51.5, 90], [0, 161, 52.5, 90], [-17, 178.5, 45.5, 95], [-243.5, 72, 50, 90], [-243.5, 163, 52, 90], [-222.5, 179.5, 45, 86]],
      forearm: [[0, 73, 50.5, 90], [0, 44, 49, 90], [-30, -8, 32, 83], [-213, 73, 33.5, 90], [-213, -14, 34, 90], [-204, -24, 21.5, 98]],
      wrist_1: [[-46.5, 0, 32, 0], [38.5, 0, 34.5, 0], [49, -4, 26, 0], [0, -59.5, 32, 90]],
      wrist_2: [[53, 0, 32.5, 0], [-32.5, 0, 34.5, 0], [-50, -1.5, 28.5, -2], [0, -40, 32.5, 90]],
      wrist_3: [[0, 0.5, 27, 90], [0, -8, 33, 90], [0, -39.5, 33, 90], [-11.5, -27.5, 26.5, 90]],
    },
  },
  ur5e: {
    ...{ d1: 0.1625, a2: -0.425, a3: -0.3922, d4: 0.1333, d5: 0.0997, d6: 0.0996 },
    velocity: [180, 180, 180, 180, 180, 180],
    effort: [150, 150, 150, 28, 28, 28],
    masses: [3.761, 8.058, 2.846, 1.37, 1.3, 0.365],
    // biome-ignore format: a row per link
    centers: [
      [0, -0.02561, 0.00193], [0.2125, 0, 0.11336], [0.15, 0, 0.0265],
      [0, -0.0018, 0.01634], [0, 0.0018, 0.01634], [0, 0, -0.001159],
    ],
    // biome-ignore format: a line per link
    bodies: {
      base: [[0, 0, 76, 90], [0, 19.5, 75.5, 90], [0, 99.5, 58, 90]],
      shoulder: [[0, -64, 58.5, 90], [0, 43.5, 61, 90], [-74.5, 0, 58.5, 0], [-6.5, 66, 53, 83]],
      upper_arm: [[0, 74, 60, 90], [0, 185, 61, 90], [-19.5, 205.5, 53, 95], [-425, 60, 58, 90], [-425, 187, 60.5, 90], [-400.5, 206.5, 52.5, 86]],
      forearm: [[0, 60.5, 59, 90], [0, 26.5, 57, 90], [-35, -34, 37.5, 83], [-392, 60.5, 39, 90], [-392, -41.5, 39.5, 90], [-381.5, -52.5, 25, 98]],
      wrist_1: [[-54, 0, 37.5, 0], [45, 0, 40, 0], [57, -4.5, 30.5, 0], [0, -74.5, 37.5, 90]],
      wrist_2: [[53.5, 0, 38, 0], [-38, 0, 40, 0], [-58, -1.5, 33, -2], [0, -46.5, 38, 90]],
      wrist_3: [[0, 0.5, 31.5, 90], [0, -9.5, 38.5, 90], [0, -46, 38.5, 90], [-13.5, -32, 31, 90]],
    },
  },
  ur10e: {
    ...{ d1: 0.1807, a2: -0.6127, a3: -0.57155, d4: 0.17415, d5: 0.11985, d6: 0.11655 },
    velocity: [120, 120, 180, 180, 180, 180],
    effort: [330, 330, 150, 54, 54, 54],
    masses: [7.369, 13.051, 3.989, 2.1, 1.98, 0.615],
    // biome-ignore format: a row per link
    centers: [
      [0.021, 0, 0.027], [0.38, 0, 0.158], [0.24, 0, 0.068],
      [0, 0.007, 0.018], [0, 0.007, 0.018], [0, 0, -0.026],
    ],
    // biome-ignore format: a line per link
    bodies: {
      base: [[0, 0, 95.5, 90], [0, 17.5, 95.5, 90], [0, 99.5, 75, 90]],
      shoulder: [[0, -82, 75.5, 90], [0, 63.5, 77, 90], [-95, 0, 75.5, 0], [-7.5, 90, 70, 86]],
      upper_arm: [[0, 94.5, 76.5, 90], [0, 244, 77, 90], [-19, 264, 69, 98], [-612.5, 98.5, 58, 90], [-612.5, 222.5, 61.5, 90], [-593, 244.5, 52, 85]],
      forearm: [[0, 99, 59, 90], [0, 53, 61, 90], [-78, -9, 52.5, 79], [-571.5, 106.5, 45, 90], [-571.5, -4.5, 47.5, 90], [-558, -21, 34, 84]],
      wrist_1: [[-67, 0, 45.5, 0], [41, 0, 48, 0], [56.5, -5.5, 38.5, 5], [0, -68.5, 45.5, 90]],
      wrist_2: [[68, 0, 45.5, 0], [-39.5, 0, 47.5, 0], [-54, -3, 40.5, -5], [0, -53.5, 45.5, 90]],
      wrist_3: [[0, 0, 32.5, 90], [0, -8, 46, 90], [0, -49, 46, 90], [-23.5, -36.5, 29, 90]],
    },
  },
};

/**
 * rad/s², every joint: the arms themselves are only limited in torque; this is what the published MoveIt configuration
 * plans with.
 */
const acceleration = 5;

const target = process.argv[2] ?? fileURLToPath(new URL('../../robots/', import.meta.url));
for (const [name, robot] of Object.entries(robots)) writeRobot(join(target, name), name, robot);

function writeRobot(folder, name, robot) {
  mkdirSync(join(folder, 'meshes'), { recursive: true });
  const bodies = [{ name: 'base', symmetric: 'x' }, ...links];
  const hulls = Object.fromEntries(
    bodies.map(({ name: link, symmetric }) => [link, bodyOf(robot.bodies[link], symmetric, link)]),
  );
  for (const [link, hull] of Object.entries(hulls)) {
    const comment = `${name} ${link}: convex body around the link, made by scripts/robots/ur.mjs`;
    writeFileSync(join(folder, 'meshes', `${link}.obj`), objText(hull, comment));
  }
  writeFileSync(join(folder, `${name}.urdf`), urdfText(name, robot, hulls));
}

/** Twelve corners a ring; sixteen for the base, which stays where it is and is never in a hurry. */
function bodyOf(rings, symmetric, link) {
  const corners = link === 'base' ? 16 : 12;
  return convexHull(
    rings.flatMap(([u, v, radius, tilt]) =>
      ringCorners({ symmetric, at: [u / 1000, v / 1000], radius: radius / 1000, tilt }, corners),
    ),
  );
}

function urdfText(name, robot, hulls) {
  return `<?xml version="1.0"?>
<!-- Made by scripts/robots/ur.mjs; README.md says where each number is from. -->
<robot name="${name}">
  <link name="base_link"/>
  <link name="base_link_inertia">
${collision('base')}
  </link>
${links.map((link, i) => linkText(link, i, robot, hulls[link.name])).join('\n')}
  <link name="ft_frame"/>
  <link name="base"/>
  <link name="flange"/>
  <link name="tool0"/>

${fixedJoint('base_link-base_link_inertia', 'base_link', 'base_link_inertia', '0 0 pi')}
${links.map((link, i) => jointText(link, i, robot)).join('\n')}
${fixedJoint('wrist_3_link-ft_frame', 'wrist_3_link', 'ft_frame', 'pi 0 0')}
${fixedJoint('base_link-base_fixed_joint', 'base_link', 'base', '0 0 pi')}
${fixedJoint('wrist_3-flange', 'wrist_3_link', 'flange', '0 -pi/2 -pi/2')}
${fixedJoint('flange-tool0', 'flange', 'tool0', 'pi/2 0 pi/2')}
</robot>
`;
}

function linkText({ name }, i, robot, hull) {
  const center = toLinkFrame(robot.centers[i], i, robot);
  const moments = evenInertia(hull, robot.masses[i], center);
  const inertia = Object.entries(moments).map(([key, value]) => `i${key}="${Math.round(value * 1e6) / 1e6 + 0}"`);
  return `  <link name="${name}_link">
    <inertial>
      <origin xyz="${center.join(' ')}"/>
      <mass value="${robot.masses[i]}"/>
      <inertia ${inertia.join(' ')}/>
    </inertial>
${collision(name)}
  </link>`;
}

function collision(name) {
  return `    <collision>
      <geometry><mesh filename="meshes/${name}.obj"/></geometry>
    </collision>`;
}

/**
 * Where the URDF frame of each joint sits in the one before; the Denavit-Hartenberg twists become roll angles at the
 * next joint.
 */
function jointText({ name, joint }, i, robot) {
  const { d1, a2, a3, d4, d5, d6 } = robot;
  const [xyz, rpy] = [
    [`0 0 ${d1}`, '0 0 0'],
    ['0 0 0', 'pi/2 0 0'],
    [`${a2} 0 0`, '0 0 0'],
    [`${a3} 0 ${d4}`, '0 0 0'],
    [`0 ${-d5} 0`, 'pi/2 0 0'],
    [`0 ${d6} 0`, '-pi/2 0 0'],
  ][i];
  const bound = joint === 'elbow' ? 'pi' : '2 pi';
  const limit = { lower: radians(`-${bound}`), upper: radians(bound), effort: robot.effort[i] };
  const rates = { velocity: (robot.velocity[i] * Math.PI) / 180, acceleration };
  return `  <joint name="${joint}_joint" type="revolute">
    <parent link="${i === 0 ? 'base_link_inertia' : `${links[i - 1].name}_link`}"/>
    <child link="${name}_link"/>
    <origin xyz="${xyz}" rpy="${rpy.split(' ').map(radians).join(' ')}"/>
    <axis xyz="0 0 1"/>
    <limit ${attributes({ ...limit, ...rates })}/>
  </joint>`;
}

function fixedJoint(name, parent, child, rpy) {
  return `  <joint name="${name}" type="fixed">
    <parent link="${parent}"/>
    <child link="${child}"/>
    <origin xyz="0 0 0" rpy="${rpy.split(' ').map(radians).join(' ')}"/>
  </joint>`;
}

/**
 * Denavit-Hartenberg frame i ends at the next joint: along x by a, or turned by the twist; wrist frames already hold
 * their d.
 */
function toLinkFrame([x, y, z], i, { a2, a3 }) {
  const exact = (value) => Math.round(value * 1e9) / 1e9 + 0;
  return [
    [x, -z, y],
    [x + a2, y, z],
    [x + a3, y, z],
    [x, -z, y],
    [x, z, -y],
    [x, y, z],
  ][i].map(exact);
}

/** Radians of `pi`, `-pi/2`, `2 pi` and plain numbers. */
function radians(text) {
  const [, sign, times, pi, over] = /^(-?)([\d.]*)\s*(pi)?(?:\/(\d+))?$/.exec(text);
  const value = ((times === '' ? 1 : Number(times)) * (pi ? Math.PI : 1)) / Number(over ?? 1);
  return (sign === '-' ? -value : value) + 0;
}

function attributes(values) {
  return Object.entries(values)
    .map(([key, value]) => `${key}="${value}"`)
    .join(' ');
}
