import type { CertificatePair, CertificateSegment, CertificateStop } from '../../core/certificate/certificate.ts';
import { reachedPositions } from '../../core/certificate/motionPieces.ts';
import { stoppedTerms } from '../../core/certificate/torques/stopPairs.ts';
import { worldPieces } from '../../core/certificate/worldPieces.ts';
import type { RobotModel } from '../../core/kinematics/robotModel.ts';
import type { Interrupt } from '../../core/math/interrupt.ts';
import {
  constraintLabel,
  isStopConstraint,
  requireValidConstraint,
  type StopConstraint,
} from '../../core/scene/constraints.ts';
import { isTimed, type MotionLimits, type Trajectory } from '../../core/trajectory/trajectory.ts';
import { examineMotion } from '../../core/trajectory/trajectoryLimits.ts';
import { type ConstraintFault, unitOfConstraint } from '../checking/constraintFaults.ts';
import type { StopWorld } from './stopContacts.ts';
import { always, partsWithin, type StopInterval, type StopPart, stopParts } from './stopParts.ts';
import { requireStoppable, type StopScene, StopSearch, type WorstStop } from './stopSearch.ts';

/** Share of a limit that planned motions leave unused, so that rounded times keep it. */
const HEADROOM = 2e-3;
/** Factor by which a motion is slowed down if no stop is proved for some instant. */
const SLOWER = 1.2;
const MAX_ROUNDS = 40;
/** Share of the velocity limits below which no motion is tried. */
const SLOWEST = 1e-3;

/** Stops of a motion against their limits. */
export interface StopCheckResult {
  /** One per limit that is not proved. */
  readonly faults: readonly ConstraintFault[];
  /** By limit: by how much the bound on the worst stop is below it, seconds or m. */
  readonly margins: Readonly<Record<string, number>>;
}

/** The limits of stops of a scene: from each instant, a stop along the path must be proved to keep them. */
export class StopLimits {
  private constructor(
    private readonly robot: RobotModel,
    private readonly limits: readonly StopConstraint[],
    private readonly interrupt: Interrupt,
    private readonly whole: StopInterval,
  ) {}

  /**
   * Returns the limits of a scene; undefined if it states none. Throws `InputError` for invalid ones.
   * @param world in which something else may move; default: nothing does
   */
  static of(robot: RobotModel, scene: StopScene, interrupt: Interrupt, world?: StopWorld): StopLimits | undefined {
    const limits = (scene.constraints ?? []).filter(isStopConstraint);
    for (const limit of limits) requireValidConstraint(limit);
    return limits.length === 0 ? undefined : new StopLimits(robot, limits, interrupt, always(scene, world));
  }

  /**
   * Checks a motion that keeps its other limits; paths without times have no stops.
   * @param intervals of a program, between its events; default: the whole motion in the scene
   */
  check(motion: Trajectory, intervals: readonly StopInterval[] = [this.whole]): StopCheckResult {
    if (!isTimed(motion)) return { faults: [], margins: {} };
    const worst = motion.setPoints ? undefined : this.worst(motion, intervals);
    const faults: ConstraintFault[] = [];
    const margins: Record<string, number> = {};
    for (const [i, one] of this.limits.entries()) {
      const { value, at } = worst?.[i] ?? { value: Number.POSITIVE_INFINITY, at: motion.points[0].time_from_start! };
      const label = constraintLabel(one);
      if (value < Number.POSITIVE_INFINITY) margins[label] = one.most - value;
      if (value <= one.most) continue;
      faults.push({ kind: 'constraint', label, value: 0, unit: unitOfConstraint(one, this.robot), time: at });
    }
    return { faults, margins };
  }

