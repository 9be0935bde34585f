import { alongLongest, boxOf, type RatedCell } from '../../kinematics/branches/ikBranch.ts';
import type { RobotModel } from '../../kinematics/robotModel.ts';
import type { LinkFrame } from '../../kinematics/toolCenterPoint.ts';
import { norm } from '../../math/vec3.ts';
import type { Moment } from '../constraints/fixedVector.ts';
import { FixedVector } from '../constraints/fixedVector.ts';
import type { JointRates } from '../motionPieces.ts';
import { type PosedCell, posedCell, vertexRates } from './cellPlane.ts';

/** Coefficients per joint of a piece. */
const SIZE = 6;

/**
 * Returns the moment, at the middle of [-1, 1], of the motions q + t d + t² e whose states at t = 1 are those of a
 * cell: d a share of its longest generator, |eⱼ| at most the rest of its box. The velocity is that of the whole
 * generator, with which the bounds of constraints are largest.
 */
export function cellMoment({ cell, T_world_link }: PosedCell, reached: Float64Array): Moment {
  const { q, generators, error } = alongLongest(cell);
  const [velocity] = generators;
  const speed = boxOf({ generators, error: error.map((value) => 2 * value) });
  const rates = { position: q, velocity, speed, acceleration: error.map((value) => 2 * value) };
  return { ...restAt(rates, reached), T_world_link };
}

/**
 * Returns the moments, at the middle of [-1, 1], of the motions to the vertices of a cell. A bound that is convex in
 * the velocities, and is otherwise the same for all of these, holds at all states of the cell if it does for them.
 */
export const vertexMoments = ({ cell, T_world_link }: PosedCell, reached: Float64Array): Moment[] =>
  vertexRates(cell).map((rates) => ({ ...restAt(rates, reached), T_world_link }));

/**
 * Returns the bound of the speed of the origin of a frame over cells, from its velocities along the generators in the
 * middle and the bound on their change.
 */
export function cellSpeed(reached: Float64Array, robot: RobotModel, frame: LinkFrame) {
  const origin = new FixedVector(robot, frame);
  return (cell: RatedCell, factors: readonly number[]): number => {
    const { T_world_link } = posedCell(robot, cell);
    const { rateError } = cell;
    const speed = boxOf({ ...cell, error: rateError });
    const speeds = cell.generators.map((velocity, k) => {
      const rates = { position: cell.q, velocity, speed, acceleration: rateError };
      origin.evaluate({ ...restAt(rates, reached), T_world_link });
      return factors[k] * (norm(origin.velocity) + origin.velocityError);
    });
    return speeds.reduce((sum, value) => sum + value, Math.max(...factors) * origin.bend);
  };
}

/** Returns a moment of half length 1 with the given rates; only its bounds on rounding depend on its piece. */
function restAt(rates: JointRates, terms: Float64Array): Omit<Moment, 'T_world_link'> {
  const coefficients = new Float64Array(SIZE * terms.length);
  const piece = { start: 0, end: 0, isQuintic: false, coefficients, terms, rates: rates.speed };
  return { piece, middle: 0, rates, half: 1 };
}
