import type { RobotModel } from '../../kinematics/robotModel.ts';
import { ELBOW, elbowOf, type ToolCenterPoint } from '../../kinematics/toolCenterPoint.ts';
import { firstIndex } from '../../math/firstIndex.ts';
import { type Interrupt, never } from '../../math/interrupt.ts';
import { isStopConstraint, requireValidConstraint } from '../../scene/constraints.ts';
import type { CheckedScene } from '../../scene/scene.ts';
import { accelerationTolerance } from '../../trajectory/velocityJumps.ts';
import type { CertificateStop } from '../certificate.ts';
import { momentOf } from '../constraints/fixedVector.ts';
import { provedConstraint } from '../constraints/index.ts';
import { LinkPoseCache } from '../linkPoses.ts';
import { jointRates, type MotionPiece, pieceAt } from '../motionPieces.ts';
import { jointsOf } from './bodyMotion.ts';
import { type BrakingPart, brakingJoints, partAfter } from './brakingMotion.ts';
import { certifiedBodies } from './certifiedBodies.ts';
import { evenStop, type StatedStop, smoothStop } from './stopForms.ts';
import type { StopPairProof } from './stopPairs.ts';
import { driveTorques, type TorqueRange } from './torqueBounds.ts';
import { GRAVITY, restingRanges, velocityJump } from './verifyTorques.ts';

/** Relative: accelerations, jerks, times and distances may exceed their limits by this, torques by less. */
const TOLERANCE = 2e-6;
const TORQUE_TOLERANCE = 1e-9;
/** Maximum number of bisections of a part of a stop. */
const MAX_DEPTH = 14;
/** Seconds: length of the intervals over which the speed of a frame is bounded; longer if there are `MAX_CELLS`. */
const CELL = 1e-3;
const MAX_CELLS = 200_000;
/** Seconds: a stop that ends this near to a rest of the motion ends there. */
const NEAR = 1e-8;
/** Number of parts of stops between two calls of the interrupt. */
const QUERY_EVERY = 200;

/** An interval of a motion in which the loads of the robot do not change. */
export interface StopInterval {
  /** Seconds. */
  readonly from: number;
  /** Seconds, at most the end of the motion. */
  readonly to: number;
  /** Returns the scale of the limits of acceleration in a piece of the motion; undefined: 1. */
  readonly scaleOf?: ((piece: MotionPiece) => number) | undefined;
}

/**
 * Returns the problems of the stops that a certificate states for an interval of a motion: together they must begin
 * often enough that each instant at which the robot moves is followed by one within the limits of the scene, and each
 * must end in the interval and keep the limits of acceleration and torque at every instant. If the scene does not limit
 * stops, the certificate must state none. Throws `InputError` for invalid limits.
 * @param scene during the interval
 * @param pieces motion of the planned robot, from time 0 on
 * @param isTimed false for paths, which have no stops
 * @param contacts proves the planes that the certificate states for the stops
 */
export function stopProblems(
  claims: readonly CertificateStop[] | undefined,
  robot: RobotModel,
  scene: CheckedScene,
  pieces: readonly MotionPiece[],
  interval: StopInterval,
  isTimed: boolean,
  interrupt: Interrupt = never,
  contacts?: StopPairProof,
): string[] {
  const limits = (scene.constraints ?? []).filter(isStopConstraint);
  for (const limit of limits) requireValidConstraint(limit);
  if (limits.length === 0 || !isTimed) return claims ? ['it states stops, which the scene does not limit'] : [];
  if (claims === undefined) return ['it states no stops, which the scene limits'];
  const { from, to } = interval;
  const jump = velocityJump(robot, pieces, from, to) ?? accelerationJump(robot, pieces, from, to);
  if (jump !== undefined) return [jump];
  const mostOf = (wanted: string) =>
    Math.min(...limits.map(({ type, most }) => (type === wanted ? most : Number.POSITIVE_INFINITY)));
  const [time, distance] = [mostOf('stopping_time'), mostOf('stopping_distance')].map((x) => x * (1 + TOLERANCE));
  const proof = new StopProof(robot, scene, pieces, interval, interrupt);
  const frames = elbowOf(robot.description) ? [undefined, ELBOW] : [undefined];
  const lengths = distance < Number.POSITIVE_INFINITY ? frames.map((frame) => proof.lengths(frame)) : [];
  let covered = from;
  for (const [k, stop] of claims.entries()) {
    covered = proof.stillUntil(covered);
    const stated = proof.stated(stop, covered);
    const wrong = 'wrong' in stated ? stated.wrong : (proof.open(stated) ?? contacts?.problem(k, stated));
    if ('wrong' in stated || wrong !== undefined) return [`stops[${k}]: ${wrong}`];
    const duration = stated.begin - covered + stated.duration;
    if (!(duration <= time)) return [`stops[${k}]: it takes ${duration} s from t = ${covered}, more than the limit`];
    const far = lengths.map((lengthAt) => lengthAt(stated.end) - lengthAt(covered)).find((x) => !(x <= distance));
    if (far !== undefined) return [`stops[${k}]: its path from t = ${covered} is ${far} m long, more than the limit`];
    covered = stated.begin;
  }
  covered = proof.stillUntil(covered);
  return covered >= to ? [] : [`stops: none begins after t = ${covered}, the motion ends at ${to}`];
}

