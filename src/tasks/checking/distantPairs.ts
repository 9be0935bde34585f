import { boxDirection } from '../../collision/boxDirection.ts';
import type { Motion } from '../../collision/motion.ts';
import { MotionBounds } from '../../collision/motionBounds.ts';
import type { ProofRecorder } from '../../collision/motionProver.ts';
import type { PosedBodies } from '../../collision/posedBodies.ts';
import { create } from '../../math/vec3.ts';
import type { TrajectoryCurve } from '../../trajectory/trajectoryCurve.ts';

/**
 * Records, for pairs whose boxes are farther apart than both can travel, one plane over as many pieces of a curve at once as it holds for:
 * of a scan with thousands of parts nearly all are far away, and would otherwise take a span a piece. Returns the pairs that are left, piece
 * by piece.
 * @param reached greatest |q| of each planned joint that the checker assumes, rad or m
 */
export function recordFarPairs(
  posed: PosedBodies,
  curve: TrajectoryCurve,
  recorder: ProofRecorder,
  reached: ArrayLike<number>,
): number[][] {
  const bounds = new MotionBounds(posed);
  bounds.reached = reached;
  const motion = wholeCurve(curve);
  const left: number[][] = Array.from({ length: curve.pieces }, () => []);
  const n = create();
  const look = (first: number, last: number, pairs: readonly number[]): void => {
    bounds.from = curve.times[first];
    bounds.to = curve.times[last + 1];
    bounds.focus(motion);
    const half = 0.5 * (curve.times[last + 1] - curve.times[first]);
    const open = pairs.filter((pair) => {
      const needed = bounds.speed(pair) * half + posed.model.scene.padding + bounds.margin;
      if (!(posed.boxDistanceSquared(pair) > needed * needed)) return true;
      boxDirection(n, posed, pair);
      recorder.record(pair, curve.times[first], curve.times[last + 1], n[0], n[1], n[2]);
      return false;
    });
    if (first === last) {
      left[first] = open;
      return;
    }
    const middle = (first + last) >> 1;
    look(first, middle, open);
    look(middle + 1, last, open);
  };
  look(
    0,
    curve.pieces - 1,
    Array.from({ length: posed.model.pairCount }, (_, pair) => pair),
  );
  return left;
}

/** All pieces as one motion. Speeds are bounded over all of them; at corners, where the velocity jumps, nothing else is. */
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
      acceleration.fill(0); // speeds alone are asked for
    },
  };
}
