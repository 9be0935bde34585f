import { convexHull } from '../../../core/hulls/hull.ts';
import { type PoseTolerance, poseOfTransform, transformOfPose } from '../../../core/kinematics/pose.ts';
import type { Pose } from '../../../core/kinematics/robotModel.ts';
import { compose } from '../../../core/math/transform.ts';
import type { ShapeSpec } from '../../../core/shapes/shape.ts';
import { InputError } from '../../../errors.ts';
import { isRobotPath } from '../robots/robotReference.ts';

/** A scene of another program, with the parts that our scene format can represent. */
export interface ForeignScene {
  readonly name?: string;
  /** Name of the robot in the file. */
  readonly robot?: string;
  /** SRDF file of the robot. */
  readonly srdf?: string;
  /** Its `joint_limits.yaml`. */
  readonly joint_limits?: string;
  /** Group of the SRDF that is planned. */
  readonly group?: string;
  /** Joints that are planned; undefined: those of the group, or all. */
  readonly joints?: readonly string[];
  /** Positions of joints that are not planned. */
  readonly fixed?: Readonly<Record<string, number>>;
  readonly start?: Readonly<Record<string, number>>;
  readonly goals: readonly ForeignGoal[];
  /** Distance of every pair, metres. */
  readonly padding?: number;
  /** Scales of the velocity and acceleration limits. */
  readonly speed?: number;
  readonly acceleration?: number;
  readonly obstacles: readonly ForeignBody[];
  readonly attached: readonly (ForeignBody & { readonly link: string; readonly touches: readonly string[] })[];
  readonly allow: readonly (readonly [string, string])[];
  /** Constraints of all motions; undefined: none. */
  readonly constraints?: readonly ForeignConstraint[];
  /** Notes on contents that are omitted or changed, one line each. */
  readonly notes: readonly string[];
}

/** A frame fixed to a link of the robot. */
interface ForeignFrame {
  readonly link: string;
  readonly pose: Pose;
}

/** A path constraint, with the keys of our format; frames and poses are written by `sceneText`. */
export type ForeignConstraint =
  | { readonly type: 'joint'; readonly joint: string; readonly range: readonly [number, number] }
  | { readonly type: 'region'; readonly frame: ForeignFrame; readonly shape: ShapeSpec; readonly pose: Pose }
  | {
      readonly type: 'orientation';
      readonly frame: ForeignFrame;
      readonly quat_wxyz: Pose['quat_wxyz'];
      readonly within: readonly [number, number, number];
    };

/** A goal: joint values, or the pose of a frame. */
export type ForeignGoal = { readonly joints: Readonly<Record<string, number>> } | ForeignPoseGoal;

/** Pose of a frame of the robot in the world. */
export interface ForeignPoseGoal {
  /** The frame; undefined: the tool center point. */
  readonly frame?: ForeignFrame;
  readonly pose: Pose;
  /** Undefined: the default. */
  readonly tolerance?: PoseTolerance;
}

export interface ForeignBody {
  readonly name: string;
  readonly shape: ShapeSpec;
  readonly pose: Pose;
}

/** An object of another program, which may become several obstacles here. */
export interface ForeignObject {
  readonly id: string;
  readonly bodies: readonly Omit<ForeignBody, 'name'>[];
}

/** Writes the scene in our format. Without a robot it can be included in other scenes, but is not a complete scene. */
export function sceneText(scene: ForeignScene, robot = scene.robot): string {
  const { name, start, goals, obstacles, attached, allow } = scene;
  const lines = ['format: elbowroom-scene/1'];
  if (name !== undefined) lines.push(`name: ${JSON.stringify(name)}`);
  if (robot !== undefined) lines.push(`robot: ${robotText(robot, scene)}`);
  const tcp = toolOf(goals);
  if (tcp !== undefined) lines.push(`tcp: ${flow({ link: tcp.link, ...poseKeys(tcp.pose) })}`);
  if (start !== undefined) lines.push(`start: ${flow(start)}`);
  const written = goals.map((goal) => flow('joints' in goal ? goal.joints : goalOf(goal)));
  if (goals.length === 1) lines.push(`goal: ${written[0]}`);
  if (goals.length > 1) lines.push('goals:', ...written.map((goal) => `  - ${goal}`));
  for (const key of ['padding', 'speed', 'acceleration'] as const)
    if (scene[key] !== undefined) lines.push(`${key}: ${scene[key]}`);
  const constraints = (scene.constraints ?? []).map((one) => flow(constraintOf(one)));
  if (constraints.length > 0) lines.push('constraints:', ...constraints.map((one) => `  - ${one}`));
  if (obstacles.length > 0) lines.push('obstacles:', ...obstacles.map((body) => `  - ${flow(bodyOf(body))}`));
  if (attached.length > 0) {
    const carried = attached.map(({ link, touches, ...body }) => flow({ ...bodyOf(body), link, touches }));
    lines.push('attached:', ...carried.map((body) => `  - ${body}`));
  }
  if (allow.length > 0) lines.push('allow:', ...allow.map((pair) => `  - ${flow(pair)}`));
  return `${lines.join('\n')}\n`;
}

function constraintOf(constraint: ForeignConstraint): Record<string, unknown> {
  if (constraint.type === 'joint') return constraint;
  const { link, pose: T_link_frame } = constraint.frame;
  const frame = { link, ...(isNone(T_link_frame) ? {} : poseKeys(T_link_frame)) };
  return constraint.type === 'region'
    ? { ...constraint, frame, pose: poseKeys(constraint.pose) }
    : { ...constraint, frame };
}

