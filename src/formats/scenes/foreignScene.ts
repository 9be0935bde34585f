import { convexHull } from '../../hulls/hull.ts';
import { poseOfTransform, transformOfPose } from '../../kinematics/pose.ts';
import type { Pose } from '../../kinematics/robotModel.ts';
import { compose } from '../../math/transform.ts';
import type { ShapeSpec } from '../../shapes/shape.ts';
import { isRobotPath } from './robots/robotReference.ts';

/** A scene of another program, as far as our scene format can express it. */
export interface ForeignScene {
  readonly name?: string;
  /** Name of the robot in the file. */
  readonly robot?: string;
  /** Group of the SRDF that is planned. */
  readonly group?: string;
  readonly start?: Readonly<Record<string, number>>;
  readonly goals: readonly Readonly<Record<string, number>>[];
  readonly obstacles: readonly ForeignBody[];
  readonly attached: readonly (ForeignBody & { readonly link: string; readonly touches: readonly string[] })[];
  readonly allow: readonly (readonly [string, string])[];
  /** Contents of the file that are left out here, one line each. */
  readonly notes: readonly string[];
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
  if (robot !== undefined) lines.push(`robot: ${robotText(robot, scene.group)}`);
  if (start !== undefined) lines.push(`start: ${flow(start)}`);
  if (goals.length === 1) lines.push(`goal: ${flow(goals[0])}`);
  if (goals.length > 1) lines.push('goals:', ...goals.map((goal) => `  - ${flow(goal)}`));
  if (obstacles.length > 0) lines.push('obstacles:', ...obstacles.map((body) => `  - ${flow(bodyOf(body))}`));
  if (attached.length > 0) {
    const carried = attached.map(({ link, touches, ...body }) => flow({ ...bodyOf(body), link, touches }));
    lines.push('attached:', ...carried.map((body) => `  - ${body}`));
  }
  if (allow.length > 0) lines.push('allow:', ...allow.map((pair) => `  - ${flow(pair)}`));
  return `${lines.join('\n')}\n`;
}

function robotText(robot: string, group: string | undefined): string {
  if (group === undefined) return JSON.stringify(robot);
  return flow({ [isRobotPath(robot) ? 'urdf' : 'name']: robot, group });
}

function bodyOf({ name, shape, pose: { xyz, quat_wxyz } }: ForeignBody): Record<string, unknown> {
  const isTurned = quat_wxyz[0] !== 1;
  return { name, ...shape, pose: isTurned ? { xyz, quat_wxyz } : { xyz } };
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

const isNone = ({ xyz, quat_wxyz }: Pose) => xyz.every((x) => x === 0) && quat_wxyz[0] === 1;

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
