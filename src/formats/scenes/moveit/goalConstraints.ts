import type { AngleTolerance } from '../../../core/kinematics/pose.ts';
import type { Pose } from '../../../core/kinematics/robotModel.ts';
import { PI, sin } from '../../../core/math/trigonometry.ts';
import { IDENTITY_POSE } from '../../../core/scene/scene.ts';
import { show } from '../../text/schemaDiagnostics.ts';
import type { Path } from '../../text/sourceText.ts';
import { type ForeignGoal, type ForeignPoseGoal, rosPose, within } from './foreignScene.ts';
import type { MessageFrames } from './messageFrames.ts';
import {
  dimensionsOf,
  listOf,
  mappingOf,
  messageOf,
  nameOf,
  numberOf,
  poseOf,
  quaternionOf,
  requireUnit,
  tripleOf,
} from './messageValues.ts';
import { MessageError, type Raw } from './rosMessage.ts';

/** A frame fixed to a link of the robot. */
export interface LinkFrame {
  readonly link: string;
  readonly pose: Pose;
}

/** Context of goals: frames, links, and the notes on the conversion. */
export interface GoalContext {
  readonly frames: MessageFrames;
  /** Returns the link that carries a frame: a link, or the frame of an attached object or a subframe of it. */
  readonly carrierOf: (name: string, path: Path) => LinkFrame;
  readonly notes: Set<string>;
}

/**
 * Reads goal constraints: joint values, or the pose of a frame by a position and an orientation constraint. Each
 * converted goal satisfies the constraints: if its region or tolerances cannot be represented exactly, they are
 * narrowed, and a note states this. Other combinations are refused.
 */
export function readGoals(given: unknown, context: GoalContext): ForeignGoal[] {
  const path = ['goal_constraints'];
  return listOf(given, path).flatMap((one, i) => readGoal(one, [...path, i], context));
}

function readGoal(given: unknown, path: Path, context: GoalContext): ForeignGoal[] {
  const goal = messageOf(given, 'constraints', path);
  const parts = (key: string) => listOf(goal[key], [...path, key]);
  const [joints, positions, orientations] = [
    parts('joint_constraints'),
    parts('position_constraints'),
    parts('orientation_constraints'),
  ];
  if (parts('visibility_constraints').length > 0)
    throw new MessageError(
      [...path, 'visibility_constraints'],
      'visibility constraints are not supported',
      'Remove them.',
    );
  if (joints.length > 0 && positions.length + orientations.length > 0)
    throw new MessageError(
      path,
      'joint values and the pose of a link in one goal are not supported',
      'Give one of them.',
    );
  if (joints.length > 0) return [{ joints: readJoints(joints, [...path, 'joint_constraints']) }];
  if (positions.length === 1 && orientations.length < 2) return readPoses(positions[0], orientations[0], path, context);
  const counts = `${positions.length} position and ${orientations.length} orientation constraints`;
  const what = `a goal with ${counts} is not supported`;
  throw new MessageError(
    path,
    what,
    'Supported: joint constraints, or one position and at most one orientation constraint.',
  );
}

function readJoints(given: readonly unknown[], path: Path): Record<string, number> {
  const values: Record<string, number> = {};
  for (const [k, one] of given.entries()) {
    const at = [...path, k];
    const { joint_name, position, tolerance_above, tolerance_below } = messageOf(one, 'joint constraint', at);
    const name = nameOf(joint_name, [...at, 'joint_name']);
    if (Object.hasOwn(values, name))
      throw new MessageError(
        [...at, 'joint_name'],
        `${show(name)}, which has a constraint already`,
        'Give one constraint per joint.',
      );
    for (const [key, tolerance] of Object.entries({ tolerance_above, tolerance_below }))
      if (numberOf(tolerance, [...at, key], 0) < 0)
        throw new MessageError([...at, key], `${show(tolerance)}, must not be negative`, '');
    Object.defineProperty(values, name, { value: numberOf(position, [...at, 'position']), enumerable: true });
  }
  return values;
}

/** Returns one pose goal for each shape of the region of the position constraint, which is their union. */
function readPoses(given: unknown, oriented: unknown, path: Path, context: GoalContext): ForeignPoseGoal[] {
  const at = [...path, 'position_constraints', 0];
  const position = messageOf(given, 'position constraint', at);
  const named = nameOf(position.link_name, [...at, 'link_name']);
  const carrier = context.carrierOf(named, [...at, 'link_name']);
  const frame = frameOfPoint(position, at, context);
  const { quat_wxyz, angle } =
    oriented === undefined
      ? { quat_wxyz: IDENTITY_POSE.quat_wxyz, angle: [PI, PI, PI] as const }
      : readOrientation(oriented, named, carrier, [...path, 'orientation_constraints', 0], context);
  const outer = context.frames.ofGoalHeader(position.header, at);
  return readRegion(position.constraint_region, [...at, 'constraint_region'], context.notes).map(
    ({ pose, radius }) => ({
      frame,
      pose: { xyz: within(outer, pose).xyz, quat_wxyz },
      tolerance: { position: radius, angle },
    }),
  );
}

