import type { Certificate } from '../../core/certificate/certificate.ts';
import type { CollisionModel } from '../../core/collision/model/collisionModel.ts';
import type { RobotModel } from '../../core/kinematics/robotModel.ts';
import { type Interrupt, never } from '../../core/math/interrupt.ts';
import type { CheckerName } from '../../core/narrowphase/index.ts';
import type { Scene } from '../../core/scene/scene.ts';
import type { UncheckedPairs } from '../../core/scene/uncheckedPairs.ts';
import type { Trajectory } from '../../core/trajectory/trajectory.ts';
import type { CheckResult, LeadInResult } from '../checking/checkResult.ts';
import type { ContactInterval } from '../checking/contactInterval.ts';
import { describeFaults } from '../checking/describeFaults.ts';
import { uncheckedPairs } from '../checking/uncheckedCount.ts';
import { checkMotion } from '../checkMotion.ts';
import { type StoppingReport, stoppingReport } from '../forces/stopping.ts';
import { World } from '../world.ts';
import { leastMargins } from './leastMargins.ts';

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
  const { result, certify } = checkMotion(world, trajectory, place, interrupt);
  const faults = describeFaults(result);
  const { valid, duration, ratios, leadIn, collision } = result;
  const timed = duration === undefined ? {} : { duration, limit_ratios: ratios };
  return {
    report: {
      valid,
      points: trajectory.points.length,
      ...timed,
      ...(leadIn && { lead_in: leadIn }),
      ...(collision && { contacts: [collision] }),
      ...limitsReport(world, trajectory, result),
      ...(stopping && valid && { stopping: stoppingReport(robot, scene, trajectory, interrupt) ?? null }),
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
  return { ...(violated.length > 0 && { constraints: violated }), margins: { ...margins, ...ofTorques } };
}
