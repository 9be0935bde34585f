import type { AngleTolerance } from '../../../core/kinematics/pose.ts';
import type { Pose } from '../../../core/kinematics/robotModel.ts';
import { PI, sin } from '../../../core/math/trigonometry.ts';
import { IDENTITY_POSE } from '../../../core/scene/scene.ts';
import { type ForeignGoal, type ForeignPoseGoal, rosPose, within } from './foreignScene.ts';
import type { MessageFrames } from './messageFrames.ts';
import type { Field } from './messageValues.ts';

/** A frame fixed to a link of the robot. */
export interface LinkFrame {
  readonly link: string;
  readonly pose: Pose;
}

/** Context of goals: frames, links, and the notes on the conversion. */
export interface GoalContext {
  readonly frames: MessageFrames;
  /** Returns the link that carries the named frame: a link, or the frame of an attached object or a subframe of it. */
  readonly carrierOf: (name: Field) => LinkFrame;
  readonly notes: Set<string>;
}

/**
 * Reads goal constraints: joint values, or the pose of a frame by a position and an orientation constraint. Each
 * converted goal satisfies the constraints: if its region or tolerances cannot be represented exactly, they are
 * narrowed, and a note states this. Other combinations are refused.
 */
export function readGoals(given: Field, context: GoalContext): ForeignGoal[] {
  return given.list().flatMap((one) => readGoal(one.message('constraints'), context));
}

function readGoal(goal: Field, context: GoalContext): ForeignGoal[] {
  const [joints, positions, orientations, visibilities] = ['joint', 'position', 'orientation', 'visibility'].map(
    (kind) => goal.at(`${kind}_constraints`).list(),
  );
  if (visibilities.length > 0)
    throw goal.at('visibility_constraints').error('visibility constraints are not supported', 'Remove them.');
  if (joints.length > 0 && positions.length + orientations.length > 0)
    throw goal.error('joint values and the pose of a link in one goal are not supported', 'Give one of them.');
  if (joints.length > 0) return [{ joints: readJoints(joints) }];
  if (positions.length === 1 && orientations.length < 2) return readPoses(positions[0], orientations[0], context);
  const counts = `${positions.length} position and ${orientations.length} orientation constraints`;
  throw goal.error(
    `a goal with ${counts} is not supported`,
    'Supported: joint constraints, or one position and at most one orientation constraint.',
  );
}

function readJoints(given: readonly Field[]): Record<string, number> {
  const values: Record<string, number> = {};
  for (const one of given) {
    const joint = one.message('joint constraint').at('joint_name');
    const name = joint.name();
    if (Object.hasOwn(values, name))
      throw joint.wrong('which has a constraint already', 'Give one constraint per joint.');
    for (const key of ['tolerance_above', 'tolerance_below']) one.at(key).nonNegative();
    Object.defineProperty(values, name, { value: one.at('position').number(), enumerable: true });
  }
  return values;
}

/** Returns one pose goal for each shape of the region of the position constraint, which is their union. */
function readPoses(position: Field, oriented: Field | undefined, context: GoalContext): ForeignPoseGoal[] {
  const link = position.message('position constraint').at('link_name');
  const named = link.name();
  const carrier = context.carrierOf(link);
  const frame = frameOfPoint(position, context);
  const { quat_wxyz, angle } =
    oriented === undefined
      ? { quat_wxyz: IDENTITY_POSE.quat_wxyz, angle: [PI, PI, PI] as const }
      : readOrientation(oriented, named, carrier, context);
  const outer = context.frames.ofGoalHeader(position);
  return readRegion(position.at('constraint_region'), context.notes).map(({ pose, radius }) => ({
    frame,
    pose: { xyz: within(outer, pose).xyz, quat_wxyz },
    tolerance: { position: radius, angle },
  }));
}

/** Returns the frame whose origin a position constraint names: a point of a link. */
export function frameOfPoint(position: Field, { carrierOf }: GoalContext): LinkFrame {
  const { link, pose } = carrierOf(position.at('link_name'));
  const [x, y, z] = position.at('target_point_offset').or([0, 0, 0]).triple();
  return { link, pose: within(pose, { xyz: [x, y, z], quat_wxyz: [1, 0, 0, 0] }) };
}

