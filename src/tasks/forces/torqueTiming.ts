import { InverseDynamics } from '../../core/dynamics/arm/inverseDynamics.ts';
import { TorqueProver } from '../../core/dynamics/arm/torqueProver.ts';
import type { RobotModel } from '../../core/kinematics/robotModel.ts';
import type { Interrupt } from '../../core/math/interrupt.ts';
import type { MotionScene, Scene } from '../../core/scene/scene.ts';
import { minimumDuration } from '../../core/trajectory/restToRest.ts';
import { type ArcEnd, arcsOf, stateAt } from '../../core/trajectory/retiming/arc.ts';
import type { ForceRows, PaceGrid } from '../../core/trajectory/retiming/paceGrid.ts';
import { type ForceExcess, type PaceForces, retime, slowedDown } from '../../core/trajectory/retiming/retime.ts';
import type { MotionLimits, Trajectory } from '../../core/trajectory/trajectory.ts';
import { TrajectoryCurve } from '../../core/trajectory/trajectoryCurve.ts';
import { examineMotion } from '../../core/trajectory/trajectoryLimits.ts';
import { createSpeedExcess } from '../repair/speedExcess.ts';
import { sceneArm, torqueLimits } from './sceneArm.ts';

/** Fraction of each limit that is not used, so that the final check proves the motion with few intervals. */
const HEADROOM = 1e-3;
/** Share of a limit that the accuracy of bounds may cost. */
const ACCURACY = 4e-4;
/** The motion with nominal accelerations is sped up by this, and then slowed down as little as needed. */
const FASTER = 8;
/** Greatest distance of the retimed motion to the curve, rad or m; it is proved collision-free afterwards. */
const TOLERANCE = 1e-4;
/** Steps by which a motion is slowed down as a whole. */
const SLOWER = 1.05;
const MAX_STEPS = 150;

/**
 * Time parameterization within limits of torque: the path gets its blends by nominal accelerations, then the motion
 * along it is as fast as limits of torque, velocity and acceleration allow: both are linear in the acceleration along
 * the path and the square of its speed [Bobrow85, Pham18 §4]. If joints have jerk limits, the motion is slowed down as
 * a whole instead.
 */
export class TorqueTiming implements PaceForces {
  private readonly dynamics: InverseDynamics;
  private readonly prover: TorqueProver;
  private readonly limits: Float64Array;
  private velocities: ArrayLike<number> = [];
  private readonly speeds: ReturnType<typeof createSpeedExcess>;

  constructor(
    robot: RobotModel,
    scene: MotionScene & Pick<Scene, 'attached'> & { readonly torque: { readonly scale: number } },
    private readonly interrupt: Interrupt,
  ) {
    const arm = sceneArm(robot, scene);
    this.dynamics = new InverseDynamics(arm);
    this.prover = new TorqueProver(arm, interrupt);
    this.limits = torqueLimits(robot, scene.torque).map((limit) => (1 - HEADROOM) * limit);
    this.speeds = createSpeedExcess(robot, scene, interrupt);
  }

  /**
   * Returns the fastest motion found along a path; undefined if none keeps the limits.
   * @param parameterize computes the motion along the path within limits of velocity, acceleration and jerk
   */
  time<M extends { readonly trajectory: Trajectory; readonly leastDuration: number | undefined }>(
    path: readonly ArrayLike<number>[],
    limits: MotionLimits,
    parameterize: (limits: MotionLimits) => M,
  ): M | undefined {
    this.velocities = limits.velocity;
    const motion = parameterize({ ...limits, acceleration: this.nominalAccelerations(path[0], limits) });
    if (motion.trajectory.points.length < 2) return motion;
    const hasJerkLimit = Array.from(limits.jerk).some((jerk) => jerk < Number.POSITIVE_INFINITY);
    const quick = hasJerkLimit ? undefined : this.fastest(motion.trajectory, limits);
    const trajectory = quick ?? this.slowed(motion.trajectory, limits);
    if (trajectory === undefined) return undefined;
    return { ...motion, trajectory, leastDuration: minimumDuration(path[0], path[path.length - 1], limits) };
  }

  /** Retimes a motion from scratch, at the greatest pace. */
  private fastest({ jointNames, points }: Trajectory, limits: MotionLimits): Trajectory | undefined {
    const quick = slowedDown(arcsOf({ jointNames, points }), 1 / FASTER, 0);
    const retimed = retime(arcsOf({ jointNames, points: quick }), {
      limits,
      jointNames,
      start: 0,
      tolerance: TOLERANCE,
      interrupt: this.interrupt,
      speeds: this.speeds,
      forces: this,
    });
    return retimed && { jointNames, points: retimed.points };
  }

  /** Slows a motion down as a whole until it keeps all limits. */
  private slowed({ jointNames, points }: Trajectory, limits: MotionLimits): Trajectory | undefined {
    const arcs = arcsOf({ jointNames, points });
    for (let step = 0, factor = 1; step < MAX_STEPS && !this.interrupt(); step++, factor *= SLOWER) {
      const slower = { jointNames, points: slowedDown(arcs, factor, 0) };
      const isKept = examineMotion(slower, limits).faults.length === 0 && this.excess(slower).length === 0;
      if (isKept && !this.speeds?.excess(slower).length) return slower;
    }
    return undefined;
  }

