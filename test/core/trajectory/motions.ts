import fc from 'fast-check';
import type { MotionLimits, Trajectory } from '../../../src/core/trajectory/trajectory.ts';

/** The same rates for every joint, positions without bound. */
export function limitsOf(dof: number, velocity: number, acceleration: number, jerk = Number.POSITIVE_INFINITY) {
  return {
    lower: new Array<number>(dof).fill(Number.NEGATIVE_INFINITY),
    upper: new Array<number>(dof).fill(Number.POSITIVE_INFINITY),
    velocity: new Array<number>(dof).fill(velocity),
    acceleration: new Array<number>(dof).fill(acceleration),
    jerk: new Array<number>(dof).fill(jerk),
  } satisfies MotionLimits;
}

export const namesOf = (dof: number) => Array.from({ length: dof }, (_, j) => `joint_${j + 1}`);

export const durationOfPoints = ({ points }: Trajectory) => points[points.length - 1].time_from_start!;

/** From a hundredth to a hundred, evenly in the exponent. */
const rate = fc.double({ min: -2, max: 2, noNaN: true }).map((exponent) => 10 ** exponent);
const finiteOrNot = (value: fc.Arbitrary<number>) =>
  fc.oneof({ weight: 4, arbitrary: value }, { weight: 1, arbitrary: fc.constant(Number.POSITIVE_INFINITY) });

/**
 * Steps of every size that a path may hold: a radian, a hair, the last bits, none at all, and on in the same direction.
 */
const step = fc.oneof(
  fc.double({ min: -3, max: 3, noNaN: true }),
  fc.double({ min: -1e-9, max: 1e-9, noNaN: true }),
  fc.constantFrom(0, 1e-5, -2e-7, 1e-15, -5e-324),
);

/**
 * Paths with turns, repeats, reversals and straight points, and limits with and without jerk, some of them infinite.
 */
export const pathsAndLimits = fc.integer({ min: 1, max: 7 }).chain((dof) => {
  const vector = (value: fc.Arbitrary<number>) => fc.array(value, { minLength: dof, maxLength: dof });
  const move = fc.record({ by: vector(step), pieces: fc.integer({ min: 1, max: 4 }) });
  return fc.record({
    path: fc
      .record({
        start: vector(fc.double({ min: -6.3, max: 6.3, noNaN: true })),
        moves: fc.array(move, { maxLength: 6 }),
      })
      .map(({ start, moves }) => {
        const path = [start];
        for (const { by, pieces } of moves) {
          const from = path[path.length - 1];
          for (let k = 1; k <= pieces; k++) path.push(from.map((x, j) => x + (k / pieces) * by[j]));
        }
        return path;
      }),
    limits: fc.record({
      lower: fc.constant(new Array<number>(dof).fill(Number.NEGATIVE_INFINITY)),
      upper: fc.constant(new Array<number>(dof).fill(Number.POSITIVE_INFINITY)),
      velocity: vector(finiteOrNot(rate)),
      acceleration: vector(finiteOrNot(rate)),
      jerk: fc.oneof(
        fc.constant(new Array<number>(dof).fill(Number.POSITIVE_INFINITY)),
        vector(finiteOrNot(rate.map((x) => 20 * x))),
      ),
    }),
  });
});

/** Greatest coordinate of the vector from q to the nearest point of the segment (nearest in the Euclidean sense). */
export function distanceToSegment(q: ArrayLike<number>, a: readonly number[], b: readonly number[]): number {
  let [along, square] = [0, 0];
  for (let j = 0; j < a.length; j++) {
    along += (q[j] - a[j]) * (b[j] - a[j]);
    square += (b[j] - a[j]) ** 2;
  }
  const s = square > 0 ? Math.max(0, Math.min(1, along / square)) : 0;
  return Math.max(...a.map((x, j) => Math.abs(q[j] - (x + s * (b[j] - x)))));
}