/** Returns the frame whose origin a position constraint names: a point of a link. */
export function frameOfPoint(position: Raw, at: Path, { carrierOf }: GoalContext): LinkFrame {
  const { link, pose } = carrierOf(nameOf(position.link_name, [...at, 'link_name']), [...at, 'link_name']);
  const [x, y, z] = tripleOf(position.target_point_offset ?? [0, 0, 0], [...at, 'target_point_offset']);
  return { link, pose: within(pose, { xyz: [x, y, z], quat_wxyz: [1, 0, 0, 0] }) };
}

/** Returns a sphere inside each shape of a region. */
function readRegion(given: unknown, path: Path, notes: Set<string>): { pose: Pose; radius: number }[] {
  return regionShapes(given, path, notes).map(({ kind, sizes, pose }) => {
    if (sizes.length > 1) notes.add('the region of a goal is narrowed to the largest sphere at its center');
    return { pose, radius: kinds[kind].radius(sizes) };
  });
}

/** A shape of a region, with its dimensions as in the message. */
export interface RegionShape {
  readonly kind: RegionKind;
  readonly sizes: readonly number[];
  readonly pose: Pose;
}

/** Reads the shapes of a region, of which there is at least one. */
export function regionShapes(given: unknown, path: Path, notes: Set<string>): RegionShape[] {
  const region = messageOf(given, 'region', path);
  if (listOf(region.meshes, [...path, 'meshes']).length > 0)
    throw new MessageError(
      [...path, 'meshes'],
      'a region of meshes is not supported',
      'Use one of: sphere, box, cylinder.',
    );
  const poses = listOf(region.primitive_poses, [...path, 'primitive_poses']);
  const shapes = listOf(region.primitives, [...path, 'primitives']);
  if (shapes.length === 0) throw new MessageError(path, 'a region without a shape', 'Give a sphere, box or cylinder.');
  if (poses.length !== shapes.length)
    throw new MessageError(
      [...path, 'primitive_poses'],
      `${poses.length} poses of ${shapes.length} shapes`,
      'Give one pose per shape.',
    );
  return shapes.map((one, i) => {
    const at = [...path, 'primitives', i];
    const { type, dimensions } = messageOf(one, 'primitive', at);
    const kind = (typeof type === 'number' ? NAMES[type] : String(type).toLowerCase()) as RegionKind;
    if (!Object.hasOwn(kinds, kind))
      throw new MessageError([...at, 'type'], `${show(type)}, must be one of: sphere, box, cylinder`, '');
    const sizes = dimensionsOf(dimensions, kinds[kind].count, [...at, 'dimensions']);
    const wrong = sizes.findIndex((size) => !(size > 0));
    if (wrong >= 0)
      throw new MessageError([...at, 'dimensions', wrong], `${show(sizes[wrong])}, must be greater than 0`, '');
    const pose = poseOf(poses[i], [...path, 'primitive_poses', i]);
    // As in MoveIt, a quaternion of length 0 is the identity.
    if (pose === undefined && kind !== 'sphere')
      notes.add('quaternions of length 0 are read as the identity, as in MoveIt');
    const center = pose ?? { ...IDENTITY_POSE, xyz: positionOf(poses[i], [...path, 'primitive_poses', i]) };
    return { kind, sizes, pose: center };
  });
}

const positionOf = (given: unknown, path: Path): [number, number, number] => {
  const [x, y, z] = tripleOf(mappingOf(given, path).position ?? [0, 0, 0], [...path, 'position']);
  return [x, y, z];
};

/** Shapes of a region. */
export type RegionKind = 'box' | 'sphere' | 'cylinder';

/** The shapes by number of shape_msgs/SolidPrimitive. */
const NAMES = ['', 'box', 'sphere', 'cylinder'];

/** Number of dimensions, and the radius of the largest sphere inside. */
const kinds: Readonly<Record<RegionKind, { count: number; radius: (sizes: readonly number[]) => number }>> = {
  box: { count: 3, radius: ([x, y, z]) => Math.min(x, y, z) / 2 },
  sphere: { count: 1, radius: ([radius]) => radius },
  cylinder: { count: 2, radius: ([length, radius]) => Math.min(length / 2, radius) },
};