  /** Returns accelerations that determine the shapes of blends: stated ones, else what the torques give at a state. */
  private nominalAccelerations(q: ArrayLike<number>, { acceleration, velocity }: MotionLimits): number[] {
    const matrix = this.dynamics.massMatrix(q);
    return Array.from(acceleration, (stated, k) => {
      const assumed = 4 * velocity[k];
      const possible = (0.5 * this.limits[k]) / matrix[k][k];
      const usual = possible < Number.POSITIVE_INFINITY ? possible : assumed;
      return Math.min(stated, usual < Number.POSITIVE_INFINITY ? usual : 10);
    });
  }

  /** @inheritdoc */
  rows(grid: PaceGrid): readonly [ForceRows, ForceRows] {
    return torqueRows(this.dynamics, this.limits, this.velocities, grid);
  }

  /** @inheritdoc */
  excess(motion: Trajectory): readonly ForceExcess[] {
    const { limits, prover } = this;
    const goal = { limits, accuracy: ACCURACY, everywhere: true };
    const { intervals } = prover.examine(new TrajectoryCurve(motion), goal);
    const found = new Map<string, ForceExcess>();
    for (const { piece: segment, lower, upper } of intervals)
      for (let joint = 0; joint < limits.length; joint++) {
        const [below, above] = [-limits[joint] - lower[joint], upper[joint] - limits[joint]];
        if (!(below > 0 || above > 0)) continue;
        const key = `${segment} ${joint}`;
        const known = found.get(key);
        found.set(key, {
          segment,
          joint,
          below: Math.max(below, known?.below ?? 0),
          above: Math.max(above, known?.above ?? 0),
        });
      }
    return [...found.values()];
  }
}

/**
 * Returns the torques at both ends of the intervals of a grid as functions of the pace.
 * @param limits of the torques, by planned joint
 * @param velocities greatest velocities of the joints
 */
export function torqueRows(
  dynamics: InverseDynamics,
  limits: ArrayLike<number>,
  velocities: ArrayLike<number>,
  grid: PaceGrid,
): readonly [ForceRows, ForceRows] {
  const [begin, end] = [emptyRows(grid), emptyRows(grid)];
  const parts = Array.from({ length: 4 }, () => new Float64Array(grid.dof));
  for (let i = 0; i < grid.count; i++) {
    const arc = grid.arcs[grid.arc[i]];
    if (i > 0 && grid.arc[i] === grid.arc[i - 1]) copyRow(begin, i, end, grid.dof);
    else setRow(begin, i, stateAt(arc, grid.from[i]), dynamics, limits, velocities, parts);
    const to = stateAt(arc, Math.min(arc.duration, grid.from[i] + grid.step[i]));
    setRow(end, i, to, dynamics, limits, velocities, parts);
  }
  return [begin, end];
}

/** Copies the torques at the end of the interval before interval i to its start. */
function copyRow(begin: ForceRows, i: number, end: ForceRows, dof: number): void {
  for (const key of ['factor', 'square', 'lower', 'upper'] as const)
    begin[key].set(end[key].subarray((i - 1) * dof, i * dof), i * dof);
}

function emptyRows({ count, dof }: PaceGrid): ForceRows {
  const row = () => new Float64Array(count * dof);
  return { factor: row(), square: row(), lower: row(), upper: row() };
}

/**
 * Sets the torques at a state of a curve: M q' u + (M q'' + C(q, q') q') x + g. Damping counts as at the greatest
 * velocity where it adds to a torque.
 */
function setRow(
  rows: ForceRows,
  i: number,
  { positions: q, velocities: v, accelerations: a }: ArcEnd,
  dynamics: InverseDynamics,
  limits: ArrayLike<number>,
  velocities: ArrayLike<number>,
  [still, gravity, factor, square]: readonly Float64Array[],
): void {
  const { arm } = dynamics;
  const { dof } = arm;
  dynamics.rigidTorques(gravity, q, still, still, 1);
  dynamics.rigidTorques(factor, q, still, v, 0);
  dynamics.rigidTorques(square, q, v, a, 0);
  for (let k = 0, at = i * dof; k < dof; k++, at++) {
    rows.factor[at] = factor[k] + arm.armature[k] * v[k];
    rows.square[at] = square[k] + arm.armature[k] * a[k];
    const drag = arm.damping[k] * Math.sign(v[k]) * Math.min(Math.abs(v[k]), velocities[k]);
    const friction = arm.friction[k] * Math.sign(v[k]);
    const fixed = gravity[k] + friction;
    rows.upper[at] = limits[k] - fixed - Math.max(0, drag);
    rows.lower[at] = -limits[k] - fixed - Math.min(0, drag);
  }
}
