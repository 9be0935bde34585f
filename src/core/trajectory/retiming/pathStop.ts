import type { TrajectoryCurve } from '../trajectoryCurve.ts';
import { type BrakingPart, evenPart, REST, type StopPiece } from './brakingPart.ts';
import { createPaceRange, isFeasible, type PaceBounds, type PaceGrid } from './paceGrid.ts';

/** A stop along a curve: its pace falls from 1 to 0. */
export interface PathStop {
  /** Index of the interval of a grid at whose start it begins. */
  readonly first: number;
  /** Seconds. */
  readonly duration: number;
  /** Index of the end of an interval of the grid at which the motion is at rest. */
  readonly end: number;
  /** Its rows in a certificate: see `CertificateStop`. */
  readonly rows: readonly (readonly [number, number])[];
}

/** Share by which a deceleration that is not proved is reduced, doubled each time, and how often: then to 0. */
const EASED = 5e-4;
const MAX_TRIES = 10;
/** Greatest decrease of the pace per second. */
const STEEPEST = -1e6;

/**
 * Computes the shortest stop along a curve that begins at the start of an interval of the grid, at pace 1: the pace
 * falls as fast as the bounds allow. Shortest in distance: no other stop is slower anywhere. Undefined if none is
 * proved, or if the robot cannot be held where it ends.
 * @param isKept returns true if a part of the motion on a piece of the curve keeps all limits at every instant
 * @param isHeld returns true if the robot can be held at rest everywhere on interval n, or at the start of it alone (at
 *   the end of the curve for n = `count`)
 * @param share of the possible deceleration that is used: a slow motion against friction may be impossible
 */
export function pathStop(
  grid: PaceGrid,
  bounds: PaceBounds,
  first: number,
  isKept: (piece: number, part: BrakingPart) => boolean,
  isHeld: (n: number, isWhole: boolean) => boolean,
  share: number,
): PathStop | undefined {
  const range = createPaceRange();
  const rows: [number, number][] = [];
  let [duration, x] = [0, 1];
  for (let n = first; ; n++) {
    rows.push([grid.time(n), x]);
    if (isAtRest(grid, n)) return isHeld(n, false) ? { first, duration, end: n, rows } : undefined;
    const length = 2 * grid.step[n];
    let u = isFeasible(range, grid, bounds, n, x, x, STEEPEST) ? share * Math.min(0, range.low) : 0;
    for (let tries = 1; !isKept(grid.arc[n], evenPart(grid.from[n], grid.step[n], x, u)); tries++) {
      if (u === 0) return undefined;
      u = tries < MAX_TRIES ? (1 - EASED * 2 ** tries) * u : 0;
    }
    const next = x + length * u;
    if (next <= REST) {
      rows.push([Math.min(grid.time(n) + x / (-2 * u), grid.time(n + 1)), 0]);
      return isHeld(n, true) ? { first, duration: duration + Math.sqrt(x) / -u, end: n + 1, rows } : undefined;
    }
    duration += length / (Math.sqrt(x) + Math.sqrt(next));
    x = next;
  }
}

/** Returns the parts of a stop along a curve, as its rows state them. */
export function evenParts(curve: TrajectoryCurve, rows: PathStop['rows']): StopPiece[] {
  return rows.slice(1).map(([t1, x1], i) => {
    const [t0, x0] = rows[i];
    const piece = curve.pieceAt(0.5 * (t0 + t1));
    const rate = (x1 - x0) / (2 * (t1 - t0));
    const duration = (2 * (t1 - t0)) / (Math.sqrt(x0) + Math.sqrt(x1));
    return { piece, part: { from: t0 - curve.times[piece], pace: Math.sqrt(x0), rate, change: 0, duration } };
  });
}

/** Returns true if the curve is at rest at the start of an interval, or ends there. */
function isAtRest({ count, dof, velocity0 }: PaceGrid, n: number): boolean {
  for (let k = n * dof; n < count && k < (n + 1) * dof; k++) if (velocity0[k] !== 0) return false;
  return true;
}
