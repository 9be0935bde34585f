import type { JointDescription, LinkDescription, Pose, RobotDescription } from '../../kinematics/robotModel.ts';
import { atan2 } from '../../math/trigonometry.ts';
import type { ShapeSpec } from '../../shapes/shape.ts';

/**
 * Writes a robot as URDF: the tree of links and joints with limits and mimic joints, and the collision shapes that URDF
 * can express (box, sphere, cylinder, capsule). Convex parts of meshes cannot be expressed and are left out: the
 * kinematics are complete, the collision geometry is not.
 */
export function urdfText({ name, links, joints }: RobotDescription): string {
  return [
    '<?xml version="1.0"?>',
    `<robot name="${escaped(name)}">`,
    ...links.map(linkText),
    ...joints.map(jointText),
    '</robot>',
    '',
  ].join('\n');
}

function linkText({ name, collisions }: LinkDescription): string {
  const shapes = collisions.flatMap(({ shape, pose }) => {
    const geometry = geometryOf(shape);
    if (geometry === undefined) return [];
    return [`    <collision>${originText(pose)}<geometry>${geometry}</geometry></collision>`];
  });
  if (shapes.length === 0) return `  <link name="${escaped(name)}"/>`;
  return [`  <link name="${escaped(name)}">`, ...shapes, '  </link>'].join('\n');
}

function geometryOf({ type, ...fields }: ShapeSpec): string | undefined {
  const { size, radius, length } = fields as { size?: readonly number[]; radius?: number; length?: number };
  switch (type) {
    case 'box':
      return `<box size="${size!.join(' ')}"/>`;
    case 'sphere':
      return `<sphere radius="${radius}"/>`;
    case 'cylinder':
    case 'capsule':
      return `<${type} radius="${radius}" length="${length}"/>`;
    default:
      return undefined;
  }
}

function jointText(joint: JointDescription): string {
  const { name, type, parent, child, origin, axis, mimic } = joint;
  const lines = [
    `  <joint name="${escaped(name)}" type="${type}">`,
    `    <parent link="${escaped(parent)}"/>`,
    `    <child link="${escaped(child)}"/>`,
    `    ${originText(origin)}`,
    ...(type === 'fixed' ? [] : [`    <axis xyz="${axis.join(' ')}"/>`, ...limitText(joint)]),
    ...(mimic === undefined
      ? []
      : [`    <mimic joint="${escaped(mimic.joint)}" multiplier="${mimic.multiplier}" offset="${mimic.offset}"/>`]),
    '  </joint>',
  ];
  return lines.join('\n');
}

function limitText({ lower, upper, velocity, effort }: JointDescription): string[] {
  const given = Object.entries({ lower, upper, velocity, effort }).filter(([, value]) => value !== undefined);
  if (given.length === 0) return [];
  return [`    <limit ${given.map(([key, value]) => `${key}="${value}"`).join(' ')}/>`];
}

function originText({ xyz, quat_wxyz }: Pose): string {
  return `<origin xyz="${xyz.join(' ')}" rpy="${rpyOf(quat_wxyz).join(' ')}"/>`;
}

/**
 * Computes roll, pitch and yaw about fixed axes: R = Rz(yaw) Ry(pitch) Rx(roll). At gimbal lock (pitch ± 90°) only the
 * sum or difference of roll and yaw is determined: roll is then 0.
 */
function rpyOf([w, x, y, z]: Pose['quat_wxyz']): [number, number, number] {
  const cosine = 1 - 2 * (y * y + z * z); // R₀₀ and R₁₀: cos(pitch) times cosine and sine of yaw
  const sine = 2 * (w * z + x * y);
  const cosPitch = Math.sqrt(cosine * cosine + sine * sine);
  const pitch = atan2(2 * (w * y - x * z), cosPitch);
  if (cosPitch < GIMBAL) return [0, pitch, atan2(2 * (w * z - x * y), 1 - 2 * (x * x + z * z))];
  return [atan2(2 * (w * x + y * z), 1 - 2 * (x * x + y * y)), pitch, atan2(sine, cosine)];
}

/** Below this value of cos(pitch), cosine and sine of roll and yaw consist of rounding errors. */
const GIMBAL = 1e-12;

const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
