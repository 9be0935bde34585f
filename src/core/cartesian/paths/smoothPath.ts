import { setRotationFromQuaternion } from '../../math/quaternion.ts';
import { compose, copy, create, type Transform } from '../../math/transform.ts';
import { cos, sin } from '../../math/trigonometry.ts';
import type { CartesianLeg } from '../cartesianLeg.ts';
import type { PathTolerance } from '../pathTolerance.ts';
import { type PathLeg, roundingLength } from './idealPath.ts';

/** Share of the tolerance by which a rounded corner may miss its way point. */
const CORNER_SHARE = 0.5;
/** Cosine of the angle between two legs beyond which the motion stops at their corner. */
const REVERSAL = -0.87;
/** Metres per radian: weight of rotations in the parameter of a path. */
const RADIUS = 0.1;
/** Share of a leg that the rounding of one of its ends may use. */
const HALF = 0.5;
/** Metres, and share of a leg: marks that are nearer are one. Pieces of a spline must not be arbitrarily short. */
const CLOSE = 1e-8;
const CLOSE_SHARE = 0.1;
/** Change of direction, in weighted twist, from which knots are placed next to a corner. */
const SHARP = 0.05;
/**
 * Share of both legs below which the rounding of a corner is short: the curve has a corner, at their scale. Roundings
 * in the sphere of a blend have knots at their ends whatever their share, without which the motion is slower.
 */
const SHORT = 0.25;

/** A part of a tool path without stops: its parameter is s in [0, 1]. */
export interface PathSection {
  readonly leg: CartesianLeg;
  /** Where pieces of a spline end: s of both ends of each rounded corner, increasing, 0 and 1 included. */
  readonly marks: readonly number[];
  /** Indices of `marks` that belong to sharp corners and to the ends. */
  readonly sharp: ReadonlySet<number>;
  /** Upper limit of the speed between two marks, m/s. */
  readonly speeds: readonly number[];
  /** Index of the way point that ends each interval between two marks. */
  readonly points: readonly number[];
  /** Metres and weighted radians per unit of s. */
  readonly size: number;
}

/** A leg with its length in the parameter of a section, and its twist per unit of it. */
interface Weighted {
  readonly leg: CartesianLeg;
  readonly length: number;
  readonly twist: Float64Array;
}

/** A corner: cut before and after it in the parameter; 0: not rounded. */
interface Corner {
  readonly cut: number;
  readonly isSharp: boolean;
}

/**
 * Returns smooth curves near an ideal path: at each corner, a parabola that leaves the leg before at a distance d and
 * meets the leg after at the same distance, c − (1 − u)² d a + u² d b for unit directions a, b; so with rotation
 * vectors for the orientation. It misses the corner by d ‖b − a‖ / 4. Curves of many short legs consist of parabolas
 * alone. Ends where the motion must stop: where it reverses.
 */
export function smoothSections(legs: readonly PathLeg[], tolerance: PathTolerance): PathSection[] {
  const weighted = legs.map(({ leg }): Weighted => {
    const length = leg.length + RADIUS * leg.angle;
    const twist = new Float64Array(6);
    leg.twistAt(twist, 0);
    return { leg, length, twist: twist.map((rate) => rate / length) };
  });
  const corners = weighted.slice(1).map((next, k) => cornerBetween(weighted[k], next, tolerance, legs[k].radius));
  const sections: PathSection[] = [];
  let first = 0;
  for (let k = 0; k < legs.length; k++) {
    if (k + 1 < legs.length && corners[k].cut > 0) continue;
    sections.push(section(legs.slice(first, k + 1), weighted.slice(first, k + 1), corners.slice(first, k)));
    first = k + 1;
  }
  return sections;
}

function cornerBetween(a: Weighted, b: Weighted, tolerance: PathTolerance, radius: number): Corner {
  let [aa, bb, ab] = [0, 0, 0];
  let [moved, turned] = [0, 0];
  for (let i = 0; i < 6; i++) {
    const weight = i < 3 ? 1 : RADIUS * RADIUS;
    aa += weight * a.twist[i] * a.twist[i];
    bb += weight * b.twist[i] * b.twist[i];
    ab += weight * a.twist[i] * b.twist[i];
    const change = (b.twist[i] - a.twist[i]) ** 2;
    if (i < 3) moved += change;
    else turned += change;
  }
  if (ab <= REVERSAL * Math.sqrt(aa * bb)) return { cut: 0, isSharp: true };
  const cut = Math.min(
    HALF * a.length,
    HALF * b.length,
    Math.max(roundingLength(tolerance.position, Math.sqrt(moved)), radius - tolerance.position),
    (4 * CORNER_SHARE * tolerance.angle) / Math.sqrt(turned),
  );
  const isTurning = ab < (1 - 0.5 * SHARP * SHARP) * Math.sqrt(aa * bb);
  const isSharp = isTurning && (radius > 0 || cut < SHORT * Math.min(a.length, b.length));
  return { cut, isSharp };
}

function section(legs: readonly PathLeg[], weighted: readonly Weighted[], corners: readonly Corner[]): PathSection {
  const starts = [0];
  for (const { length } of weighted) starts.push(starts[starts.length - 1] + length);
  const size = starts[starts.length - 1];
  const marks = [0];
  const sharp = new Set([0]);
  const speeds: number[] = [];
  const points: number[] = [];
  const mark = (at: number, k: number, isSharp: boolean, speed: number) => {
    const least = isSharp ? CLOSE : Math.max(CLOSE, CLOSE_SHARE * weighted[k].length);
    if (!(at > marks[marks.length - 1] + least)) {
      if (isSharp) sharp.add(marks.length - 1);
      return;
    }
    if (isSharp) sharp.add(marks.length);
    marks.push(at);
    speeds.push(speed);
    points.push(legs[k].point);
  };
  for (const [k, { speed }] of legs.entries()) {
    const after = corners[k];
    if (after === undefined) {
      mark(size, k, true, speed);
      break;
    }
    mark(starts[k + 1] - after.cut, k, after.isSharp, speed);
    mark(starts[k + 1] + after.cut, k, after.isSharp, Math.min(speed, legs[k + 1].speed));
  }
  const leg = new SectionCurve(weighted, corners, starts);
  return { leg, marks: marks.map((at) => at / size), sharp, speeds, points, size };
}