/** Returns a sphere inside each shape of a region. */
function readRegion(region: Field, notes: Set<string>): { pose: Pose; radius: number }[] {
  return regionShapes(region, notes).map(({ kind, sizes, pose }) => {
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
export function regionShapes(region: Field, notes: Set<string>): RegionShape[] {
  const meshes = region.message('region').at('meshes');
  if (meshes.list().length > 0)
    throw meshes.error('a region of meshes is not supported', 'Use one of: sphere, box, cylinder.');
  const poses = region.at('primitive_poses').list();
  const shapes = region.at('primitives').list();
  if (shapes.length === 0) throw region.error('a region without a shape', 'Give a sphere, box or cylinder.');
  if (poses.length !== shapes.length)
    throw region
      .at('primitive_poses')
      .error(`${poses.length} poses of ${shapes.length} shapes`, 'Give one pose per shape.');
  return shapes.map((one, i) => {
    const type = one.message('primitive').at('type');
    const kind = (typeof type.value === 'number' ? NAMES[type.value] : String(type.value).toLowerCase()) as RegionKind;
    if (!Object.hasOwn(kinds, kind)) throw type.wrong('must be one of: sphere, box, cylinder');
    const sizes = one.at('dimensions').dimensions(kinds[kind].count);
    const pose = poses[i].pose();
    if (pose !== undefined) return { kind, sizes, pose };
    // As in MoveIt, a quaternion of length 0 is the identity.
    if (kind !== 'sphere') notes.add('quaternions of length 0 are read as the identity, as in MoveIt');
    const [x, y, z] = poses[i].at('position').or([0, 0, 0]).triple();
    return { kind, sizes, pose: { ...IDENTITY_POSE, xyz: [x, y, z] } };
  });
}

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
  constraint: Field,
  named: string,
  carrier: LinkFrame,
  context: GoalContext,
): { readonly quat_wxyz: Pose['quat_wxyz']; readonly angle: AngleTolerance } {
  const link = constraint.message('orientation constraint').at('link_name');
  if (link.name() !== named) throw link.wrong(`the position constraint is one of ${JSON.stringify(named)}`);
  const { quat_wxyz, tolerances, isVector } = orientationOf(constraint, context);
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
export function orientationOf(constraint: Field, { frames }: GoalContext): StatedOrientation {
  const pose = rosPose([0, 0, 0], unitQuaternion(constraint.at('orientation')))!;
  const { quat_wxyz } = within(frames.ofGoalHeader(constraint), pose);
  const tolerances = ['x', 'y', 'z'].map((axis) => toleranceOf(constraint.at(`absolute_${axis}_axis_tolerance`)));
  return { quat_wxyz, tolerances, isVector: isRotationVector(constraint.at('parameterization')) };
}

function toleranceOf(tolerance: Field): number {
  const value = tolerance.number();
  if (value > 0) return value;
  throw tolerance.wrong('must be greater than 0');
}

/** Returns true for tolerances of a rotation vector, false for those of Euler angles, the default. */
function isRotationVector(parameterization: Field): boolean {
  const { value = 0 } = parameterization;
  if (value === 0 || value === 1) return value === 1;
  throw parameterization.wrong('must be 0 or 1');
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

/** Returns x, y, z, w of an orientation. */
function unitQuaternion(orientation: Field): number[] {
  const quaternion = orientation.quaternion();
  orientation.requireUnit(quaternion, 'MoveIt would replace it by the identity.');
  return quaternion;
}

/** Reads a PoseStamped: the goal of the tool center point, with the default tolerances. */
export function readPoseStamped(message: Field, frames: MessageFrames): ForeignPoseGoal {
  const given = message.at('pose').mapping();
  const orientation = given.at('orientation');
  if (orientation.value !== undefined) unitQuaternion(orientation);
  return { pose: within(frames.ofGoalHeader(message), given.pose()!) };
}
