import type { BlendedPath } from '../../../src/core/trajectory/blendedPath.ts';
import type { MotionLimits } from '../../../src/core/trajectory/trajectory.ts';

/** One piece of the path, a quadratic over [0, 1]: its tangents at both ends. */
interface Piece {
  readonly first: Float64Array;
  readonly last: Float64Array;
  /** Rate of this piece's parameter for a rate of 1 of the piece before. */
  readonly ratio: number;
}

/**
 * Seconds of the time-optimal motion along a blended path, from rest to rest, by reachability on a grid [Pham18]: an
 * upper bound on speed from the end backwards, then as fast as that allows. Shares nothing with the code that it
 * judges; limits hold at the nodes of the grid only.
 */
export function timeOptimalDuration(path: BlendedPath, { velocity, acceleration }: MotionLimits, cells = 200): number {
  const pieces = piecesOf(path);
  const dof = velocity.length;
  // Node k of piece p: x is the square of the parameter's rate there.
  const bounds = pieces.map(() => new Float64Array(cells + 1));
  const tangent = (p: number, k: number, j: number) =>
    pieces[p].first[j] + (k / cells) * (pieces[p].last[j] - pieces[p].first[j]);
  const fastest = (p: number, k: number) => {
    let x = Number.POSITIVE_INFINITY;
    for (let j = 0; j < dof; j++) x = Math.min(x, (velocity[j] / Math.abs(tangent(p, k, j))) ** 2);
    return x;
  };
  /** The accelerations of the parameter that the limits allow at a node, for the cell after it (k + 1: before it). */
  const range = (p: number, k: number, x: number): [number, number] => {
    let [low, high] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
    for (let j = 0; j < dof; j++) {
      const slope = tangent(p, k, j);
      const bend = (pieces[p].last[j] - pieces[p].first[j]) * x;
      if (slope === 0) {
        if (Math.abs(bend) > acceleration[j]) return [1, 0];
        continue;
      }
      const [a, b] = [(-acceleration[j] - bend) / slope, (acceleration[j] - bend) / slope];
      low = Math.max(low, Math.min(a, b));
      high = Math.min(high, Math.max(a, b));
    }
    return [low, high];
  };
  let next = 0;
  for (let p = pieces.length - 1; p >= 0; p--) {
    bounds[p][cells] = Math.min(next, fastest(p, cells));
    for (let k = cells - 1; k >= 0; k--) {
      let [low, high] = [0, Math.min(fastest(p, k), 1e6)];
      for (let i = 0; i < 60; i++) {
        const x = (low + high) / 2;
        const [least, most] = range(p, k, x);
        const braking = Math.max(least, (-x * cells) / 2);
        if (braking <= Math.min(most, ((bounds[p][k + 1] - x) * cells) / 2)) low = x;
        else high = x;
      }
      bounds[p][k] = low;
    }
    next = bounds[p][0] / pieces[p].ratio ** 2;
  }
  let x = 0;
  let duration = 0;
  for (const [p, piece] of pieces.entries()) {
    x = Math.min(x * piece.ratio ** 2, bounds[p][0]);
    for (let k = 0; k < cells; k++) {
      const faster = Math.min(bounds[p][k + 1], x + (2 * range(p, k, x)[1]) / cells);
      duration += 2 / cells / (Math.sqrt(x) + Math.sqrt(faster));
      x = faster;
    }
  }
  return duration;
}

/**
 * Straight ways in shares of their segment from 0 to 1 scaled to what is left of it, blends in shares of their time.
 */
function piecesOf({ displacements, entry, exit }: BlendedPath): Piece[] {
  const pieces: Piece[] = [];
  let before = 1; // tangent length of the piece before at its end, in shares of the segment
  for (const [i, way] of displacements.entries()) {
    const straight = 1 - (i > 0 ? exit[i - 1] : 0) - (i < entry.length ? entry[i] : 0);
    const tangent = way.map((w) => straight * w);
    pieces.push({ first: tangent, last: tangent, ratio: before / straight });
    before = straight;
    if (i === entry.length) continue;
    const [first, last] = [way.map((w) => 2 * entry[i] * w), displacements[i + 1].map((w) => 2 * exit[i] * w)];
    pieces.push({ first, last, ratio: before / (2 * entry[i]) });
    before = 2 * exit[i];
  }
  return pieces;
}
