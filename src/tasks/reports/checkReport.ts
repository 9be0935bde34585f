import type { Certificate } from '../../core/certificate/certificate.ts';
import type { CollisionModel } from '../../core/collision/model/collisionModel.ts';
import type { RobotModel } from '../../core/kinematics/robotModel.ts';
import { type Interrupt, never } from '../../core/math/interrupt.ts';
import type { CheckerName } from '../../core/narrowphase/index.ts';
import { Separation } from '../../core/narrowphase/solver.ts';
import { clearanceLabel, isSamePair, type PairClearance } from '../../core/scene/clearances.ts';
import { isForceConstraint } from '../../core/scene/constraints.ts';
import type { Scene } from '../../core/scene/scene.ts';
import type { UncheckedPairs } from '../../core/scene/uncheckedPairs.ts';
import { inJointOrder, type Trajectory } from '../../core/trajectory/trajectory.ts';
import { TrajectoryCurve } from '../../core/trajectory/trajectoryCurve.ts';
import type { CheckResult, LeadInResult } from '../checking/checkResult.ts';
import { constraintMargins } from '../checking/constraintProfile.ts';
import type { ContactInterval } from '../checking/contactInterval.ts';
import { describeFaults } from '../checking/describeFaults.ts';
import { uncheckedPairs } from '../checking/uncheckedCount.ts';
import { checkMotion } from '../checkMotion.ts';
import { always } from '../forces/stopParts.ts';
import { type StoppingReport, stoppingReport } from '../forces/stopping.ts';
import { partsOf, timelineOf, type WorldInterval } from '../timeline.ts';
import { World } from '../world.ts';

/** Result of `check`, as it is printed. */
export interface CheckReport {
  /** True if every limit is kept and every checked pair is proved separated at every instant. */
  readonly valid: boolean;
  /** Number of points. */
  readonly points: number;
  /** Seconds; absent for a path. */
  readonly duration?: number;
  /** Maximum of value / limit, at most 1 if all limits are kept; absent for a path. */
  readonly limit_ratios?: CheckResult['ratios'];
  /** The motion from the start of the scene to the first point, if a controller adds one. */
  readonly lead_in?: LeadInResult;
  /** The first contact, if there is one; otherwise absent. */
  readonly contacts?: readonly ContactInterval[];
  /** Names of the violated constraints and clearances; absent if there are none. */
  readonly constraints?: readonly string[];
  /**
   * Least margin of each constraint and clearance, and of each limit of torque (`torque:JOINT`), in the unit of the
   * limit; absent if the scene has none.
   */
  readonly margins?: Readonly<Record<string, number>>;
  /** If wanted, of a valid motion: its worst stops; null if a stop is not proved for some instant. */
  readonly stopping?: StoppingReport | null;
  /** Faults, one line each. */
  readonly faults: readonly string[];
  /** Pairs of links and objects that are not checked. */
  readonly unchecked: UncheckedPairs;
}

/** A checked motion: its report, and the function that computes its certificate. */
export interface CheckedMotion {
  /** The report. */
  readonly report: CheckReport;
  /** Computes the certificate of a valid motion; undefined if it cannot be certified by planes. */
  readonly certify: () => Certificate | undefined;
  /** Collision model of the scene. */
  readonly model: CollisionModel;
}

/** Options of `checkReport`. */
export interface CheckReportOptions {
  /** Narrow phase. */
  readonly checker: CheckerName;
  /** Prefix of error messages. */
  readonly place: string;
  /** Ends the proof; the motion then is not valid. */
  readonly interrupt?: Interrupt;
  /** The worst stops of a valid motion are wanted. */
  readonly stopping?: boolean;
}

/**
 * Checks a trajectory against a scene, or against its program. Throws `InputError` for joints that are not the robot's.
 */
export function checkReport(
  robot: RobotModel,
  scene: Scene,
  trajectory: Trajectory,
  { checker, place, interrupt = never, stopping = false }: CheckReportOptions,
): CheckedMotion {
  const world = new World(robot, scene, { checker });
  const { result, timeline, certify } = checkMotion(world, trajectory, place, interrupt);
  const faults = describeFaults(result);
  const { valid, duration, ratios, leadIn, collision } = result;
  const timed = duration === undefined ? {} : { duration, limit_ratios: ratios };
  const intervals = timeline ? partsOf(timeline) : [always(scene, world)];
  const stoppingOf = () => stoppingReport(robot, scene, trajectory, interrupt, intervals);
  return {
    report: {
      valid,
      points: trajectory.points.length,
      ...timed,
      ...(leadIn && { lead_in: leadIn }),
      ...(collision && { contacts: [collision] }),
      ...limitsReport(world, trajectory, result),
      ...(stopping && valid && { stopping: stoppingOf() ?? null }),
      faults,
      unchecked: uncheckedPairs(robot, scene),
    },
    certify,
    model: world.model,
  };
}

/** rad, m, and per second: margins below 0 by less are rounding errors. */
const MARGIN_TOLERANCE = 1e-9;

