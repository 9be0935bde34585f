import { CubicMotion, type Motion, MotionInterval, QuinticMotion } from '../../core/collision/motions/motion.ts';
import type { Configuration } from '../../core/math/configuration.ts';
import { POLYNOMIAL_SIZE } from '../../core/trajectory/polynomial.ts';
import type { Trajectory } from '../../core/trajectory/trajectory.ts';
import { TrajectoryCurve } from '../../core/trajectory/trajectoryCurve.ts';
import type { SceneWorld } from '../../core/world/sceneWorld.ts';
import { InputError } from '../../errors.ts';

/** Motions of one part of the world in the order of time; it rests before the first and after the last. */
interface Track {
  readonly motions: readonly Motion[];
  readonly first: Motion;
  readonly last: Motion;
}

/** The motions of obstacles and other robots in a world, and the time at which the last of them ends, seconds. */
export type MovingParts = Pick<SceneWorld, 'sources' | 'end'>;

/** A world in which nothing moves but the planned robot. */
export const AT_REST: MovingParts = { sources: [], end: 0 };

/**
 * Returns the motions of the whole world, piece by piece, for the prover: the planned robot on a curve, and everything
 * that moves besides it. With moving parts, the motions begin at time 0 (the robot rests at the start of its curve
 * until the curve begins) and end when all parts are at rest; without, they are those of the curve.
 */
export function worldMotions(curve: TrajectoryCurve, moving: MovingParts): Motion[] {
  const own = curveMotions(curve);
  if (isAlone(moving)) return own;
  return new WorldTimeline(moving).motions(own, 0, Math.max(curve.end, moving.end));
}

/**
 * Returns the motions of the whole world from one time to another, piece by piece; before and after its curve, the
 * robot rests. If nothing else moves and the curve covers the interval, they are the parts of the curve. An interval of
 * no duration has one motion, at rest.
 */
export function worldMotionsWithin(
  own: readonly Motion[],
  moving: MovingParts,
  from: number,
  to: number,
): Iterable<Motion> {
  const isWithin = to > from && from >= own[0].start && to <= own[own.length - 1].end;
  return isAlone(moving) && isWithin ? clipped(own, from, to) : new WorldTimeline(moving).motions(own, from, to);
}

/** Returns the parts of motions within an interval of time. */
export function* clipped(motions: readonly Motion[], from: number, to: number): Generator<Motion> {
  for (const motion of motions) {
    const start = Math.max(from, motion.start);
    const end = Math.min(to, motion.end);
    if (!(end > start)) continue;
    yield start === motion.start && end === motion.end ? motion : new MotionInterval(motion, start, end);
  }
}

/** Returns true if nothing moves but the planned robot. */
export const isAlone = ({ sources, end }: MovingParts): boolean => sources.length === 0 && end === 0;

/** What moves besides the planned robot, over the time of the scene. */
export class WorldTimeline {
  private readonly tracks: readonly Track[];

  constructor({ sources }: MovingParts) {
    this.tracks = sources.map((source) => trackOf(curveMotions(new TrajectoryCurve(source))));
  }

  /**
   * Returns the motions of the whole world from one time to another, piece by piece.
   * @param own motions of the planned robot in the order of time; it rests before the first and after the last
   */
  motions(own: readonly Motion[], from: number, until: number): Motion[] {
    const tracks = [trackOf(own), ...this.tracks];
    const times = new Set([from, until]);
    for (const { motions } of tracks)
      for (const { start, end } of motions) for (const t of [start, end]) if (t > from && t < until) times.add(t);
    const knots = [...times].sort((a, b) => a - b);
    const next = new Array<number>(tracks.length).fill(0);
    if (knots.length === 1) return [combined(tracks, from, from, next)];
    return knots.slice(1).map((to, k) => combined(tracks, knots[k], to, next));
  }
}

/** Returns a function that writes the joint values of all sources at a time of the scene into q, from an index on. */
export function sourcePositions({ sources }: MovingParts): (q: Float64Array, from: number, t: number) => void {
  const tracks = sources.map((source) => trackOf(curveMotions(new TrajectoryCurve(source))));
  const scratch = tracks.map(({ first }) => new Float64Array(first.dof));
  return (q, from, t) => {
    let at = from;
    for (const [i, { motions, first, last }] of tracks.entries()) {
      const out = scratch[i];
      const within = t < first.start ? undefined : motions.find((motion) => t <= motion.end);
      if (within) within.positionAt(out, t);
      else if (t < first.start) first.positionAt(out, first.start);
      else last.positionAt(out, last.end);
      q.set(out, at);
      at += out.length;
    }
  };
}

const trackOf = (motions: readonly Motion[]): Track => ({ motions, first: motions[0], last: motions.at(-1)! });

