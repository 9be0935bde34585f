import type { Pose } from '../../../core/kinematics/robotModel.ts';
import { firstBeyond } from '../../../core/math/magnitudes.ts';
import { lengthIfNotUnit } from '../../../core/math/quaternion.ts';
import { show } from '../../text/schemaDiagnostics.ts';
import type { Path } from '../../text/sourceText.ts';
import { rosPose } from './foreignScene.ts';
import { isRecord, MessageError, type Raw } from './rosMessage.ts';

/** Keys of the messages that are read, of ROS 1 and ROS 2; robowflex writes the same. Other keys are refused. */
const keysOf = {
  header: 'seq stamp frame_id',
  'robot state': 'joint_state multi_dof_joint_state attached_collision_objects is_diff',
  'joint state': 'header name position velocity effort',
  'attached object': 'link_name object touch_links detach_posture weight',
  'collision object': [
    'header pose id type primitives primitive_poses meshes mesh_poses planes plane_poses',
    'subframe_names subframe_poses operation',
  ].join(' '),
  primitive: 'type dimensions polygon',
  world: 'collision_objects octomap',
  matrix: 'entry_names entry_values default_entry_names default_entry_values',
  constraints: 'name joint_constraints position_constraints orientation_constraints visibility_constraints',
  'joint constraint': 'joint_name position tolerance_above tolerance_below weight',
  'position constraint': 'header link_name target_point_offset constraint_region weight',
  'orientation constraint': [
    'header orientation link_name absolute_x_axis_tolerance absolute_y_axis_tolerance absolute_z_axis_tolerance',
    'parameterization weight',
  ].join(' '),
  region: 'primitives primitive_poses meshes mesh_poses',
  transform: 'header child_frame_id transform',
} as const;

/** Name of a message in `keysOf`. */
export type MessageName = keyof typeof keysOf;

/** Throws if a message has a key that its definition does not have. */
export function requireKeys(message: Raw, keys: string, path: Path): void {
  const known = keys.split(' ');
  const unknown = Object.keys(message).find((key) => !known.includes(key));
  if (unknown !== undefined)
    throw new MessageError([...path, unknown], 'unknown key', `Known are: ${known.join(', ')}.`);
}

/** Returns the fields of a message; empty if it is absent. Throws for unknown keys. */
export function messageOf(given: unknown, name: MessageName, path: Path): Raw {
  const message = mappingOf(given ?? {}, path);
  requireKeys(message, keysOf[name], path);
  return message;
}

/** Returns a list; empty if it is absent. */
export function listOf(given: unknown, path: Path): readonly unknown[] {
  if (given === undefined || given === null) return [];
  if (Array.isArray(given)) return given;
  throw new MessageError(path, `${show(given)}, must be a list`, '');
}

/** Returns a mapping of keys to values. */
export function mappingOf(given: unknown, path: Path): Raw {
  if (isRecord(given)) return given;
  throw new MessageError(path, `${show(given)}, must be a mapping of keys to values`, '');
}

/** Returns a name that is not empty. */
export function nameOf(given: unknown, path: Path): string {
  if (typeof given === 'string' && given !== '') return given;
  if (typeof given === 'number') return String(given);
  throw new MessageError(path, `${show(given)}, must be a name`, '');
}

/** Returns the numbers of a list of `count` numbers. */
export function numbersOf(given: unknown, count: number, path: Path): number[] {
  if (Array.isArray(given) && given.length === count && given.every(isNumber) && firstBeyond(given) < 0) return given;
  throw new MessageError(path, `${show(given)}, must be ${count} finite numbers from -1e7 to 1e7`, '');
}

const isNumber = (value: unknown): value is number => typeof value === 'number';

/** Returns the first `count` dimensions of a primitive: MoveIt skips further ones. */
export function dimensionsOf(given: unknown, count: number, path: Path): number[] {
  return numbersOf(Array.isArray(given) ? given.slice(0, count) : given, count, path);
}

/** Returns one number; `absent` if it is missing. */
export function numberOf(given: unknown, path: Path, absent?: number): number {
  return numbersOf([given ?? absent], 1, path)[0];
}

/** Returns x, y, z of a point or vector, which robowflex writes as a list. */
export function tripleOf(given: unknown, path: Path): number[] {
  if (isRecord(given)) requireKeys(given, 'x y z', path);
  return numbersOf(isRecord(given) ? ['x', 'y', 'z'].map((key) => given[key] ?? 0) : given, 3, path);
}

const POSE_KEYS = 'position orientation';
const TRANSFORM_KEYS = 'translation rotation';

/**
 * Returns a pose, or a transform with `translation` and `rotation`; undefined if its quaternion has length 0. Throws if
 * it has another length than 1.
 */
export function poseOf(given: unknown, path: Path): Pose | undefined {
  const message = mappingOf(given, path);
  requireKeys(message, 'translation' in message || 'rotation' in message ? TRANSFORM_KEYS : POSE_KEYS, path);
  const { position, orientation, translation, rotation } = message;
  const at = position ?? translation ?? [0, 0, 0];
  const turn = orientation ?? rotation ?? [0, 0, 0, 1];
  const place = [...path, orientation === undefined && rotation !== undefined ? 'rotation' : 'orientation'];
  const quaternion = quaternionOf(turn, place);
  if (quaternion.some((part) => part !== 0)) requireUnit(quaternion, place, '');
  return rosPose(tripleOf(at, [...path, 'position']), quaternion);
}

/** Throws for a quaternion that is no rotation. */
export function requireUnit(quaternion: readonly number[], path: Path, note: string): void {
  const length = lengthIfNotUnit(quaternion);
  if (length !== undefined) throw new MessageError(path, `a quaternion of length ${length}, must be 1`, note);
}

/**
 * Returns x, y, z, w of a quaternion; absent components are those of the identity. Throws if w alone is absent: it is 1
 * in ROS 2 and 0 in ROS 1.
 */
export function quaternionOf(given: unknown, path: Path): number[] {
  if (!isRecord(given)) return numbersOf(given, 4, path);
  requireKeys(given, 'x y z w', path);
  const { x = 0, y = 0, z = 0, w } = given;
  if (w === undefined && [x, y, z].some((value) => value !== 0))
    throw new MessageError([...path, 'w'], 'it is missing', 'It is 1 by default in ROS 2, and 0 in ROS 1: state it.');
  return numbersOf([x, y, z, w ?? 1], 4, path);
}
