import { InputError } from '../../errors.ts';
import { lengthIfNotUnit } from '../math/quaternion.ts';
import { constraintLabel, type PathConstraint } from './constraints.ts';

const TYPES: readonly string[] = ['tilt', 'orientation', 'region', 'speed', 'joint', 'joint_speed'];

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
