import { pow } from '../../math/trigonometry.ts';
import { wholeNanoseconds, withRoundedTimes } from '../../trajectory/roundedTimes.ts';
import type { MotionLimits, TrajectoryPoint } from '../../trajectory/trajectory.ts';
import { TrajectoryCurve } from '../../trajectory/trajectoryCurve.ts';
import { insertedKnot } from '../followLeg.ts';
import type { FrameSpeed } from '../frameSpeed.ts';
import type { LegKnot } from '../legKnot.ts';
import type { PathTolerance } from '../pathTolerance.ts';
import { hasLimit } from '../planLeg.ts';
import { smoothPieces } from '../splines/smoothPieces.ts';
import { type PieceRules, timePieces } from '../timeLeg.ts';
import type { ToolTracker } from '../toolTracker.ts';
import { divided, fewPoints, PARTS } from './fewPoints.ts';
import type { IdealPath } from './idealPath.ts';
import { type SlowWays, slowWays } from './slowWays.ts';
import type { FollowedSection, PathTool } from './toolPath.ts';

/** Shares of the limit of the speed of the tool that are tried in rounds: cubics deviate from the ideal motion. */
const SPEED_SHARES = [0.998, 0.995, 0.99, 0.98, 0.96, 0.93, 0.9, 0.85, 0.8];
/** Rounds in which knots are inserted where the motion deviates. */
const MAX_ROUNDS = 12;
/** Limit of the faults that one round corrects. */
const MAX_FAULTS = 10_000;
/** Share of the tolerance by which the cubics between the points of a motion may deviate from the timed joint path,
 * halved in each round in which it deviates. */
const POINT_SHARE = 0.1;
/**
 * Share of the tolerance by which the spline of a motion with jerk limits may deviate from the joint path, and the
 * factor of it in each round in which the motion deviates.
 */
const NEAR = 0.4;
const LESS = 0.75;
/** Seconds between the points of a motion with jerk limits, halved if it deviates at a place in several rounds. */
const INTERVAL = 8e-3;

/** Requirements on the motion along a tool path. */
export interface PathRules {
  readonly limits: MotionLimits;
  readonly tolerance: PathTolerance;
  /** Limit of the speed of the tool in the world, m/s; Infinity: none. */
  readonly tcpSpeed: number;
}

/** Kinematics that a tool path is timed with. */
export interface TimingTools {
  readonly tool: PathTool;
  /** Tool in the world. */
  readonly world: { readonly tracker: ToolTracker; readonly speed: FrameSpeed };
  readonly interrupt: () => boolean;
}

type Points = Required<Pick<TrajectoryPoint, 'time_from_start' | 'positions' | 'velocities'>>[];

/** A section, and the number of halvings of the interval between points in each piece between two knots. */
interface DividedSection extends FollowedSection {
  readonly halvings: Uint8Array;
}

interface TimedSection extends DividedSection {
  /** Time at which each knot is reached, from the start of the path. */
  readonly times: readonly number[];
}

/**
 * Computes the motion along a tool path, at rest at both ends and where it reverses, and proves that it follows the
 * path within its limits; knots are inserted where it deviates. Returns the points from the first one on, and where the
 * tool is slower than its limits; or the way point before the part for which no motion is proved.
 */
export function timedPath(
  { tool, world, interrupt }: TimingTools,
  ideal: IdealPath,
  given: readonly FollowedSection[],
  rules: PathRules,
): { readonly points: Points; readonly slow: readonly SlowWays[] } | { readonly reached: number } {
  let sections = given.map((one): DividedSection => ({ ...one, halvings: new Uint8Array(one.knots.length - 1) }));
  let failed = 0;
  const jointNames = world.tracker.model.variables.map(({ name }) => name);
  for (let slower = 0, finer = 0; slower + finer < MAX_ROUNDS && slower < SPEED_SHARES.length; ) {
    const share = SPEED_SHARES[slower];
    const made = joined(sections, (section) => timedSection(tool, world.tracker, section, rules, share, finer));
    const trajectory =
      made && withRoundedTimes({ jointNames, points: made.points, interpolation: 'cubic' }, rules.limits);
    if (!made || !trajectory || interrupt()) return { reached: failed };
    const curve = new TrajectoryCurve(trajectory);
    const span = [curve.start, curve.end] as const;
    const { faults, times } = tool.prover.prove(curve, ideal, span, rules.tolerance, MAX_FAULTS);
    if (faults.length > 0) failed = Math.max(0, ideal.legs[faults[0].leg].point - 1);
    const tooFast = faults.length === 0 && isTooFast(tool, world.speed, curve, ideal, times, rules.tcpSpeed);
    if (faults.length === 0 && !tooFast) {
      const worldShare = (q: Float64Array, velocity: Float64Array) =>
        rules.tcpSpeed < Number.POSITIVE_INFINITY ? world.speed.at(q, velocity) / rules.tcpSpeed : 0;
      const slow = slowWays(tool, curve, ideal, times, { limits: rules.limits, worldShare });
      return { points: trajectory.points as Points, slow };
    }
    if (tooFast) {
      slower++;
      continue;
    }
    finer++;
    const refined = refinedAt(
      tool,
      made.sections,
      faults.map(({ verdict }) => verdict.time),
    );
    if (!refined) return { reached: failed };
    sections = refined;
  }
  return { reached: failed };
}

/** Returns true if the tool is faster than its limit in the world, or than that of a leg in the frame of the path. */
function isTooFast(
  tool: PathTool,
  world: FrameSpeed,
  curve: TrajectoryCurve,
  { legs }: IdealPath,
  times: Float64Array,
  tcpSpeed: number,
): boolean {
  if (tcpSpeed < Number.POSITIVE_INFINITY && world.excess(curve, tcpSpeed)) return true;
  return (
    speedExcess(
      tool.speed,
      curve,
      legs.map(({ speed }) => speed),
      times,
    ) !== undefined
  );
}

