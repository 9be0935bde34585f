import { MotionBounds } from '../../core/collision/bounds/motionBounds.ts';
import { boxDirection } from '../../core/collision/model/boxDirection.ts';
import type { PosedParts } from '../../core/collision/model/posedParts.ts';
import type { Motion } from '../../core/collision/motions/motion.ts';
import type { ProofRecorder } from '../../core/collision/motions/pairProver.ts';
import { create } from '../../core/math/vec3.ts';
import type { TrajectoryCurve } from '../../core/trajectory/trajectoryCurve.ts';

/**
 * Records separating planes for pairs whose bounding boxes are farther apart than their relative motion can close, each
 * plane over as many pieces of a curve as possible. In a scan with thousands of parts nearly all pairs are distant, and
 * each would otherwise need one span per piece. Returns the remaining pairs of each piece.
 * @param reached maximum |q| of each planned joint that the verifier assumes, rad or m
 */
export function recordDistantPairs(
  posed: PosedParts,
  curve: TrajectoryCurve,
  recorder: ProofRecorder,
  reached: ArrayLike<number>,
): number[][] {
  const bounds = new MotionBounds(posed);
  bounds.maxJointValues = reached;
  const motion = wholeCurve(curve);
  const left: number[][] = Array.from({ length: curve.pieces }, () => []);
  const n = create();
  const split = (first: number, last: number, pairs: readonly number[]): void => {
    const start = curve.times[first];
    const end = curve.times[last + 1];
    bounds.evaluateInterval(motion, { start, end });
    const half = 0.5 * (end - start);
    const open = pairs.filter((pair) => {
      const needed = bounds.speed(pair) * half + posed.model.scene.padding + bounds.margin;
      if (!(posed.boxDistanceSquared(pair) > needed * needed)) return true;
      boxDirection(n, posed, pair);
      recorder.record(pair, start, end, n[0], n[1], n[2]);
      return false;
    });
    if (first === last) {
      left[first] = open;
      return;
    }
    const middle = (first + last) >> 1;
    split(first, middle, open);
    split(middle + 1, last, open);
  };
  split(
    0,
    curve.pieces - 1,
    Array.from({ length: posed.model.pairCount }, (_, pair) => pair),
  );
  return left;
}

/**
 * Returns all pieces as one motion. Only speeds are bounded: the velocity may jump between pieces, so accelerations are
 * not.
 */
function wholeCurve(curve: TrajectoryCurve): Motion {
  const { dof, start, end } = curve;
  const terms = new Float64Array(dof);
  for (const [i, value] of curve.terms.entries()) terms[i % dof] = Math.max(terms[i % dof], value);
  return {
    dof,
    start,
    end,
    terms,
    positionAt: (out, t) => curve.position(out, t),
    velocityAt: (out, t) => curve.velocity(out, t),
    boundsOver(velocity, acceleration, from, to) {
      curve.speedBounds(velocity, from, to);
      acceleration.fill(0); // only velocity bounds are used
    },
  };
}
