import type { RobotModel } from '../../kinematics/robotModel.ts';
import { type Interrupt, never } from '../../math/interrupt.ts';
import type { CheckedScene } from '../../scene/scene.ts';
import { velocityTolerance } from '../../trajectory/velocityJumps.ts';
import type { CertificateTorques } from '../certificate.ts';
import { jointRates, type MotionPiece, pieceAt, RATE_ROUNDING, restingPiece } from '../motionPieces.ts';
import { certifiedBodies } from './certifiedBodies.ts';
import { type TorqueRange, torqueRanges } from './torqueBounds.ts';

/** Relative: bounds may exceed a limit by this, a rounding error. */
const ROUNDING = 1e-9;
/** Maximum number of intervals of one verification. */
const MAX_INTERVALS = 1_000_000;
const QUERY_EVERY = 200;
/** Maximum number of cached intervals: joints often have spans over the same times. */
const CACHE_LIMIT = 4096;

/** Acceleration of gravity where a scene states none, m/s². */
export const GRAVITY = [0, 0, -9.81] as const;

/**
 * Returns the problems of the torques that a certificate states for [from, to]: every planned joint with a limit must
 * have spans that cover it, within the limit, and each is proved. If the scene does not limit torques, the
 * certificate must state none.
 * @param pieces motion of the planned robot
 * @param isTimed false for paths, of which no torques are proved
 */
export function torqueProblems(
  claims: readonly CertificateTorques[] | undefined,
  robot: RobotModel,
  scene: CheckedScene,
  pieces: readonly MotionPiece[],
  from: number,
  to: number,
  isTimed: boolean,
  interrupt: Interrupt = never,
): string[] {
  if (scene.torque === undefined) return claims ? ['it states torques, which the scene does not limit'] : [];
  if (!isTimed) return ['the scene limits torques, and the motion has no times'];
  if (claims === undefined) return ['it states no torques, which the scene limits'];
  const { scale } = scene.torque;
  const limits = robot.variables.map(({ effort }) => scale * effort);
  if (!limits.every((limit) => limit > 0) || limits.every((limit) => limit === Number.POSITIVE_INFINITY))
    return ['the maximum torques of the robot are not known'];
  const names = robot.variables.map(({ name }) => name);
  const strange = claims.find(
    ({ joint }, i) => !names.includes(joint) || claims.findIndex((one) => one.joint === joint) < i,
  );
  if (strange) return [`torques of "${strange.joint}": there is no such joint, or it is listed twice`];
  const jump = velocityJump(robot, pieces, from, to);
  if (jump !== undefined) return [jump];
  const proof = new TorqueProof(robot, scene, pieces, interrupt);
  const problems: string[] = [];
  for (const [k, name] of names.entries()) {
    const own = claims.find(({ joint }) => joint === name);
    if (own === undefined && limits[k] === Number.POSITIVE_INFINITY) continue;
    const wrong = own === undefined ? 'they are missing' : spanProblem(own.spans, limits[k], from, to);
    const open = wrong ?? proof.firstOpen(k, own!.spans);
    if (open !== undefined) problems.push(`torques of "${name}": ${open}`);
  }
  return problems;
}

/** Returns the torques that hold the robot at rest where a motion is at a time. */
export function restingRanges(
  robot: RobotModel,
  bodies: ReturnType<typeof certifiedBodies>,
  { gravity = GRAVITY }: CheckedScene,
  pieces: readonly MotionPiece[],
  time: number,
): readonly TorqueRange[] {
  const { position } = jointRates(pieces[pieceAt(pieces, time)], time, time, time);
  return torqueRanges(robot, bodies, gravity, restingPiece(time, time, Array.from(position)), time, time);
}

/** A time within a motion at which the arm must be held at rest, and the scene with what it carries then. */
export interface RestClaim {
  readonly time: number;
  readonly scene: CheckedScene;
}

/** Returns the problems of the torques that hold the robot at rest at times, as at events of a program. */
export function holdingProblems(
  robot: RobotModel,
  rests: readonly RestClaim[],
  pieces: readonly MotionPiece[],
): string[] {
  return rests.flatMap(({ time, scene }) => {
    const { torque } = scene;
    if (torque === undefined) return [];
    const ranges = restingRanges(robot, certifiedBodies(robot, scene), scene, pieces, time);
    return robot.variables.flatMap(({ name, effort }, k) => {
      const most = Math.max(-ranges[k].lower, ranges[k].upper);
      if (most <= torque.scale * effort * (1 + ROUNDING)) return [];
      return [`torques of "${name}" at rest: they may be ${most} at t = ${time}`];
    });
  });
}

/**
 * Returns the first jump of a velocity in [from, to], which no finite torque executes: between two pieces, or where the
 * motion begins or ends, since the robot rests before and after it.
 */