/** Returns the frame of the pose goals if it is not that of a link: it becomes the tool center point. */
function toolOf(goals: ForeignScene['goals']): ForeignPoseGoal['frame'] {
  const frames = goals.flatMap((goal) => ('joints' in goal || goal.frame === undefined ? [] : [goal.frame]));
  const tool = frames.find(({ pose }) => !isNone(pose));
  const texts = new Set(frames.map((frame) => flow(frame)));
  if (tool === undefined || texts.size === 1) return tool;
  const note = 'Write one scene for each of the frames: a scene has one tool center point.';
  throw new InputError(`the goals are poses of ${texts.size} frames, not all of which are those of links`, note);
}

function goalOf({ frame, pose, tolerance }: ForeignPoseGoal): Record<string, unknown> {
  const link = frame !== undefined && isNone(frame.pose) ? { link: frame.link } : {};
  return { ...link, ...poseKeys(pose), ...(tolerance === undefined ? {} : { tolerance }) };
}

function robotText(robot: string, { group, joints, fixed = {}, srdf, joint_limits }: ForeignScene): string {
  const chosen = {
    ...(srdf === undefined ? {} : { srdf }),
    ...(joint_limits === undefined ? {} : { joint_limits }),
    ...(group === undefined ? {} : { group }),
    ...(joints === undefined ? {} : { joints }),
    ...(Object.keys(fixed).length === 0 ? {} : { fixed }),
  };
  if (Object.keys(chosen).length === 0) return JSON.stringify(robot);
  return flow({ [isRobotPath(robot) ? 'urdf' : 'name']: robot, ...chosen });
}

function bodyOf({ name, shape, pose }: ForeignBody): Record<string, unknown> {
  return { name, ...shape, pose: poseKeys(pose) };
}

/** Returns the keys of a pose, without the quaternion of the identity. */
function poseKeys({ xyz, quat_wxyz }: Pose): Partial<Pose> {
  return quat_wxyz[0] === 1 ? { xyz } : { xyz, quat_wxyz };
}

/** Formats a value as JSON that is also YAML, with unquoted keys if possible. */
function flow(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(flow).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const entries = Object.entries(value).map(
    ([key, item]) => `${/^[a-z_]\w*$/i.test(key) ? key : JSON.stringify(key)}: ${flow(item)}`,
  );
  return `{${entries.join(', ')}}`;
}

/**
 * Converts a position and a quaternion x, y, z, w (the order of ROS) of any nonzero length to a pose. Undefined if they
 * are not valid.
 */
export function rosPose([x, y, z]: readonly number[], [qx, qy, qz, qw]: readonly number[]): Pose | undefined {
  const length = Math.sqrt(qx * qx + qy * qy + qz * qz + qw * qw);
  if (![x, y, z, length].every(Number.isFinite) || length === 0) return undefined;
  const quat_wxyz = qx === 0 && qy === 0 && qz === 0 ? [1, 0, 0, 0] : [qw, qx, qy, qz].map((part) => part / length);
  return { xyz: [x, y, z], quat_wxyz: quat_wxyz as [number, number, number, number] };
}

/** Composes two poses: `inner` is relative to `outer`. */
export function within(outer: Pose, inner: Pose): Pose {
  if (isNone(outer)) return inner;
  const T = transformOfPose(outer);
  compose(T, T, transformOfPose(inner));
  return poseOfTransform(T);
}

/** Returns true for the identity. */
export const isNone = ({ xyz, quat_wxyz }: Pose): boolean => xyz.every((x) => x === 0) && quat_wxyz[0] === 1;

/**
 * Names the bodies of each object: the first has its object's name, the others are numbered, skipping names that are
 * taken.
 */
export function namedBodies(objects: readonly ForeignObject[]): ForeignBody[][] {
  const taken = new Set(objects.map(({ id }) => id));
  return objects.map(({ id, bodies }) =>
    bodies.map((body, i) => ({ name: i === 0 ? id : freeName(id, taken), ...body })),
  );
}

function freeName(id: string, taken: Set<string>): string {
  let number = 2;
  while (taken.has(`${id}-${number}`)) number++;
  taken.add(`${id}-${number}`);
  return `${id}-${number}`;
}

/** Returns the half-space behind a plane a x + b y + c z + d = 0, and its pose; undefined if the normal is zero. */
export function halfspaceOf(
  [a, b, c, d]: readonly number[],
  at: Pose,
): Pick<ForeignBody, 'shape' | 'pose'> | undefined {
  const square = a * a + b * b + c * c;
  if (!(square > 0) || !Number.isFinite(d)) return undefined;
  const foot = [a, b, c].map((x) => (-d * x) / square + 0) as [number, number, number];
  const pose = within(at, { xyz: foot, quat_wxyz: [1, 0, 0, 0] });
  return { shape: { type: 'halfspace', normal: [a, b, c] }, pose };
}

/**
 * Returns the convex hull of a mesh whose vertices are written in the file, which is how our scenes treat meshes, too.
 */
export async function hullShape(vertices: readonly number[]): Promise<ShapeSpec> {
  const { points } = await convexHull(vertices);
  return { type: 'convex', points };
}