function readOrientation(
  given: unknown,
  named: string,
  carrier: LinkFrame,
  path: Path,
  context: GoalContext,
): { readonly quat_wxyz: Pose['quat_wxyz']; readonly angle: AngleTolerance } {
  const constraint = messageOf(given, 'orientation constraint', path);
  const link = nameOf(constraint.link_name, [...path, 'link_name']);
  if (link !== named)
    throw new MessageError(
      [...path, 'link_name'],
      `${show(link)}, the position constraint is one of ${JSON.stringify(named)}`,
      '',
    );
  const { quat_wxyz, tolerances, isVector } = orientationOf(constraint, path, context);
  const isTurned = carrier.pose.quat_wxyz[0] !== 1;
  return { quat_wxyz, angle: innerAngle(tolerances, isVector, isTurned, context.notes) };
}

/** Orientation of an orientation constraint in the world, and its tolerances as in the message. */
export interface StatedOrientation {
  readonly quat_wxyz: Pose['quat_wxyz'];
  readonly tolerances: readonly number[];
  /** True for tolerances of a rotation vector, false for those of intrinsic Euler angles about x, y, z. */
  readonly isVector: boolean;
}

/** Reads the orientation and the tolerances of an orientation constraint. */
export function orientationOf(constraint: Raw, path: Path, { frames }: GoalContext): StatedOrientation {
  const pose = rosPose([0, 0, 0], unitQuaternion(constraint.orientation, [...path, 'orientation']))!;
  const { quat_wxyz } = within(frames.ofGoalHeader(constraint.header, path), pose);
  const tolerances = ['x', 'y', 'z'].map((axis) => toleranceOf(constraint, `absolute_${axis}_axis_tolerance`, path));
  return { quat_wxyz, tolerances, isVector: isRotationVector(constraint, path) };
}

function toleranceOf(constraint: Raw, key: string, path: Path): number {
  const value = numberOf(constraint[key], [...path, key]);
  if (value > 0) return value;
  throw new MessageError([...path, key], `${show(value)}, must be greater than 0`, '');
}

/** Returns true for tolerances of a rotation vector, false for those of Euler angles, the default. */
function isRotationVector({ parameterization = 0 }: Raw, path: Path): boolean {
  if (parameterization === 0 || parameterization === 1) return parameterization === 1;
  throw new MessageError([...path, 'parameterization'], `${show(parameterization)}, must be 0 or 1`, '');
}

/**
 * Returns tolerances here that imply those of an orientation constraint. For a rotation R of angle θ < π/2, the
 * intrinsic angles a, b, c about x, y, z of R = Rx(a) Ry(b) Rz(c) are at most θ: sin b is the x component of R e_z,
 * tan a the ratio of its y and z components, and likewise tan c of Rᵀ e_x; both vectors are turned by at most θ.
 * If c is free, a and b depend on R e_z alone, whose angle τ to e_z obeys sin(τ/2) <= ρ/2 with ρ the length of the x
 * and y components of the rotation vector; if a is free, b and c depend on Rᵀ e_x in the same way.
 * @param isTurned the constraint is one of a frame that is turned relative to its link: MoveIt measures the angles
 *   about the axes of the link, so that only the angle of the whole rotation is the same
 */
export function innerAngle(
  [x, y, z]: readonly number[],
  isVector: boolean,
  isTurned: boolean,
  notes: Set<string> = new Set(),
): AngleTolerance {
  if (isVector && !isTurned) return [x, y, z];
  const least = Math.min(x, y, z);
  if (least >= PI) return [PI, PI, PI];
  if (isVector || isTurned) {
    if (x !== y || y !== z) notes.add(NARROWED);
    return isVector ? least : Math.min(least, RIGHT_ANGLE);
  }
  const side = (t: number) => Math.SQRT2 * sin(Math.min(t, RIGHT_ANGLE) / 2);
  if (z >= PI && x < PI && y < PI) return [side(Math.min(x, y)), side(Math.min(x, y)), PI];
  if (x >= PI && y < PI && z < PI) return [PI, side(Math.min(y, z)), side(Math.min(y, z))];
  if (x !== y || y !== z) notes.add(NARROWED);
  return Math.min(least, RIGHT_ANGLE);
}

/** Just below π/2, where the bounds on the Euler angles end. */
export const RIGHT_ANGLE = 1.57;
const NARROWED = 'different tolerances of an orientation are narrowed to the least of them, for the whole rotation';

/** Returns x, y, z, w of the orientation of a constraint. */
function unitQuaternion(given: unknown, path: Path): number[] {
  const quaternion = quaternionOf(given, path);
  requireUnit(quaternion, path, 'MoveIt would replace it by the identity.');
  return quaternion;
}

/** Reads a PoseStamped: the goal of the tool center point, with the default tolerances. */
export function readPoseStamped(data: Raw, frames: MessageFrames): ForeignPoseGoal {
  const { orientation } = mappingOf(data.pose, ['pose']);
  if (orientation !== undefined) unitQuaternion(orientation, ['pose', 'orientation']);
  const pose = poseOf(data.pose, ['pose']);
  return { pose: within(frames.ofGoalHeader(data.header, []), pose!) };
}
