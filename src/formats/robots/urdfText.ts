import type { JointDescription, LinkDescription, Pose, RobotDescription } from '../../core/kinematics/robotModel.ts';
import type { ShapeSpec } from '../../core/shapes/shape.ts';
import { rpyOf } from './writing/rollPitchYaw.ts';

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

const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