/**
 * Returns the first jump of the acceleration of a joint with a limit of jerk between two pieces in [from, to], or of
 * its velocity, beyond rounding errors: then the acceleration of a stop jumps.
 */
function accelerationJump(
  { variables }: RobotModel,
  pieces: readonly MotionPiece[],
  from: number,
  to: number,
): string | undefined {
  if (variables.every(({ limits }) => limits.jerk === Number.POSITIVE_INFINITY)) return undefined;
  for (let k = 1; k < pieces.length; k++) {
    const time = pieces[k].start;
    if (!(time >= from && time <= to)) continue;
    const [before, after] = [pieces[k - 1], pieces[k]].map((piece) => jointsOf(piece, time, 0));
    const j = variables.findIndex(({ limits }, i) => {
      if (limits.jerk === Number.POSITIVE_INFINITY) return false;
      const [{ at: old, errors }, { at: next, errors: others }] = [before[i], after[i]];
      const isSteady = Math.abs(next[1] - old[1]) <= errors[0] + others[0];
      return !(isSteady && Math.abs(next[2] - old[2]) <= accelerationTolerance(limits.acceleration, old[2], next[2]));
    });
    if (j >= 0) return `the acceleration of "${variables[j].name}" jumps at t = ${time}, which takes an infinite jerk`;
  }
  return undefined;
}

/** Proves the limits of stops in one interval of a motion. */
class StopProof {
  /** Limits of acceleration, not scaled. */
  private readonly accelerations: readonly number[];
  private readonly torques: readonly number[] | undefined;
  /** True if jerks are limited. */
  private readonly isSmooth: boolean;
  private readonly bodies: ReturnType<typeof certifiedBodies>;
  private count = 0;

  constructor(
    private readonly robot: RobotModel,
    private readonly scene: CheckedScene,
    private readonly pieces: readonly MotionPiece[],
    private readonly interval: StopInterval,
    private readonly interrupt: Interrupt,
  ) {
    const { torque, acceleration = 1 } = scene;
    this.accelerations = robot.variables.map(({ limits, accelerationAssumed }) =>
      torque && accelerationAssumed ? Number.POSITIVE_INFINITY : acceleration * limits.acceleration,
    );
    this.isSmooth = robot.variables.some(({ limits }) => limits.jerk < Number.POSITIVE_INFINITY);
    this.torques = torque && robot.variables.map(({ effort }) => torque.scale * effort);
    this.bodies = torque ? certifiedBodies(robot, scene) : [];
  }

  /** Returns what a stop states for the instants from `covered` on, or the error in its form. */
  stated(stop: CertificateStop, covered: number): StatedStop | { readonly wrong: string } {
    const { pieces, isSmooth } = this;
    return isSmooth ? smoothStop(stop, covered, pieces, (t) => this.restNear(t)) : evenStop(stop, covered, pieces);
  }

  /** Returns why a stop is not proved to keep the limits; undefined if it is proved. */
  open({ begin, end, parts, isOfMotion }: StatedStop): string | undefined {
    const open = parts.find(({ piece, part }) => !this.keeps(piece, part, 0));
    if (open)
      return `limits are not proved from t = ${open.part.from} to ${partAfter(open.part, open.part.duration).from}`;
    const { from, to } = this.interval;
    if (!(begin >= from && end <= to)) return `it is not within ${from} to ${to}: from ${begin}`;
    if (isOfMotion && !this.isRest(end)) return `the motion is not at rest at t = ${end}`;
    return this.isHeld(end) ? undefined : `the torques that hold the arm at t = ${end} are not proved`;
  }

  /** Returns the time until which the robot stands still from a time on, within the interval. */
  stillUntil(time: number): number {
    const { pieces, interval } = this;
    let still = time;
    for (let k = pieceAt(pieces, time); k < pieces.length && still < interval.to; k++) {
      const { start, end } = pieces[k];
      if (!(end > still)) continue;
      if (!(start <= still) || !standsStill(pieces[k])) break;
      still = Math.min(end, interval.to);
    }
    return still;
  }

