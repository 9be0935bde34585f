#!/usr/bin/env node
// Proves that our bodies of the robots of Universal Robots contain the published collision meshes, and prints how far
// they stick out: node scripts/robots/bodies.mjs CHECKOUT, a checkout of Universal_Robots_ROS2_Description. Exit 0 if
// all vertices of the meshes of all robots lie behind all faces of the bodies, 1 otherwise. Copies of other robots may
// be missing there.
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { loadRobot } from '../../dist/node.js';
import { directions, planesOf, readObj, support } from './bodyPlanes.mjs';
import { cross } from './convexBody.mjs';
import { robots } from './urRobots.mjs';

const [checkout] = process.argv.slice(2);
if (checkout === undefined || !existsSync(path.join(checkout, 'urdf/ur.urdf.xacro'))) {
  console.error('bodies: CHECKOUT of Universal_Robots_ROS2_Description is needed');
  process.exit(2);
}
const LINKS = ['base_link_inertia', 'shoulder_link', 'upper_arm_link', 'forearm_link', 'wrist_1_link'];
LINKS.push('wrist_2_link', 'wrist_3_link');
/** Metres: the published meshes are single precision, ours are written to the micrometre. */
const ROUNDING = 5e-6;
let failed = false;

console.log(`| robot | ${LINKS.map((link) => `\`${link}\``).join(' | ')} |\n| --- |${' --: |'.repeat(LINKS.length)}`);
for (const name of Object.keys(robots)) {
  if (!existsSync(path.join(checkout, 'config', name, 'default_kinematics.yaml'))) {
    if (Object.keys(robots).find((other) => robots[other] === robots[name]) !== name) continue;
    console.error(`bodies: CHECKOUT has no config/${name}/default_kinematics.yaml`);
    failed = true;
    continue;
  }
  const published = await loadRobot(path.join(checkout, 'urdf/ur.urdf.xacro'), {
    args: { name, ur_type: name },
    packages: { ur_description: checkout },
  });
  const own = await loadRobot(name);
  const cells = LINKS.map((link) => cell(own, verticesOf(published, link), link));
  console.log(`| ${name} | ${cells.join(' | ')} |`);
}
process.exitCode = failed ? 1 : 0;

/** Millimetres by which the body sticks out in the direction where it is most; in bold, how far the mesh does. */
function cell(own, vertices, link) {
  const bodies = own.links.find((one) => one.name === link).collisions;
  const outside = Math.max(
    ...planesOfBody(link, own.name).map(({ normal, offset }) => support(vertices, normal) - offset),
  );
  const ours = bodies.flatMap(({ shape }) => shape.points);
  const beyond = Math.max(...directions(4000).map((d) => support(ours, d) - support(vertices, d)));
  if (outside <= ROUNDING) return (1000 * beyond).toFixed(1);
  failed = true;
  return `**${(1000 * outside).toFixed(2)} outside**`;
}

/** Vertices of the hulls of a link in its frame. */
function verticesOf(robot, link) {
  return robot.links
    .find((one) => one.name === link)
    .collisions.flatMap(({ shape, pose: { xyz, quat_wxyz } }) => shape.points.map((p) => placed(p, xyz, quat_wxyz)));
}

/** p rotated by the quaternion and moved. */
function placed(p, xyz, [w, x, y, z]) {
  const t = cross([x, y, z], p).map((c) => 2 * c);
  const u = cross([x, y, z], t);
  return p.map((c, i) => c + w * t[i] + u[i] + xyz[i]);
}

/** Planes of the faces of the OBJ that the URDF of a robot names, outward. */
function planesOfBody(link, name) {
  const folder = fileURLToPath(new URL(`../../robots/${name}/`, import.meta.url));
  const urdf = readFileSync(path.join(folder, `${name}.urdf`), 'utf8');
  const element = urdf.slice(urdf.indexOf(`<link name="${link}">`));
  return planesOf(readObj(path.join(folder, /filename="([^"]+)"/.exec(element)[1])));
}