export function velocityJump(
  { variables }: RobotModel,
  pieces: readonly MotionPiece[],
  from: number,
  to: number,
): string | undefined {
  const velocitiesAt = (piece: MotionPiece | undefined, time: number) =>
    piece && piece.end > piece.start ? jointRates(piece, time, time, time).velocity : undefined;
  for (let k = 0; k <= pieces.length; k++) {
    const [before, after] = [pieces[k - 1], pieces[k]];
    const time = after === undefined ? before.end : after.start;
    if (!(time >= from && time <= to)) continue;
    const [v, w] = [velocitiesAt(before, time), velocitiesAt(after, time)];
    const [terms, others] = [before?.rates, after?.rates];
    for (const [j, { name, limits }] of variables.entries()) {
      const [old, next] = [v?.[j] ?? 0, w?.[j] ?? 0];
      const rounding = RATE_ROUNDING * ((terms?.[j] ?? 0) + (others?.[j] ?? 0));
      if (!(Math.abs(next - old) <= velocityTolerance(limits.velocity, old, next) + rounding))
        return `the velocity of "${name}" jumps from ${old} to ${next} at t = ${time}, which takes an infinite torque`;
    }
  }
  return undefined;
}

/** Returns what is formally wrong with the spans of a joint: a hole, or bounds beyond the limit. */
function spanProblem(spans: CertificateTorques['spans'], limit: number, from: number, to: number): string | undefined {
  let covered = from;
  for (const [t0, t1, lower, upper] of spans) {
    if (!(t0 >= from && t1 >= t0 && t1 <= to)) return `a span from ${t0} to ${t1}, the motion is from ${from} to ${to}`;
    if (t0 > covered) return `a hole from ${covered} to ${t0}`;
    if (!(lower <= upper)) return `the span from ${t0} to ${t1} is empty: ${lower} to ${upper}`;
    if (!(Math.max(-lower, upper) <= limit * (1 + ROUNDING)))
      return `the span from ${t0} to ${t1} allows ${lower} to ${upper}, the limit is ${limit}`;
    covered = t1;
  }
  return spans.length > 0 && covered >= to ? undefined : `a hole from ${covered} to ${to}`;
}

/** Proves bounds of torques over one motion. */
class TorqueProof {
  private readonly bodies: ReturnType<typeof certifiedBodies>;
  private readonly gravity: readonly [number, number, number];
  private cache = new Map<string, readonly TorqueRange[]>();
  private count = 0;

  constructor(
    private readonly robot: RobotModel,
    scene: CheckedScene,
    private readonly pieces: readonly MotionPiece[],
    private readonly interrupt: Interrupt,
  ) {
    this.bodies = certifiedBodies(robot, scene);
    this.gravity = scene.gravity ?? GRAVITY;
  }

  /** Returns the first span of joint k that is not proved, as text; undefined if all are. */
  firstOpen(k: number, spans: CertificateTorques['spans']): string | undefined {
    for (const [t0, t1, lower, upper] of spans) {
      const slack = ROUNDING * Math.max(Math.abs(lower), Math.abs(upper));
      for (const [i, piece] of this.pieces.entries()) {
        const [first, last] = [Math.max(t0, piece.start), Math.min(t1, piece.end)];
        if (last < first || (last === first && t1 > t0)) continue;
        const time = this.openIn(k, i, first, last, lower - slack, upper + slack);
        if (time !== undefined) return `the span from ${t0} to ${t1} is not proved at t = ${time}`;
      }
    }
    return undefined;
  }

  /** Bisects an interval of a piece; returns a time at which a bound is not proved. */
  private openIn(k: number, i: number, from: number, to: number, lower: number, upper: number): number | undefined {
    const ends = [to];
    for (let begin = from; ends.length > 0; ) {
      const end = ends[ends.length - 1];
      const range = this.ranges(i, begin, end)[k];
      if (range.lower >= lower && range.upper <= upper) {
        begin = ends.pop()!;
        continue;
      }
      const middle = begin + 0.5 * (end - begin);
      const canBeHalved = middle > begin && middle < end && this.count < MAX_INTERVALS;
      const isImpossible = range.lower > upper || range.upper < lower;
      if (isImpossible || !canBeHalved || (this.count % QUERY_EVERY === 0 && this.interrupt())) return middle;
      ends.push(middle);
    }
    return undefined;
  }

  private ranges(i: number, from: number, to: number): readonly TorqueRange[] {
    const key = `${i} ${from} ${to}`;
    let found = this.cache.get(key);
    if (found === undefined) {
      this.count++;
      if (this.cache.size >= CACHE_LIMIT) this.cache = new Map();
      found = torqueRanges(this.robot, this.bodies, this.gravity, this.pieces[i], from, to);
      this.cache.set(key, found);
    }
    return found;
  }
}