/** Returns the first speed above the limit of its leg; undefined if there is none. */
export function speedExcess(speed: FrameSpeed, curve: TrajectoryCurve, limits: readonly number[], times: Float64Array) {
  for (let k = 0; k < limits.length; ) {
    const limit = limits[k];
    let end = k + 1;
    while (end < limits.length && limits[end] === limit) end++;
    const worst =
      limit < Number.POSITIVE_INFINITY && times[end] > times[k]
        ? speed.excess(curve, limit, times[k], times[end])
        : undefined;
    if (worst) return { ...worst, limit };
    k = end;
  }
  return undefined;
}

/** Joins the motions of sections, each from rest to rest; undefined if one is not found. */
function joined(
  sections: readonly DividedSection[],
  timed: (section: DividedSection) => { points: Points; times: readonly number[] } | undefined,
): { points: Points; sections: TimedSection[] } | undefined {
  const points: Points = [];
  const all: TimedSection[] = [];
  let start = 0;
  for (const one of sections) {
    const made = timed(one);
    if (!made) return undefined;
    all.push({ ...one, times: made.times.map((time) => start + time) });
    for (const point of made.points.slice(points.length > 0 ? 1 : 0))
      points.push({ ...point, time_from_start: wholeNanoseconds(start + point.time_from_start) });
    start = points[points.length - 1].time_from_start;
  }
  return { points, sections: all };
}

function timedSection(
  { tracker, own: chain }: PathTool,
  world: ToolTracker,
  { section, knots, halvings }: DividedSection,
  { limits, tolerance, tcpSpeed }: PathRules,
  share: number,
  finer: number,
): { points: Points; times: readonly number[] } | undefined {
  const { dof } = world.model;
  const isSmooth = hasLimit(limits.jerk);
  const grid = isSmooth ? knots : divided(knots);
  const own = grid.map(({ s, q, dq }): LegKnot => ({ s, q: q.slice(0, dof), dq: dq.slice(0, dof) }));
  const inFrame = grid.map(({ q, dq }) => toolSpeed(tracker, q, dq));
  const inWorld = tcpSpeed < Number.POSITIVE_INFINITY ? own.map(({ q, dq }) => toolSpeed(world, q, dq)) : [];
  let mark = 0;
  const rules = own.slice(1).map((knot, k): PieceRules & { tcpSpeed: number } => {
    while (section.marks[mark + 1] < knot.s) mark++;
    const least = Math.min(section.speeds[mark], section.speeds[Math.max(0, mark - 1)] ?? Number.POSITIVE_INFINITY);
    const speed = own[k].s === section.marks[mark] ? least : section.speeds[mark];
    const ratio = (limit: number, fastest: number) =>
      fastest > 0 ? (share * limit) / fastest : Number.POSITIVE_INFINITY;
    const pathSpeed = Math.min(
      ratio(speed, Math.max(inFrame[k], inFrame[k + 1])),
      inWorld.length > 0 ? ratio(tcpSpeed, Math.max(inWorld[k], inWorld[k + 1])) : Number.POSITIVE_INFINITY,
    );
    return { speed: 1, acceleration: 1, pathSpeed, tcpSpeed: share * Math.min(speed, tcpSpeed) };
  });
  if (isSmooth) {
    const part = NEAR * pow(LESS, finer);
    const near = { position: part * tolerance.position, angle: part * tolerance.angle };
    const made = smoothPieces(chain, own, limits, rules, { interval: INTERVAL, near, halvings });
    return made && { points: made.points as Points, times: Array.from(made.times) };
  }
  const points = timePieces(own, limits, rules).map(({ point }) => point);
  const isLimited = rules.some((rule) => rule.tcpSpeed < Number.POSITIVE_INFINITY);
  const part = POINT_SHARE / 2 ** finer;
  const near = { position: part * tolerance.position, angle: part * tolerance.angle };
  return {
    points: fewPoints(chain, own, points, limits, near, isLimited).map((k) => points[k]),
    times: knots.map((_, k) => points[k * PARTS].time_from_start),
  };
}

function toolSpeed(tracker: ToolTracker, q: Float64Array, dq: Float64Array): number {
  const twist = new Float64Array(6);
  tracker.twist(twist, q, dq);
  return Math.sqrt(twist[0] * twist[0] + twist[1] * twist[1] + twist[2] * twist[2]);
}

/** Inserts knots in the middle of the pieces at given times, in increasing order; undefined if one is not found. */
function refinedAt(
  { tracker }: PathTool,
  sections: readonly TimedSection[],
  times: readonly number[],
): DividedSection[] | undefined {
  let next = 0;
  const out: DividedSection[] = [];
  for (const { section, knots, halvings, times: reached } of sections) {
    const refined: LegKnot[] = [knots[0]];
    const halved: number[] = [];
    for (let k = 0; k + 1 < knots.length; k++) {
      let isHit = false;
      while (next < times.length && times[next] <= reached[k + 1]) {
        isHit = true;
        next++;
      }
      if (isHit) {
        const s = 0.5 * (knots[k].s + knots[k + 1].s);
        const middle = insertedKnot(tracker, section.leg, knots[k], knots[k + 1], s);
        if (!middle) return undefined;
        refined.push(middle);
        halved.push(halvings[k] + 1);
      }
      refined.push(knots[k + 1]);
      halved.push(halvings[k] + (isHit ? 1 : 0));
    }
    out.push({ section, knots: refined, halvings: Uint8Array.from(halved) });
  }
  return out;
}