/**
 * Returns the last way point whose corner the curve of a section has passed at s.
 * @param before way point at which the section begins
 */
export function passedPoint({ marks, points }: PathSection, s: number, before: number): number {
  if (s >= 1) return points[points.length - 1];
  const next = points[marks.findLastIndex((mark) => mark <= s)];
  return points.findLast((point) => point < next) ?? before;
}

/** The curve of a section as a leg. */
class SectionCurve implements CartesianLeg {
  readonly kind = 'path';
  readonly length: number;
  readonly angle: number;
  /** Its second derivative is not bounded: it is never proved to be followed; the ideal path is. */
  readonly curvature = Number.POSITIVE_INFINITY;
  readonly start: Transform;
  readonly end: Transform;
  private readonly size: number;
  private readonly turn = create();
  /** Index of the leg of the last call. */
  private near = 0;

  constructor(
    private readonly legs: readonly Weighted[],
    private readonly corners: readonly Corner[],
    /** Parameter at the start of each leg, and at the end. */
    private readonly starts: readonly number[],
  ) {
    this.size = starts[starts.length - 1];
    this.length = legs.reduce((sum, { leg }) => sum + leg.length, 0);
    this.angle = legs.reduce((sum, { leg }) => sum + leg.angle, 0);
    this.start = legs[0].leg.start;
    this.end = legs[legs.length - 1].leg.end;
  }

  poseAt(out: Transform, s: number): void {
    const { legs, corners, starts } = this;
    const at = s * this.size;
    const k = this.legAt(at);
    const corner = this.cornerNear(k, at);
    if (corner < 0) {
      const { leg, length } = legs[k];
      leg.poseAt(out, Math.min(1, Math.max(0, (at - starts[k]) / length)));
      return;
    }
    const d = corners[corner].cut;
    const u = (at - starts[corner + 1] + d) / (2 * d);
    const before = -(1 - u) * (1 - u) * d;
    const after = u * u * d;
    const [a, b] = [legs[corner].twist, legs[corner + 1].twist];
    copy(out, legs[corner].leg.end);
    const [x, y, z] = [out[3], out[7], out[11]];
    rotateBy(out, a, before, this.turn);
    rotateBy(out, b, after, this.turn);
    out[3] = x + before * a[0] + after * b[0];
    out[7] = y + before * a[1] + after * b[1];
    out[11] = z + before * a[2] + after * b[2];
  }

  twistAt(out: Float64Array, s: number): void {
    const { legs, corners, starts, size, turn } = this;
    const at = s * size;
    const k = this.legAt(at);
    const corner = this.cornerNear(k, at);
    if (corner < 0) {
      for (let i = 0; i < 6; i++) out[i] = size * legs[k].twist[i];
      return;
    }
    const d = corners[corner].cut;
    const u = Math.min(1, Math.max(0, (at - starts[corner + 1] + d) / (2 * d)));
    const [a, b] = [legs[corner].twist, legs[corner + 1].twist];
    for (let i = 0; i < 3; i++) out[i] = size * ((1 - u) * a[i] + u * b[i]);
    setTurn(turn, b, u * u * d);
    for (let i = 0; i < 3; i++) {
      const row = 4 * i;
      const turned = turn[row] * a[3] + turn[row + 1] * a[4] + turn[row + 2] * a[5];
      out[3 + i] = size * ((1 - u) * turned + u * b[3 + i]);
    }
  }

  /** Returns the leg that contains a parameter: calls in order take constant time. */
  private legAt(at: number): number {
    const { starts } = this;
    const last = starts.length - 2;
    let k = this.near;
    if (!(at >= starts[k] && at <= starts[Math.min(last, k + 4) + 1])) {
      let [low, high] = [0, last];
      while (low < high) {
        const middle = (low + high + 1) >> 1;
        if (starts[middle] <= at) low = middle;
        else high = middle - 1;
      }
      k = low;
    }
    while (k < last && starts[k + 1] <= at) k++;
    this.near = k;
    return k;
  }

  /** Returns the index of the corner whose rounding contains a parameter on leg k; −1 if there is none. */
  private cornerNear(k: number, at: number): number {
    const { corners, starts } = this;
    if (k > 0 && at < starts[k] + corners[k - 1].cut) return k - 1;
    if (k < corners.length && at > starts[k + 1] - corners[k].cut) return k;
    return -1;
  }
}

/** Sets a transform to the rotation by `amount` times the angular part of a twist. */
function setTurn(out: Transform, twist: Float64Array, amount: number): void {
  const [x, y, z] = [amount * twist[3], amount * twist[4], amount * twist[5]];
  const angle = Math.sqrt(x * x + y * y + z * z);
  const factor = angle > 0 ? sin(0.5 * angle) / angle : 0.5;
  setRotationFromQuaternion(out, [cos(0.5 * angle), factor * x, factor * y, factor * z]);
  out[3] = 0;
  out[7] = 0;
  out[11] = 0;
}

function rotateBy(T: Transform, twist: Float64Array, amount: number, turn: Transform): void {
  setTurn(turn, twist, amount);
  compose(T, turn, T);
}
