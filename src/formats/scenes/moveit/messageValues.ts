import type { Pose } from '../../../core/kinematics/robotModel.ts';
import { firstBeyond } from '../../../core/math/magnitudes.ts';
import { lengthIfNotUnit } from '../../../core/math/quaternion.ts';
import { show } from '../../text/schemaDiagnostics.ts';
import type { Path } from '../../text/sourceText.ts';
import { rosPose } from './foreignScene.ts';
import { isRecord, MessageError, record } from './rosMessage.ts';

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

const isNumber = (value: unknown): value is number => typeof value === 'number';

/** A value in a message, and its place for errors. Its methods throw `MessageError` for values of another form. */
export class Field {
  constructor(
    readonly value: unknown,
    readonly path: Path = [],
  ) {}

  /** True if the field is missing, or null. */
  get isAbsent(): boolean {
    return this.value === undefined || this.value === null;
  }

  /** Returns a field of a message; absent if this is none. */
  at(key: string): Field {
    return new Field(record(this.value)[key], [...this.path, key]);
  }

  /** Returns this field, with another value if it is absent. */
  or(value: unknown): Field {
    return this.isAbsent ? new Field(value, this.path) : this;
  }

  /** Returns the error that the message cannot be read because of this field. */
  error(what: string, note = ''): MessageError {
    return new MessageError(this.path, what, note);
  }

  /** Returns the error about the value of this field. @param rule what it must be, or is */
  wrong(rule: string, note = ''): MessageError {
    return this.error(`${show(this.value)}, ${rule}`, note);
  }

  /** Returns this field if it is a message of a name without unknown keys, or absent. */
  message(name: keyof typeof keysOf): this {
    return this.isAbsent ? this : this.mapping(keysOf[name]);
  }

  /** Returns this field if it is a mapping, of no other keys than the given ones. */
  mapping(keys?: string): this {
    if (!isRecord(this.value)) throw this.wrong('must be a mapping of keys to values');
    const known = keys?.split(' ');
    const unknown = known && Object.keys(this.value).find((key) => !known.includes(key));
    if (unknown !== undefined) throw this.at(unknown).error('unknown key', `Known are: ${known!.join(', ')}.`);
    return this;
  }

  /** Returns the items of a list; none if it is absent. */
  list(): readonly Field[] {
    if (this.isAbsent) return [];
    if (!Array.isArray(this.value)) throw this.wrong('must be a list');
    return this.value.map((item, i) => new Field(item, [...this.path, i]));
  }

  /** Returns a name that is not empty. */
  name(): string {
    const { value } = this;
    if (typeof value === 'string' && value !== '') return value;
    if (typeof value === 'number') return String(value);
    throw this.wrong('must be a name');
  }

  /** Returns the numbers of a list of `count` numbers. */
  numbers(count: number): number[] {
    const { value } = this;
    if (Array.isArray(value) && value.length === count && value.every(isNumber) && firstBeyond(value) < 0) return value;
    throw this.wrong(`must be ${count} finite numbers from -1e7 to 1e7`);
  }

  /** Returns the first `count` dimensions of a primitive, above 0: MoveIt skips further ones. */
  dimensions(count: number): number[] {
    const { value, path } = this;
    const values = new Field(Array.isArray(value) ? value.slice(0, count) : value, path).numbers(count);
    const wrong = values.findIndex((one) => !(one > 0));
    if (wrong >= 0) throw new Field(values[wrong], [...path, wrong]).wrong('must be greater than 0');
    return values;
  }

  /** Returns one number; `absent` if it is missing. */
  number(absent?: number): number {
    return new Field([this.value ?? absent], this.path).numbers(1)[0];
  }

  /** Returns one number; 0 if it is missing. Throws if it is negative. */
  nonNegative(): number {
    const value = this.number(0);
    if (value >= 0) return value;
    throw new Field(value, this.path).wrong('must not be negative');
  }

  /** Returns x, y, z of a point or vector, which robowflex writes as a list. */
  triple(): number[] {
    if (!isRecord(this.value)) return this.numbers(3);
    const { x = 0, y = 0, z = 0 } = this.mapping('x y z').value as Readonly<Record<string, unknown>>;
    return new Field([x ?? 0, y ?? 0, z ?? 0], this.path).numbers(3);
  }

  /**
   * Returns a pose, or a transform with `translation` and `rotation`; undefined if its quaternion has length 0. Throws
   * if it has another length than 1.
   */
  pose(): Pose | undefined {
    const isTransform = isRecord(this.value) && ('translation' in this.value || 'rotation' in this.value);
    this.mapping(isTransform ? 'translation rotation' : 'position orientation');
    const [position, turn] = isTransform ? ['translation', 'rotation'] : ['position', 'orientation'];
    const rotation = this.at(turn).isAbsent ? [0, 0, 0, 1] : this.at(turn).quaternion();
    if (rotation.some((part) => part !== 0)) this.at(turn).requireUnit(rotation);
    return rosPose(new Field(this.at(position).value, [...this.path, 'position']).or([0, 0, 0]).triple(), rotation);
  }

  /**
   * Returns x, y, z, w of a quaternion; absent components are those of the identity. Throws if w alone is absent: it is
   * 1 in ROS 2 and 0 in ROS 1.
   */
  quaternion(): number[] {
    if (!isRecord(this.value)) return this.numbers(4);
    const { x = 0, y = 0, z = 0, w } = this.mapping('x y z w').value as Readonly<Record<string, unknown>>;
    if (w === undefined && [x, y, z].some((value) => value !== 0))
      throw this.at('w').error('it is missing', 'It is 1 by default in ROS 2, and 0 in ROS 1: state it.');
    return new Field([x, y, z, w ?? 1], this.path).numbers(4);
  }

  /** Throws for a quaternion of this field that is no rotation. */
  requireUnit(quaternion: readonly number[], note = ''): void {
    const length = lengthIfNotUnit(quaternion);
    if (length !== undefined) throw this.error(`a quaternion of length ${length}, must be 1`, note);
  }
}
