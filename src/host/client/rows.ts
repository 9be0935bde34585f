import { InputError } from '../../errors.ts';

/** Many states: a list of states, or all their numbers one after the other (row-major, [n, joints]). */
export type States = Float64Array | readonly ArrayLike<number>[];

/** Many straight motions: a list of [from, to], or all their numbers one after the other ([n, 2, joints]). */
export type Motions = Float64Array | readonly (readonly [ArrayLike<number>, ArrayLike<number>])[];

/** Many points: a list of points, or all their coordinates one after the other ([n, 3]), in metres. */
export type ServicePoints = Float64Array | readonly ArrayLike<number>[];

/** Returns all numbers of states in row-major order. Throws `InputError` unless each has a value for each joint. */
export function packStates(states: States, joints: readonly string[]): Float64Array {
  const { length: dof } = joints;
  if (states instanceof Float64Array) return requireWhole(states, dof, 'states');
  const numbers = new Float64Array(states.length * dof);
  for (let i = 0; i < states.length; i++) setState(numbers, i * dof, states[i], joints, `states[${i}]`);
  return numbers;
}

/** As `packStates`, for motions. */
export function packMotions(motions: Motions, joints: readonly string[]): Float64Array {
  const { length: dof } = joints;
  if (motions instanceof Float64Array) return requireWhole(motions, 2 * dof, 'motions');
  const numbers = new Float64Array(motions.length * 2 * dof);
  for (let i = 0; i < motions.length; i++) {
    if (motions[i].length !== 2)
      throw new InputError(`motions[${i}]: it has ${motions[i].length} states`, 'A motion is [from, to].');
    for (let end = 0; end < 2; end++)
      setState(numbers, (2 * i + end) * dof, motions[i][end], joints, `motions[${i}][${end}]`);
  }
  return numbers;
}

/** Returns all coordinates of points in row-major order. Throws `InputError` unless each has three. */
export function packPoints(points: ServicePoints): Float64Array {
  if (points instanceof Float64Array) return requireWhole(points, 3, 'points');
  const numbers = new Float64Array(3 * points.length);
  for (let i = 0; i < points.length; i++) {
    if (points[i].length !== 3)
      throw new InputError(`points[${i}]: it has ${points[i].length} values`, 'A point is [x, y, z].');
    for (let k = 0; k < 3; k++) numbers[3 * i + k] = points[i][k];
  }
  return numbers;
}

function requireWhole(numbers: Float64Array, width: number, place: string): Float64Array {
  if (numbers.length % width === 0) return numbers;
  throw new InputError(`${place}: ${numbers.length} numbers are no multiple of ${width}`, `Each has ${width} numbers.`);
}

function setState(
  numbers: Float64Array,
  at: number,
  q: ArrayLike<number>,
  joints: readonly string[],
  place: string,
): void {
  if (q.length !== joints.length)
    throw new InputError(
      `${place}: it has ${q.length} values, the robot has ${joints.length} planned joints`,
      `In order: ${joints.join(', ')}.`,
    );
  for (let k = 0; k < q.length; k++) numbers[at + k] = q[k]; // faster than `set` for short lists
}
