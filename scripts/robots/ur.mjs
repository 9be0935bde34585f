// Writes the robots of urRobots.mjs, their URDF and collision meshes: `node scripts/robots/ur.mjs`, or into another
// folder than robots/: `node scripts/robots/ur.mjs FOLDER`.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { convexHull, evenInertia, objText, ringCorners } from './convexBody.mjs';
import { robots } from './urRobots.mjs';

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
 * rad/s², every joint: the arms themselves are only limited in torque; this is what the published MoveIt configuration
 * plans with.
 */
const acceleration = 5;

const target = process.argv[2] ?? fileURLToPath(new URL('../../robots/', import.meta.url));
for (const [name, robot] of Object.entries(robots)) writeRobot(join(target, name), name, robot);

function writeRobot(folder, name, robot) {
  mkdirSync(folder, { recursive: true });
  const bodies = [{ name: 'base', symmetric: 'x' }, ...links];
  const hulls = Object.fromEntries(
    bodies.map(({ name: link, symmetric }) => [link, bodyOf(robot.bodies[link], symmetric, link)]),
  );
  for (const [link, hull] of Object.entries(hulls)) {
    if (ownerOf(name, link) !== name) continue;
    mkdirSync(join(folder, 'meshes'), { recursive: true });
    const comment = `${name} ${link}: convex body around the link, made by scripts/robots/ur.mjs`;
    writeFileSync(join(folder, 'meshes', `${link}.obj`), objText(hull, comment));
  }
  writeFileSync(join(folder, `${name}.urdf`), urdfText(name, robot, hulls));
}

/** The first robot with the same body of a link, whose mesh the others name. */
function ownerOf(name, link) {
  return Object.keys(robots).find((other) => robots[other].bodies[link] === robots[name].bodies[link]);
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
${collision(name, 'base')}
  </link>
${links.map((link, i) => linkText(name, link, i, robot, hulls[link.name])).join('\n')}
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

function linkText(robotName, { name }, i, robot, hull) {
  const center = toLinkFrame(robot.centers[i], i, robot);
  const moments = evenInertia(hull, robot.masses[i], center);
  const inertia = Object.entries(moments).map(([key, value]) => `i${key}="${Math.round(value * 1e6) / 1e6 + 0}"`);
  return `  <link name="${name}_link">
    <inertial>
      <origin xyz="${center.join(' ')}"/>
      <mass value="${robot.masses[i]}"/>
      <inertia ${inertia.join(' ')}/>
    </inertial>
${collision(robotName, name)}
  </link>`;
}

function collision(robotName, name) {
  const owner = ownerOf(robotName, name);
  const folder = owner === robotName ? '' : `../${owner}/`;
  return `    <collision>
      <geometry><mesh filename="${folder}meshes/${name}.obj"/></geometry>
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
