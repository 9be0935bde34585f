import type { Certificate } from '../../core/certificate/certificate.ts';
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
import { requireStoppable, type StopScene, StopSearch, type WorstStop } from './stopSearch.ts';

/** Share of a limit that planned motions leave unused, so that rounded times keep it. */
const HEADROOM = 2e-3;
/** Factor by which a motion is slowed down if no stop is proved for some instant. */
const SLOWER = 1.2;
const MAX_ROUNDS = 40;
/** Digits of the squares of paces in certificates. */
const DIGITS = 10;

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
    private readonly scene: StopScene,
    private readonly limits: readonly StopConstraint[],
    private readonly interrupt: Interrupt,
  ) {}

  /** Returns the limits of a scene; undefined if it states none. Throws `InputError` for invalid ones. */
  static of(robot: RobotModel, scene: StopScene, interrupt: Interrupt): StopLimits | undefined {
    const limits = (scene.constraints ?? []).filter(isStopConstraint);
    for (const limit of limits) requireValidConstraint(limit);
    return limits.length === 0 ? undefined : new StopLimits(robot, scene, limits, interrupt);
  }

  /**
   * Checks a motion that keeps its other limits; paths without times have no stops. Throws `InputError` for joints with
   * jerk limits.
   */
  check(motion: Trajectory): StopCheckResult {
    if (!isTimed(motion)) return { faults: [], margins: {} };
    const worst = motion.setPoints ? undefined : this.worst(motion);
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

  /** Returns the stops of a motion that prove the limits; undefined if they are not proved. */
  certified(motion: Trajectory): Pick<Certificate, 'stops'> | undefined {
    if (!isTimed(motion)) return {};
    if (motion.setPoints) return undefined;
    const search = this.search(motion);
    const limits = this.limits.flatMap((one) =>
      measuresOf(search, one).map((measure) => ({ measure, most: one.most })),
    );
    const stops = search ? search.within(limits) : [];
    return (
      stops && { stops: stops.map(({ pace }) => pace.map(([t, x]) => [t, Number(x.toPrecision(DIGITS))] as const)) }
    );
  }

  /**
   * Returns the motion along a path that keeps the limits, at velocities that are reduced as far as needed; undefined
   * if none is proved.
   * @param time computes the motion within limits of the joints
   */
  slowed<M extends { readonly trajectory: Trajectory }>(
    given: MotionLimits,
    time: (limits: MotionLimits) => M | undefined,
  ): M | undefined {
    for (let round = 0, limits = given; round < MAX_ROUNDS && !this.interrupt(); round++) {
      const motion = time(limits);
      if (motion === undefined || motion.trajectory.points.length < 2) return motion;
      const excess = this.excess(motion.trajectory);
      if (excess <= 1) return motion;
      const used = examineMotion(motion.trajectory, limits).ratios.velocity;
      if (!(used > 0)) return undefined;
      const factor = Math.min(1, used) / excess;
      limits = { ...limits, velocity: Array.from(limits.velocity, (limit) => limit * factor) };
    }
    return undefined;
  }

  /** Returns approximately by what factor the velocities of a motion are too high for its stops. */
  private excess(motion: Trajectory): number {
    const factors = this.worst(motion).map(({ value }, i) => {
      const { type, most } = this.limits[i];
      if (value === Number.POSITIVE_INFINITY) return SLOWER;
      const ratio = value / ((1 - HEADROOM) * most);
      return type === 'stopping_time' ? ratio : Math.sqrt(ratio);
    });
    return Math.max(...factors);
  }

  /** Returns the worst stop by each limit. */
  private worst(motion: Trajectory): WorstStop[] {
    const search = this.search(motion);
    return this.limits.map((one) =>
      measuresOf(search, one)
        .map((measure) => search!.worst(measure, one.most))
        .reduce((a, b) => (b.value > a.value ? b : a), { value: 0, at: motion.points[0].time_from_start! }),
    );
  }

  /** Returns the search for stops; undefined for a motion of one point. */
  private search(motion: Trajectory): StopSearch | undefined {
    requireStoppable(this.robot, this.scene, motion);
    return motion.points.length < 2 ? undefined : new StopSearch(this.robot, this.scene, motion, this.interrupt);
  }
}

const measuresOf = (search: StopSearch | undefined, { type }: StopConstraint) =>
  search === undefined ? [] : type === 'stopping_time' ? [search.time] : search.distances;
