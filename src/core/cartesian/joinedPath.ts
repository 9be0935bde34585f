import type { LegKnot } from './legKnot.ts';
import { blendCut, knotAt, type MotionPath, withKnotsAt } from './motionPath.ts';
import type { ToolTracker } from './toolTracker.ts';

/** Joint path of several motions, blended between each two. */
export interface JoinedPath {
  readonly knots: readonly LegKnot[];
  /** For each piece between two knots: the index of its motion. The first half of a blend belongs to the one before. */
  readonly motions: readonly number[];
  /** Index of the knot in the middle of each blend. */
  readonly middles: readonly number[];
  /** Indices of the first and last knot of each blend. */
  readonly blends: readonly (readonly [number, number])[];
}

/** Number of pieces of a blend, even. */
const PIECES = 16;
/**
 * Fraction of the radius at which a blend begins and ends: a reserve, since the tool may deviate outwards between its
 * ends.
 */
const CUT_SHARE = 0.95;

/**
 * Joins motions each of which begins where the one before it ends: a blend is the sum of the end of one motion, which
 * slows down, and of the start of the next, which speeds up. With u from 0 to 1 over a blend, A from its cut to its
 * end e and B from its start 0 to its cut b, both in their own parameter,
 *   q(u) = A(a + (e − a)(2u − u²)) + B(b u²) − A(e),
 * so that position and direction are continuous at both cuts. If A and B are straight lines, the blend is a parabola.
 * For robots with jerk limits, 2u − 2u³ + u⁴ and 2u³ − u⁴ replace 2u − u² and u²: the curvature is continuous as well.
 * Undefined if a correction of the tool pose at a cut fails.
 * @param radii of the blends, metres, one fewer than motions
 * @param isSmooth true: for robots with jerk limits
 */
export function joinedPath(
  tracker: ToolTracker,
  given: readonly MotionPath[],
  radii: readonly number[],
  isSmooth = false,
): JoinedPath | undefined {
  const starts = [0, ...radii.map((radius, j) => cutNear(tracker, given[j + 1], radius, false))];
  const ends = [
    ...radii.map((radius, j) => cutNear(tracker, given[j], radius, true)),
    lengthOf(given[given.length - 1]),
  ];
  const knots: LegKnot[] = [];
  const motions: number[] = [];
  const middles: number[] = [];
  const blends: [number, number][] = [];
  const paths: MotionPath[] = [];
  for (const [j, path] of given.entries()) {
    const made = withKnotsAt(tracker, path, [...new Set([starts[j], ends[j]])]);
    if (!made) return undefined;
    paths.push(made);
  }
  let s = 0;
  let scale = 1; // ds per parameter of the motion
  for (const [j, path] of paths.entries()) {
    for (const knot of path.knots) {
      if (knot.s < starts[j] || knot.s > ends[j] || (j > 0 && knot.s === starts[j])) continue;
      if (knots.length > 0) motions.push(j);
      knots.push({ s: s + scale * (knot.s - starts[j]), q: knot.q, dq: knot.dq.map((rate) => rate / scale) });
    }
    s = knots[knots.length - 1].s;
    if (j + 1 === paths.length) break;
    const speed = 2 * (lengthOf(path) - ends[j]); // of A where the blend begins
    const blendScale = scale * speed;
    const first = knots.length - 1;
    for (let i = 1; i <= PIECES; i++) {
      const { q, dq } = blendedKnot(path, ends[j], paths[j + 1], starts[j + 1], i / PIECES, isSmooth);
      motions.push(2 * i <= PIECES ? j : j + 1);
      knots.push({ s: s + (blendScale * i) / PIECES, q, dq: dq.map((rate) => rate / blendScale) });
    }
    middles.push(first + PIECES / 2);
    blends.push([first, first + PIECES]);
    s = knots[knots.length - 1].s;
    scale = blendScale / (2 * starts[j + 1]);
  }
  return { knots, motions, middles, blends };
}

/** Returns the configuration in a blend at u, and its derivative with respect to u. */
function blendedKnot(
  from: MotionPath,
  a: number,
  to: MotionPath,
  b: number,
  u: number,
  isSmooth: boolean,
): Omit<LegKnot, 's'> {
  const rest = lengthOf(from) - a;
  const share = isSmooth ? u * u * u * (2 - u) : u * u; // of the start of B
  const rate = isSmooth ? 2 * u * u * (3 - 2 * u) : 2 * u;
  const A = knotAt(from, a + (isSmooth ? rest * (2 * u - share) : rest * u * (2 - u)));
  const B = knotAt(to, isSmooth ? b * share : b * u * u);
  const common = to.knots[0].q;
  return {
    q: A.q.map((value, j) => value + (B.q[j] - common[j])),
    dq: A.dq.map((slope, j) => (2 - rate) * rest * slope + rate * b * B.dq[j]),
  };
}

function cutNear(tracker: ToolTracker, path: MotionPath, radius: number, isEnd: boolean): number {
  const T = tracker.pose(path.knots[isEnd ? path.knots.length - 1 : 0].q);
  const centre = Float64Array.of(T[3], T[7], T[11]);
  return blendCut(tracker, path, { centre, radius: CUT_SHARE * radius }, isEnd);
}

const lengthOf = ({ knots }: MotionPath) => knots[knots.length - 1].s;
