import { earliestDeparture, type Leg } from '../../core/planning/spaceTime/shortenSchedule.ts';
import type { SpaceTimeProblem, Visit } from '../../core/planning/spaceTime/spaceTime.ts';
import { durationOf, type Trajectory, type TrajectoryPoint } from '../../core/trajectory/trajectory.ts';
import { blendRules, type TimingContext, timedBy } from '../timing/blendRules.ts';
import { delayed, type TimedEdges } from './timedEdges.ts';

/** A motion between two waypoints of a schedule, where the robot rests. */
export interface TimedLeg {
  readonly from: Visit;
  readonly to: Visit;
  /** The motion, from time 0 on; it departs when the robot leaves `from`. */
  readonly trajectory: Trajectory;
  /** Number of blended corners. */
  readonly blends: number;
}

/** Seconds: corners at waypoints with a shorter wait are blended, and the wait is dropped. */
const SHORT_WAIT = 0.02;
/** Seconds: a blended motion that is not faster by this is not used. */
const MIN_GAIN = 1e-3;

/**
 * Converts a schedule to motions whose corners are blended where that is proved valid: of the whole schedule, or of the
 * parts between waits. Returns the motions in the order of time.
 */
export function blendedLegs(
  problem: SpaceTimeProblem,
  edges: TimedEdges,
  visits: readonly Visit[],
  timing: TimingContext,
  goalFrom: number,
): readonly TimedLeg[] {
  const straight = visits.slice(1).map((to, k): TimedLeg => {
    const from = visits[k];
    return { from, to, trajectory: edges.move(from.q, to.q)!, blends: 0 };
  });
  const blended = (run: readonly Visit[]) => blendedLeg(problem, edges, run, timing, goalFrom);
  const whole = blended(visits);
  if (whole) return [whole];
  const legs: TimedLeg[] = [];
  for (let k = 0; k < straight.length; ) {
    let end = k + 1;
    while (end < straight.length && visits[end].departure - visits[end].arrival < SHORT_WAIT) end++;
    const leg = blended(visits.slice(k, end + 1));
    legs.push(...(leg ? [leg] : straight.slice(k, end)));
    k = end;
  }
  return advancedLegs(problem, edges, legs, goalFrom);
}

/**
 * Returns one blended motion through all waypoints that arrives earlier than the schedule; undefined if none is valid.
 */
function blendedLeg(
  problem: SpaceTimeProblem,
  edges: TimedEdges,
  run: readonly Visit[],
  timing: TimingContext,
  goalFrom: number,
): TimedLeg | undefined {
  if (run.length < 3) return undefined;
  const [from, to] = [run[0], run[run.length - 1]];
  const motion = timedBy(
    blendRules.blend,
    run.map(({ q }) => q),
    timing,
  );
  if (motion === undefined) return undefined;
  const { trajectory, blends } = motion;
  const leg = legOf(edges, trajectory);
  const latest = to.arrival - leg.duration - MIN_GAIN;
  const departure = earliestDeparture(problem, leg, from, to, latest, isLast(to) ? goalFrom : 0);
  if (departure === undefined) return undefined;
  return { from: { ...from, departure }, to: { ...to, arrival: departure + leg.duration }, trajectory, blends };
}

/** Moves departures to earlier times where the motions before them have become faster. */
function advancedLegs(
  problem: SpaceTimeProblem,
  edges: TimedEdges,
  given: readonly TimedLeg[],
  goalFrom: number,
): readonly TimedLeg[] {
  const legs = [...given];
  for (const [k, { from, to, trajectory, blends }] of legs.entries()) {
    const arrival = k === 0 ? 0 : legs[k - 1].to.arrival;
    const begin = { ...from, arrival };
    const leg = legOf(edges, trajectory);
    const found = earliestDeparture(problem, leg, begin, to, from.departure, isLast(to) ? goalFrom : 0);
    const departure = Math.min(found ?? from.departure, from.departure);
    if (k > 0) legs[k - 1] = { ...legs[k - 1], to: { ...legs[k - 1].to, departure } };
    legs[k] = { from: { ...begin, departure }, to: { ...to, arrival: departure + leg.duration }, trajectory, blends };
  }
  return legs;
}

const isLast = ({ departure }: Visit) => departure === Number.POSITIVE_INFINITY;

const legOf = (edges: TimedEdges, trajectory: Trajectory): Leg => ({
  duration: durationOf(trajectory)!,
  isValidAt: (departure) => edges.isTrajectoryValid(delayed(trajectory, departure)),
});

/** Joins the motions and the waits between them to one trajectory from time 0. */
export function joinedLegs(legs: readonly TimedLeg[], jointNames: readonly string[]): Trajectory {
  const first = legs[0].trajectory.points[0];
  const points: TrajectoryPoint[] = [{ ...first, time_from_start: 0 }];
  for (const { trajectory, from } of legs) {
    for (const point of delayed(trajectory, from.departure).points) {
      if (point.time_from_start! > points[points.length - 1].time_from_start!) points.push(point);
      else points[points.length - 1] = point;
    }
  }
  return { jointNames, points };
}
