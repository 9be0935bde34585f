import { cos, PI, sin } from '../../math/trigonometry.ts';
import type { Vec3 } from '../../math/vec3.ts';

/** Number of points of a link whose positions are enclosed. */
export const POINTS = 4;
/** Length of the generators of one symbol: a vector per point. */
export const COLUMN = 3 * POINTS;
/** Relative: added to sines, cosines and lengths for their rounding. */
const ROUNDING = 1e-12;
/** Sine of the angle up to which axes count as parallel. */
const PARALLEL = 1e-6;

/** The line of the axis of a joint in the world. */
export interface Line {
  readonly origin: Vec3;
  readonly axis: Vec3;
}

/**
 * Encloses the positions of points of a link for all values of some joints: point i is at xᵢ + Σ gᵢₛ tₛ + d + b, with
 * symbols |tₛ| <= 1 that all points share, a vector d perpendicular to `axis` of length at most `discs[i]`, and any
 * vector b of length at most `balls[i]`, metres.
 */
export class LinkPoints {
  readonly x = new Float64Array(COLUMN);
  readonly discs = new Float64Array(POINTS);
  readonly balls = new Float64Array(POINTS);
  axis: Vec3 = new Float64Array(3);
  private readonly symbols: number[] = [];

  /** @param generators gᵢₛ, COLUMN numbers per symbol; two symbols per joint */
  constructor(private readonly generators: Float64Array) {}

  /** Sets the points, before any joint moves them. */
  reset(points: readonly Vec3[]): void {
    for (const [i, p] of points.entries()) this.x.set(p, 3 * i);
    this.discs.fill(0);
    this.balls.fill(0);
    this.symbols.length = 0;
  }

  /** Moves the points along a line by at most `width` to either side. */
  slide({ axis }: Line, width: number, joint: number): void {
    const at = COLUMN * 2 * joint;
    if (width === Number.POSITIVE_INFINITY) this.balls.fill(width);
    else for (let i = 0; i < COLUMN; i++) this.generators[at + i] = width * axis[i % 3];
    this.generators.fill(0, at + COLUMN, at + 2 * COLUMN);
    this.symbols.push(2 * joint);
  }

  /**
   * Turns the points about a line by at most `width` to either side. With s = sin δ and v = 1 − cos δ, a the axis:
   *   R x = x + s a × x + v a × (a × x),   |s| <= S,  0 <= v <= 2 C
   * A vector g tₛ is replaced by its mean over v, or by its component along the axis; the remainder is added to the
   * discs.
   */
  turn({ origin, axis }: Line, width: number, joint: number): void {
    const { x, generators, symbols, discs } = this;
    const S = width >= 0.5 * PI ? 1 : sin(width) * (1 + ROUNDING);
    const C = width >= PI ? 1 : 0.5 * (1 - cos(width)) + ROUNDING;
    this.turnDiscs(axis);
    const [kept, lost] = S + C < 1 ? [C, S + C] : [1, 1];
    const [a, b, c] = axis;
    for (const symbol of symbols)
      for (let i = 0; i < POINTS; i++) {
        const at = COLUMN * symbol + 3 * i;
        const along = a * generators[at] + b * generators[at + 1] + c * generators[at + 2];
        const [u, v, w] = [generators[at] - along * a, generators[at + 1] - along * b, generators[at + 2] - along * c];
        generators[at] -= kept * u;
        generators[at + 1] -= kept * v;
        generators[at + 2] -= kept * w;
        discs[i] += lost * Math.sqrt(u * u + v * v + w * w) * (1 + ROUNDING);
      }
    const first = COLUMN * 2 * joint;
    for (let i = 0; i < COLUMN; i += 3) {
      const [p, q, r] = [x[i] - origin[0], x[i + 1] - origin[1], x[i + 2] - origin[2]];
      const along = a * p + b * q + c * r;
      const inwards = [along * a - p, along * b - q, along * c - r];
      const swing = [b * r - c * q, c * p - a * r, a * q - b * p];
      for (let k = 0; k < 3; k++) {
        generators[first + i + k] = S * swing[k];
        generators[first + COLUMN + i + k] = C * inwards[k];
        x[i + k] += C * inwards[k];
      }
    }
    symbols.push(2 * joint, 2 * joint + 1);
  }

  /** Turns the discs of the last axis about another one: they remain discs if the axes are parallel. */
  private turnDiscs(axis: Vec3): void {
    const { discs, balls, axis: last } = this;
    const [a, b, c] = axis;
    const [u, v, w] = [b * last[2] - c * last[1], c * last[0] - a * last[2], a * last[1] - b * last[0]];
    const sine = Math.sqrt(u * u + v * v + w * w);
    const lost = sine < PARALLEL ? 2 * sine + ROUNDING : 1;
    for (let i = 0; i < POINTS; i++) {
      balls[i] += lost * discs[i];
      if (lost === 1) discs[i] = 0;
    }
    this.axis = axis;
  }

  /** Returns a bound on the distance of point i from p. */
  distanceFrom(p: Vec3, i: number): number {
    const { x, generators, symbols, discs, balls } = this;
    const lengthOf = (u: number, v: number, w: number) => Math.sqrt(u * u + v * v + w * w);
    let distance = lengthOf(x[3 * i] - p[0], x[3 * i + 1] - p[1], x[3 * i + 2] - p[2]) + discs[i] + balls[i];
    for (const symbol of symbols) {
      const at = COLUMN * symbol + 3 * i;
      distance += lengthOf(generators[at], generators[at + 1], generators[at + 2]);
    }
    return distance;
  }
}