/**
 * Returns the motion of all tracks between two consecutive knots.
 * @param next index of the first motion of each track that may contain later times; advanced
 */
function combined(tracks: readonly Track[], from: number, to: number, next: number[]): Motion {
  const motions = tracks.map(({ motions: own, first, last }, i) => {
    if (to <= first.start) return atRest(first, first.start, from, to);
    if (from >= last.end) return atRest(last, last.end, from, to);
    while (own[next[i]].end < to) next[i]++;
    return own[next[i]];
  });
  return new CombinedMotion(from, to, motions);
}

/** Returns a motion that stays where another one is at t. */
function atRest(motion: Motion, t: number, from: number, to: number): Motion {
  const q = new Float64Array(motion.dof);
  motion.positionAt(q, t);
  const coefficients = new Float64Array(4 * motion.dof);
  for (let j = 0; j < q.length; j++) coefficients[4 * j] = q[j];
  return new CubicMotion(from, to, coefficients, motion.terms?.slice());
}

/**
 * Throws `InputError` if a trajectory has no times although something else moves.
 * @param place prefix of the message
 */
export function requireTimes({ points }: Trajectory, { end }: MovingParts, place = 'trajectory'): void {
  if (end > 0 && points.some(({ time_from_start }) => time_from_start === undefined))
    throw new InputError(`${place}: it has no times, but something else moves in the scene`, 'Give each point a time.');
}

/**
 * Several motions at the same time, whose joints follow each other in q: of the planned robot, of moving obstacles and
 * of other robots. Each is evaluated at the time t itself, so that no rounding is added.
 */
class CombinedMotion implements Motion {
  readonly dof: number;
  readonly terms: Float64Array;
  /** Scratch for the motions after the first one. */
  private readonly values: Float64Array;
  private readonly more: Float64Array;

  /** @param motions motions that are defined over [start, end] at least */
  constructor(
    readonly start: number,
    readonly end: number,
    private readonly motions: readonly Motion[],
  ) {
    let sum = 0;
    let most = 0;
    for (const { dof } of motions) {
      sum += dof;
      most = Math.max(most, dof);
    }
    this.dof = sum;
    this.values = new Float64Array(most);
    this.more = new Float64Array(most);
    this.terms = new Float64Array(sum);
    let at = 0;
    for (const { terms, dof } of motions) {
      if (terms) this.terms.set(terms, at);
      at += dof;
    }
  }

  positionAt(out: Configuration, t: number): void {
    const { motions, values } = this;
    motions[0].positionAt(out, t); // its joints are the first of `out`
    for (let i = 1, at = motions[0].dof; i < motions.length; i++) {
      motions[i].positionAt(values, t);
      for (let j = 0; j < motions[i].dof; j++) out[at++] = values[j];
    }
  }

  velocityAt(out: Float64Array, t: number): void {
    const { motions, values } = this;
    motions[0].velocityAt(out, t);
    for (let i = 1, at = motions[0].dof; i < motions.length; i++) {
      motions[i].velocityAt(values, t);
      for (let j = 0; j < motions[i].dof; j++) out[at++] = values[j];
    }
  }

  boundsOver(velocity: Float64Array, acceleration: Float64Array, from: number, to: number): void {
    const { motions, values, more } = this;
    motions[0].boundsOver(velocity, acceleration, from, to);
    for (let i = 1, at = motions[0].dof; i < motions.length; i++) {
      motions[i].boundsOver(values, more, from, to);
      for (let j = 0; j < motions[i].dof; j++) {
        velocity[at] = values[j];
        acceleration[at++] = more[j];
      }
    }
  }
}

/** Number of coefficients per joint of a `CubicMotion`. */
const CUBIC_SIZE = 4;

/** Converts a curve to motions for the prover: one per piece, in order, with the times of the curve. */
export function curveMotions(curve: TrajectoryCurve): Motion[] {
  const { dof, pieces, times, kinds, polynomials } = curve;
  const cubics = new Float64Array(pieces * dof * CUBIC_SIZE);
  for (let i = 0, at = 0; i < pieces * dof; i++, at += POLYNOMIAL_SIZE)
    for (let n = 0; n < CUBIC_SIZE; n++) cubics[i * CUBIC_SIZE + n] = polynomials[at + n];
  return Array.from({ length: pieces }, (_, k) => {
    const [from, to] = [k * dof, (k + 1) * dof];
    const terms = curve.terms.subarray(from, to);
    if (kinds[k] !== 'quintic')
      return new CubicMotion(times[k], times[k + 1], cubics.subarray(from * CUBIC_SIZE, to * CUBIC_SIZE), terms);
    const quintics = polynomials.subarray(from * POLYNOMIAL_SIZE, to * POLYNOMIAL_SIZE);
    return new QuinticMotion(times[k], times[k + 1], quintics, terms);
  });
}