/** Returns the margins of constraints and clearances, and the names of those that are violated or not proved. */
function limitsReport(
  world: World,
  trajectory: Trajectory,
  { valid, faults, margins: ofTorques }: CheckResult,
): Pick<CheckReport, 'constraints' | 'margins'> {
  const { constraints = [], clearances = [] } = world.scene;
  if (constraints.length + clearances.length === 0 || faults.some(({ kind }) => kind === 'time'))
    return ofTorques === undefined ? {} : { margins: ofTorques };
  const margins = leastMargins(world, trajectory);
  const stated = faults.flatMap((fault) => (fault.kind === 'constraint' ? [fault.label] : []));
  const broken = Object.keys(margins).filter((label) => margins[label] < -MARGIN_TOLERANCE);
  const violated = valid ? [] : [...new Set([...stated, ...broken])];
  const bounded = Object.fromEntries(Object.entries(margins).filter(([, margin]) => margin > Number.NEGATIVE_INFINITY));
  return { ...(violated.length > 0 && { constraints: violated }), margins: { ...bounded, ...ofTorques } };
}

/** Instants per second at which margins are evaluated first, and the least and the greatest number of them. */
const RATE = 500;
const [MIN_SAMPLES, MAX_SAMPLES] = [200, 500_000];
/** Number of the smallest minima that are refined, and steps of each search. */
const REFINED = 4;
const STEPS = 40;
const GOLDEN = 0.381966011250105;

/**
 * Returns the least margin of each constraint and of each clearance along a trajectory, in the unit of the limit:
 * negative if it is violated. Those of momentum and power are lower bounds; others are found by sampling and by
 * refining the smallest minima. The proofs of limits do not depend on them.
 */
function leastMargins(world: World, given: Trajectory): Record<string, number> {
  const { robot, scene } = world;
  const out: Record<string, number> = {};
  const add = (label: string, least: number) => {
    if (least < (Object.hasOwn(out, label) ? out[label] : Number.POSITIVE_INFINITY)) out[label] = least;
  };
  const { clearances = [], constraints = [], steps = [] } = scene;
  const trajectory = inJointOrder(
    given,
    robot.variables.map(({ name }) => name),
  );
  const curve = new TrajectoryCurve(trajectory);
  const limits = [...constraints, ...steps.flatMap((step) => ('constraints' in step ? step.constraints : []))];
  const hasTimeline = clearances.length > 0 || limits.some(isForceConstraint);
  const timeline = hasTimeline ? timelineOf(world, trajectory, curve) : [];
  for (const { label, margin, least, from, to } of constraintMargins(robot, scene, given, partsOf(timeline)))
    add(label, least?.() ?? leastOf(margin, from, to));
  for (const interval of timeline)
    for (const clearance of clearances) {
      const margin = clearanceMargin(interval, curve, clearance);
      if (margin) add(clearanceLabel(clearance), leastOf(margin, interval.from, interval.to));
    }
  return out;
}

/** Returns the margin of a clearance as a function of time; undefined if the pair does not exist in an interval. */
function clearanceMargin({ world }: WorldInterval, curve: TrajectoryCurve, clearance: PairClearance) {
  const { manager, model } = world;
  const pairs = Array.from({ length: model.pairCount }, (_, pair) => pair).filter((pair) => {
    const [a, b] = model.namesOf(pair);
    return model.isEnlarged(pair) && isSamePair({ a, b }, clearance);
  });
  if (pairs.length === 0) return undefined;
  const found = new Separation();
  const q = new Float64Array(curve.dof);
  return (time: number) => {
    curve.position(q, Math.min(curve.end, Math.max(curve.start, time)));
    manager.posed.pose(world.stateAt(q, time));
    return Math.min(...pairs.map((pair) => manager.pairSeparation(found, pair))) - model.scene.padding;
  };
}

/** Returns the least value of a function that is found in an interval. */
function leastOf(valueAt: (time: number) => number, from: number, to: number): number {
  if (!(to > from)) return valueAt(from);
  const count = Math.min(MAX_SAMPLES, Math.max(MIN_SAMPLES, Math.ceil((to - from) * RATE)));
  const at = (i: number) => from + ((to - from) * i) / count;
  const values = Float64Array.from({ length: count + 1 }, (_, i) => valueAt(at(i)));
  const minima = Array.from(values.keys())
    .filter((i) => !(values[i] > values[i - 1]) && !(values[i] > values[i + 1]))
    .sort((i, k) => values[i] - values[k]);
  let least = values.reduce((a, b) => Math.min(a, b));
  for (const i of minima.slice(0, REFINED)) {
    let [low, high] = [at(Math.max(0, i - 1)), at(Math.min(count, i + 1))];
    for (let n = 0; n < STEPS; n++) {
      const [a, b] = [low + GOLDEN * (high - low), high - GOLDEN * (high - low)];
      const [atA, atB] = [valueAt(a), valueAt(b)];
      least = Math.min(least, atA, atB);
      if (atA < atB) high = b;
      else low = a;
    }
  }
  return least;
}
