import { InputError } from '../../errors.ts';
import type { Pose } from '../kinematics/robotModel.ts';
import type { ToolCenterPoint } from '../kinematics/toolCenterPoint.ts';
import { lengthIfNotUnit } from '../math/quaternion.ts';
import type { ShapeSpec } from '../shapes/shape.ts';

/** A direction fixed in a frame stays within an angle of a world direction. */
export interface TiltConstraint {
  /** Selects the constraint. */
  readonly type: 'tilt';
  /** Name in results; default: the type. */
  readonly name?: string;
  /** The frame; undefined: the tool center point. */
  readonly frame?: ToolCenterPoint;
  /** Unit vector in the frame. */
  readonly axis: readonly [number, number, number];
  /** Unit vector in the world. */
  readonly towards: readonly [number, number, number];
  /** Radians. */
  readonly within: number;
}

/** The rotation vector from an orientation in the world, in its axes, stays within an angle per component. */
export interface OrientationConstraint {
  /** Selects the constraint. */
  readonly type: 'orientation';
  /** Name in results; default: the type. */
  readonly name?: string;
  /** The frame; undefined: the tool center point. */
  readonly frame?: ToolCenterPoint;
  /** The orientation in the world. */
  readonly quat_wxyz: readonly [number, number, number, number];
  /** Radians; π or more: free. */
  readonly within: readonly [number, number, number];
}

/** The origin of a frame stays inside a convex shape in the world. */
export interface RegionConstraint {
  /** Selects the constraint. */
  readonly type: 'region';
  /** Name in results; default: the type. */
  readonly name?: string;
  /** The frame; undefined: the tool center point. */
  readonly frame?: ToolCenterPoint;
  /** A convex shape, margin included; no mesh, and at most 60 points. */
  readonly shape: ShapeSpec;
  /** Pose of the shape in the world. */
  readonly pose: Pose;
}

/** The speed of the origin of a frame is limited. */
export interface SpeedConstraint {
  /** Selects the constraint. */
  readonly type: 'speed';
  /** Name in results; default: the type. */
  readonly name?: string;
  /** The frame; undefined: the tool center point. */
  readonly frame?: ToolCenterPoint;
  /** m/s. */
  readonly most: number;
}

/** A joint stays within a range. */
export interface JointConstraint {
  /** Selects the constraint. */
  readonly type: 'joint';
  /** Name in results; default: the type. */
  readonly name?: string;
  /** Name of a planned joint. */
  readonly joint: string;
  /** Radians or metres. */
  readonly range: readonly [number, number];
}

/** The speed of a joint is limited, in addition to its own limits. Stated as `safety: {joint_speed}`. */
export interface JointSpeedConstraint {
  /** Selects the constraint. */
  readonly type: 'joint_speed';
  /** Name in results; default: the type. */
  readonly name?: string;
  /** Name of a planned joint. */
  readonly joint: string;
  /** rad/s or m/s. */
  readonly most: number;
}

/**
 * The linear momentum of the arm with its loads, the mechanical power of its drives, or its stops are limited: `safety:
 * {momentum, power, stopping_time, stopping_distance}`.
 */
export type ForceConstraint = ForceLimit<'momentum'> | ForceLimit<'power'> | StopConstraint;

/** From each instant, a stop along the path within the limits takes at most this time, or has at most this length. */
export type StopConstraint = ForceLimit<'stopping_time'> | ForceLimit<'stopping_distance'>;

/** A limit of momentum, power or stops. */
export interface ForceLimit<T> {
  /** Selects the constraint. */
  readonly type: T;
  /** Name in results; default: the type. */
  readonly name?: string;
  /** kg m/s, W, seconds or m. */
  readonly most: number;
}

/** A path constraint of a scene or of a step of a program. */
export type PathConstraint =
  | TiltConstraint
  | OrientationConstraint
  | RegionConstraint
  | SpeedConstraint
  | JointConstraint
  | JointSpeedConstraint
  | ForceConstraint;

/** A constraint that concerns motions over time only, not single states. */
export type RateConstraint = SpeedConstraint | JointSpeedConstraint | ForceConstraint;

/** Returns true for constraints that concern motions over time only. */
export const isRateConstraint = (given: PathConstraint): given is RateConstraint =>
  given.type === 'speed' || given.type === 'joint_speed' || isForceConstraint(given);

/** Returns true for limits of momentum, power and stops, which only some commands judge. */
export const isForceConstraint = (given: PathConstraint): given is ForceConstraint =>
  given.type === 'momentum' || given.type === 'power' || isStopConstraint(given);

/** Returns true for limits of stops. */
export const isStopConstraint = (given: PathConstraint): given is StopConstraint =>
  given.type === 'stopping_time' || given.type === 'stopping_distance';

/** Name of a constraint in results: its own, else its type. */
export const constraintLabel = ({ name, type }: PathConstraint) => name ?? type;

const TYPES: readonly string[] = [
  'tilt',
  'orientation',
  'region',
  'speed',
  'joint',
  'joint_speed',
  'momentum',
  'power',
  'stopping_time',
  'stopping_distance',
];

/**
 * Throws `InputError` for a constraint of an unknown type, and for numbers that are not finite, not positive where they
 * are limits, or no direction. Constraints of files are checked when they are read; those of programs are not.
 */
export function requireValidConstraint(given: PathConstraint): void {
  const label = `constraint "${constraintLabel(given)}"`;
  if (!TYPES.includes(given.type))
    throw new InputError(`${label}: the type "${given.type}" is unknown`, `Use one of: ${TYPES.join(', ')}.`);
  const problem = problemOf(given);
  if (problem !== undefined) throw new InputError(`${label}: ${problem}`);
}

function problemOf(given: PathConstraint): string | undefined {
  switch (given.type) {
    case 'tilt':
      if (!isDirection(given.axis)) return 'axis must be three finite numbers, not all 0';
      if (!isDirection(given.towards)) return 'towards must be three finite numbers, not all 0';
      return given.within >= 0 ? undefined : 'within must be at least 0';
    case 'orientation':
      if (!isRotation(given.quat_wxyz)) return 'quat_wxyz must be four numbers of length 1';
      return isList(given.within, 3) && given.within.every((angle) => angle >= 0)
        ? undefined
        : 'within must be three numbers of at least 0';
    case 'region':
      if (!isRotation(given.pose.quat_wxyz)) return 'the orientation of its pose must be four numbers of length 1';
      return isList(given.pose.xyz, 3) && given.pose.xyz.every(Number.isFinite)
        ? undefined
        : 'the position of its pose must be three finite numbers';
    case 'speed':
    case 'joint_speed':
    case 'momentum':
    case 'power':
    case 'stopping_time':
    case 'stopping_distance':
      return given.most >= 0 ? undefined : 'most must be at least 0';
    case 'joint':
      return isList(given.range, 2) && given.range[0] <= given.range[1]
        ? undefined
        : 'range must be two numbers, the second not below the first';
  }
}

const isList = (values: readonly number[], count: number) => Array.isArray(values) && values.length === count;

const isRotation = (values: readonly number[]) => isList(values, 4) && lengthIfNotUnit(values) === undefined;

/** True for three finite numbers with a length that is neither 0 nor overflows. */
function isDirection(values: ArrayLike<number>): boolean {
  const all = Array.from(values);
  const squared = all.reduce((sum, value) => sum + value * value, 0);
  return all.length === 3 && squared > 1e-200 && squared < 1e200;
}