  private keeps(piece: MotionPiece, part: BrakingPart, depth: number): boolean {
    if (++this.count % QUERY_EVERY === 0 && this.interrupt()) return false;
    const { joints, half } = brakingJoints(piece, part);
    const scale = this.interval.scaleOf?.(piece) ?? 1;
    const isSlow = joints.every(({ at, most, errors }, k) => {
      const acceleration = Math.abs(at[2]) + half * (Math.abs(at[3]) + 0.5 * half * most[4]) + errors[1];
      const error = errors[1] / (piece.end - piece.start);
      const jerk = Math.abs(at[3]) + half * (Math.abs(at[4]) + 0.5 * half * most[5]) + 4 * error;
      const isSmooth = !this.isSmooth || jerk <= this.robot.variables[k].limits.jerk * (1 + TOLERANCE);
      return isSmooth && acceleration <= scale * this.accelerations[k] * (1 + TOLERANCE);
    });
    const { gravity = GRAVITY } = this.scene;
    if (isSlow && this.areTorquesKept(() => driveTorques(this.robot, this.bodies, gravity, joints, half))) return true;
    if (depth >= MAX_DEPTH || !(half > 0)) return false;
    return (
      this.keeps(piece, { ...part, duration: half }, depth + 1) && this.keeps(piece, partAfter(part, half), depth + 1)
    );
  }

  private areTorquesKept(ranges: () => readonly TorqueRange[]): boolean {
    const { torques } = this;
    if (torques === undefined) return true;
    return ranges().every(({ lower, upper }, k) => {
      const limit = torques[k] * (1 + TORQUE_TOLERANCE);
      return upper <= limit && -lower <= limit;
    });
  }

  /** Returns the end of a piece near a time if no joint moves, and none with a limit of jerk accelerates there. */
  private restNear(time: number): number | undefined {
    const near = this.pieces.find(({ end }) => Math.abs(end - time) <= NEAR);
    if (near === undefined) return undefined;
    const { acceleration } = jointRates(near, near.end, near.end, near.end);
    const { rests = [] } = near;
    const isStill = this.robot.variables.every(({ limits }, k) => {
      const most = accelerationTolerance(limits.acceleration, acceleration[k], 0);
      return rests[k]?.[1] > 0 && (limits.jerk === Number.POSITIVE_INFINITY || acceleration[k] <= most);
    });
    return isStill ? near.end : undefined;
  }

  /** Returns true if no joint moves at the start of the piece after a time, or at the end of the motion. */
  private isRest(time: number): boolean {
    const piece = this.pieces.find(({ start, end }) => start <= time && time < end);
    return piece === undefined || jointRates(piece, time, time, time).velocity.every((v) => v === 0);
  }

  private isHeld(time: number): boolean {
    const { pieces, robot, bodies, scene } = this;
    return this.areTorquesKept(() => restingRanges(robot, bodies, scene, pieces, time));
  }

  /** Returns the function that bounds the length of the path of a frame, by default of the TCP, between times. */
  lengths(frame: ToolCenterPoint | undefined): (time: number) => number {
    const { robot, scene, interval } = this;
    const pieces = this.pieces.filter(({ start, end }) => start < interval.to && end > interval.from);
    if (pieces.length === 0) return () => 0; // an instant
    const speed = provedConstraint({ type: 'speed', most: 0, ...(frame && { frame }) }, robot, scene);
    const cache = new LinkPoseCache(robot);
    const last = pieces[pieces.length - 1].end;
    const cell = Math.max(CELL, (last - pieces[0].start) / MAX_CELLS);
    const [times, sums] = [[pieces[0].start], [0]];
    for (const piece of pieces) {
      const count = Math.max(1, Math.ceil((piece.end - piece.start) / cell));
      for (let i = 1; i <= count; i++) {
        const from = times[times.length - 1];
        const to = i === count ? piece.end : piece.start + (i / count) * (piece.end - piece.start);
        if (!(to > from)) continue;
        const { upperBound } = speed.excess(momentOf(cache.at(piece, from, from + 0.5 * (to - from), to), from, to));
        times.push(to);
        sums.push(sums[sums.length - 1] + (to - from) * upperBound);
      }
    }
    return (time) => {
      const i = firstIndex(times.length - 1, (k) => times[k] >= time);
      if (i === 0) return sums[0];
      const share = (time - times[i - 1]) / (times[i] - times[i - 1]);
      return sums[i - 1] + share * (sums[i] - sums[i - 1]);
    };
  }
}

/** Returns true if no joint moves in a piece. */
const standsStill = ({ rates }: MotionPiece) => rates.every((rate) => rate === 0);