  /**
   * Returns the stops of a motion that prove the limits; undefined if they are not proved.
   * @param interval of a program, between two of its events; default: the whole motion in the scene
   */
  certified(motion: Trajectory, interval = this.whole): Pick<CertificateSegment, 'stops' | 'stop_pairs'> | undefined {
    if (!isTimed(motion)) return {};
    const parts = motion.setPoints ? undefined : partsWithin(motion, interval);
    if (parts === undefined) return undefined;
    const stops: CertificateStop[] = [];
    const planes: (readonly CertificatePair[])[] = [];
    const reached = reachedInStops(motion, interval);
    for (const search of this.searches(motion, parts)) {
      const limits = this.limits.flatMap((one) =>
        measuresOf(search, one).map((measure) => ({ measure, most: one.most })),
      );
      const found = search.within(limits);
      if (found === undefined) return undefined;
      for (const stop of found) {
        const pairs = search.planes(stop, reached);
        if (pairs === undefined) return undefined;
        stops.push(stop.rows);
        planes.push(pairs);
      }
    }
    return { stops, ...(planes.some((pairs) => pairs.length > 0) && { stop_pairs: planes }) };
  }

  /**
   * Returns the motion along a path that keeps the limits, at velocities that are reduced as far as needed; undefined
   * if none is proved.
   * @param time computes the motion within limits of the joints
   */
  slowed<M extends Trajectory | { readonly trajectory: Trajectory }>(
    given: MotionLimits,
    time: (limits: MotionLimits) => M | undefined,
  ): M | undefined {
    for (let round = 0, share = 1; round < MAX_ROUNDS && share >= SLOWEST && !this.interrupt(); round++) {
      const limits = { ...given, velocity: Array.from(given.velocity, (limit) => limit * share) };
      const motion = time(limits);
      if (motion === undefined) return undefined;
      const trajectory: Trajectory = 'trajectory' in motion ? motion.trajectory : motion;
      const excess = trajectory.points.length < 2 ? 0 : this.excess(trajectory);
      if (excess <= 1) return motion;
      const used = examineMotion(trajectory, limits).ratios.velocity;
      if (!(used > 0)) return undefined;
      share *= Math.min(1, used) / excess;
    }
    return undefined;
  }

  /**
   * Returns approximately by what factor the velocities of a motion are too high for its stops; at most 1 if they keep
   * the limits.
   */
  excess(motion: Trajectory): number {
    const factors = this.worst(motion, [this.whole]).map(({ value }, i) => {
      const { type, most } = this.limits[i];
      if (value === Number.POSITIVE_INFINITY) return SLOWER;
      const ratio = value / ((1 - HEADROOM) * most);
      return type === 'stopping_time' ? ratio : Math.sqrt(ratio);
    });
    return Math.max(...factors);
  }

  /** Returns the worst stop by each limit. */
  private worst(motion: Trajectory, intervals: readonly StopInterval[]): WorstStop[] {
    const at = motion.points[0].time_from_start!;
    const worst = this.limits.map((): WorstStop => ({ value: 0, at }));
    const parts = stopParts(motion, intervals);
    if (parts === undefined) return worst.map(() => ({ value: Number.POSITIVE_INFINITY, at }));
    for (const search of this.searches(motion, parts))
      for (const [i, one] of this.limits.entries())
        for (const measure of measuresOf(search, one)) {
          const found = worst[i].value < Number.POSITIVE_INFINITY ? search.worst(measure, one.most) : worst[i];
          if (found.value > worst[i].value) worst[i] = found;
        }
    return worst;
  }

  /** Creates the searches for stops of the parts of a motion, one at a time. */
  private *searches(motion: Trajectory, parts: readonly StopPart[]): Generator<StopSearch> {
    requireStoppable(motion);
    for (const part of parts) yield new StopSearch(this.robot, part.scene, part.motion, this.interrupt, part.world);
  }
}

/** Returns the magnitudes of the values of all joints in a world for which the planes of stops are verified. */
function reachedInStops(motion: Trajectory, { world }: StopInterval): Float64Array {
  if (world === undefined) return new Float64Array(0);
  const pieces = worldPieces(motion, world.tree);
  return reachedPositions(pieces, world.manager.posed.model.robot.dof).map(stoppedTerms);
}

const measuresOf = (search: StopSearch, { type }: StopConstraint) =>
  type === 'stopping_time' ? [search.time] : search.distances;
