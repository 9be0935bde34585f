import { PosedParts } from '../../core/collision/model/posedParts.ts';
import type { RobotJointSpace } from '../../core/collision/validators/robotJointSpace.ts';
import { ConstraintSet } from '../../core/constraints/constraintSet.ts';
import type { Configuration } from '../../core/math/configuration.ts';
import { Random } from '../../core/math/random.ts';
import { metricOf, withinHalfTurn } from '../../core/planning/metric.ts';
import { earliestDeparture, type Leg, shortenSchedule } from '../../core/planning/spaceTime/shortenSchedule.ts';
import type { SpaceTimeProblem, TimedGoal, Visit } from '../../core/planning/spaceTime/spaceTime.ts';
import { stRrtConnect } from '../../core/planning/spaceTime/stRrtConnect.ts';
import { durationOf, type Trajectory, type TrajectoryPoint } from '../../core/trajectory/trajectory.ts';
import { StopLimits } from '../forces/stopLimits.ts';
import { constrainSpace } from '../planning/constrained/constrainedPlanning.ts';
import { planningSpace } from '../planning/planningSpace.ts';
import type { PlanHooks, PlanOptions } from '../planning/planOptions.ts';
import type { PhaseWatch } from '../planning/planStats.ts';
import { PlanningBudget, type TimeLimit } from '../planning/stopwatch.ts';
import { blendRules, type TimingContext, timedBy } from '../timing/blendRules.ts';
import { timingContext } from '../timing/timingContext.ts';
import type { World } from '../world.ts';
import { delayed, TICK, TimedEdges } from './timedEdges.ts';

/** Number of searches for an earlier arrival, and the iteration limit of each. */
const IMPROVEMENTS = 4;
const IMPROVEMENT_ITERATIONS = 60;
/** Fraction of the best arrival time by which an improvement must arrive earlier. */
const GAIN = 0.05;

/** Inputs of `SpaceTimePlanner`. */
export interface SpaceTimeSetting {
  readonly world: World;
  readonly options: PlanOptions;
  readonly hooks: PlanHooks;
  readonly watch: PhaseWatch;
  readonly limit: TimeLimit;
}

/** Searches for motions and waits in joints and time, from time 0 of a scene on, each proved valid. */
export class SpaceTimePlanner {
  readonly world: World;
  readonly edges: TimedEdges;
  readonly space: RobotJointSpace;
  readonly timing: TimingContext;
  /** Sums over all searches. */
  iterations = 0;
  nodes = 0;

  constructor(private readonly setting: SpaceTimeSetting) {
    const { world, options, limit } = setting;
    const { robot, scene } = world;
    this.world = world;
    const { isImprovementOver, isOver } = limit;
    this.space = planningSpace(robot, { ...scene.weights, ...options.weights });
    const constraints = ConstraintSet.ofScene(robot, scene);
    if (constraints) constrainSpace(this.space, constraints);
    const posed = new PosedParts(world.still.model);
    this.timing = timingContext(robot, posed, isImprovementOver, isOver, undefined, constraints);
    const stops = StopLimits.of(robot, world.tree.scene, isOver, world);
    this.edges = new TimedEdges(new PosedParts(world.model), world.tree, this.timing, constraints, stops, isOver);
  }

  /** Returns the search problem between a start at time 0 and goals. */
  problemOf(start: Configuration, goals: readonly TimedGoal[]): SpaceTimeProblem {
    const { space, edges, world } = this;
    const { halfTurns } = metricOf(space);
    return {
      space,
      start,
      goals,
      end: world.tree.end,
      tick: TICK,
      towards(out, from, to) {
        for (let j = 0; j < to.length; j++) {
          const isContinuous = halfTurns[j] < Number.POSITIVE_INFINITY;
          out[j] = isContinuous ? from[j] + withinHalfTurn(to[j] - from[j], halfTurns[j]) : to[j];
        }
      },
      leastDuration: (from, to) => edges.leastDuration(from, to),
      duration: (from, to) => edges.duration(from, to),
      isHoldValid: (q, from, to) => edges.isHoldValid(q, from, to),
      isMoveValid: (from, to, departure) => edges.isMoveValid(from, to, departure),
    };
  }

  /**
   * Searches for a schedule; undefined if the budget is spent.
   * @param stream of random numbers; 0 for the first search, the others are improvements
   * @param horizon latest arrival; default: none
   */
  search(problem: SpaceTimeProblem, stream: number, iterations: number, horizon?: number) {
    const { hooks, options, limit, watch } = this.setting;
    watch.start('planning');
    const budget = new PlanningBudget(iterations, stream === 0 ? limit.isOver : limit.isImprovementOver, hooks);
    const found = stRrtConnect(problem, new Random(options.seed, stream), budget, horizon);
    this.iterations += found.iterations;
    this.nodes += found.nodes;
    return found.visits;
  }

  /** Shortens a schedule, and searches for others that arrive earlier. */
  improved(problem: SpaceTimeProblem, first: readonly Visit[]): readonly Visit[] {
    const { options, limit, watch } = this.setting;
    const shortened = (visits: readonly Visit[], stream: number) => {
      watch.start('shortcut');
      const random = new Random(options.seed, stream);
      return shortenSchedule(problem, visits, this.goalFrom(problem, visits), random, limit.isImprovementOver);
    };
    let best = shortened(first, 1);
    for (let k = 1; k <= IMPROVEMENTS && !limit.isImprovementOver(); k++) {
      const horizon = (1 - GAIN) * arrivalOf(best);
      const found = this.search(problem, 2 * k, IMPROVEMENT_ITERATIONS, horizon);
      if (found === undefined) continue;
      const short = shortened(found, 2 * k + 1);
      if (arrivalOf(short) < arrivalOf(best)) best = short;
    }
    return best;
  }

  /** Returns the time from which on the goal of a schedule stays valid. */
  private goalFrom({ goals }: SpaceTimeProblem, visits: readonly Visit[]): number {
    const { q } = visits[visits.length - 1];
    const distances = goals.map((goal) => this.space.distance(this.space.wrap(goal.q), this.space.wrap(q)));
    return goals[distances.indexOf(Math.min(...distances))].from;
  }

  /**
   * Yields the motions of a schedule with blended corners, if the options specify them, then with stops; none if the
   * time limit ends before all are within the limits of speed, momentum and power.
   */
  *timed(problem: SpaceTimeProblem, visits: readonly Visit[]): Generator<readonly TimedLeg[]> {
    const { edges } = this;
    const { options, watch } = this.setting;
    const straight = visits.slice(1).flatMap((to, k): TimedLeg[] => {
      const trajectory = edges.move(visits[k].q, to.q);
      return trajectory ? [{ from: visits[k], to, trajectory, blends: 0 }] : [];
    });
    if (straight.length < visits.length - 1) return;
    if (options.corners === 'blend' && visits.length > 1) {
      watch.start('timing');
      yield blendedLegs(problem, edges, straight, this.timing, this.goalFrom(problem, visits));
    }
    yield straight;
  }
}

/** Returns the arrival of a schedule. */
const arrivalOf = (visits: readonly Visit[]) => visits[visits.length - 1].arrival;

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
function blendedLegs(
  problem: SpaceTimeProblem,
  edges: TimedEdges,
  straight: readonly TimedLeg[],
  timing: TimingContext,
  goalFrom: number,
): readonly TimedLeg[] {
  const visits = [straight[0].from, ...straight.map(({ to }) => to)];
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
