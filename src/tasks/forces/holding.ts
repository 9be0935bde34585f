import { InverseDynamics } from '../../core/dynamics/arm/inverseDynamics.ts';
import { restBounds } from '../../core/dynamics/arm/restBounds.ts';
import type { RobotModel } from '../../core/kinematics/robotModel.ts';
import type { Configuration } from '../../core/math/configuration.ts';
import { type Metric, metricOf, shortestDifference } from '../../core/planning/metric.ts';
import type { JointSpace } from '../../core/planning/planner.ts';
import { AddedMotions } from '../planning/addedMotions.ts';
import type { CountingMotions } from '../planning/edgeValidation.ts';
import type { InvalidEndpoint } from '../planning/endpointDiagnosis.ts';
import { sceneArm, torqueLimits } from './sceneArm.ts';
import type { TorqueScene } from './torqueCheck.ts';

/** Share of a limit that a torque at rest may use in the search, so that the arm can move there. */
const SHARE = 0.995;
/** Shortest part of an edge that is divided, in the metric of the space: torques over longer parts are bounded. */
const COARSE = 0.2;
const FINE = 0.05;

/** A joint that cannot hold the robot at rest. */
export interface Overload {
  /** Name of the joint. */
  readonly joint: string;
  /** N m or N. */
  readonly torque: number;
  /** N m or N. */
  readonly limit: number;
}

/** The torques that hold a robot with its loads at rest, against their limits. */
export class HoldingTorques {
  /** True if no state within the limits of the joints exceeds a limit. */
  readonly areKept: boolean;
  private readonly dynamics: InverseDynamics;
  private readonly limits: Float64Array;
  private readonly slopes: Float64Array;
  private readonly still: Float64Array;
  private readonly torques: Float64Array;

  constructor(
    private readonly robot: RobotModel,
    private readonly scene: TorqueScene & { readonly torque: { readonly scale: number } },
  ) {
    const arm = sceneArm(robot, scene);
    this.dynamics = new InverseDynamics(arm);
    this.limits = torqueLimits(robot, scene.torque).map((limit) => SHARE * limit);
    [this.still, this.torques] = [new Float64Array(robot.dof), new Float64Array(robot.dof)];
    const reach = robot.variables.map(({ limits }) => Math.max(Math.abs(limits.lower), Math.abs(limits.upper)));
    const bounds = restBounds(arm, reach);
    this.slopes = bounds.slopes;
    this.areKept = bounds.torques.every((torque, k) => torque <= this.limits[k]);
  }

  /** Returns the joint that is overloaded most at rest in a state; undefined if none is. */
  overload(q: Configuration): Overload | undefined {
    const { dynamics, limits, still, torques, robot } = this;
    if (this.areKept) return undefined;
    dynamics.torques(torques, q, still, still);
    let worst = -1;
    for (let k = 0; k < limits.length; k++) {
      if (Math.abs(torques[k]) <= limits[k]) continue;
      if (worst < 0 || Math.abs(torques[k]) / limits[k] > Math.abs(torques[worst]) / limits[worst]) worst = k;
    }
    if (worst < 0) return undefined;
    return { joint: robot.variables[worst].name, torque: torques[worst], limit: limits[worst] / SHARE };
  }

  /**
   * Returns the share of a travel from a state, in either direction, within which no joint is overloaded; less than 0
   * if a joint is overloaded in the state, NaN if the share is not known.
   * @param travel magnitude of the change of each joint, rad or m
   */
  room(q: Configuration, travel: ArrayLike<number>): number {
    const { dynamics, limits, slopes, still, torques } = this;
    dynamics.torques(torques, q, still, still);
    const dof = limits.length;
    let room = Number.POSITIVE_INFINITY;
    for (let k = 0; k < dof; k++) {
      let change = 0;
      // Slopes are infinite, or NaN, if a joint that slides has no limits.
      for (let j = 0; j < dof; j++) if (travel[j] !== 0) change += slopes[k * dof + j] * travel[j];
      const left = limits[k] - Math.abs(torques[k]);
      if (!(left >= 0)) return -1;
      if (change !== 0) room = Math.min(room, left / change);
    }
    return room;
  }

  /** Returns why the robot cannot be at rest at the start or a goal; undefined if it can. */
  diagnose(q: Configuration, end: 'start' | 'goal'): InvalidEndpoint | undefined {
    const found = this.overload(q);
    if (found === undefined) return undefined;
    const { joint, torque, limit } = found;
    const { payload, attached } = this.scene;
    const masses = [payload, ...attached.map(({ inertial }) => inertial)].map((body) => body?.mass ?? 0);
    const load = masses.reduce((sum, mass) => sum + mass, 0);
    const carried = load > 0 ? ` with a payload of ${round(load)} kg` : '';
    const takes = `${joint} takes a torque of ${round(Math.abs(torque))} at rest`;
    return {
      status: `${end}-breaks-constraint`,
      reason: `the ${end} cannot be held${carried}: ${takes}, of its limit ${round(limit)} it may use ${100 * SHARE} %`,
      details: [{ end, kind: 'breaks-constraint', constraints: [`torque:${joint}`], nearest_free: null }],
    };
  }
}

/** Returns the torques at rest of a scene that limits torques; undefined for others. */
export function holdingTorques(robot: RobotModel, scene: TorqueScene): HoldingTorques | undefined {
  const { torque } = scene;
  return torque && new HoldingTorques(robot, { ...scene, torque });
}

const round = (value: number) => Number(value.toPrecision(4));

/**
 * Edge validation that also excludes states in which the robot cannot be held. Parts of edges whose torques at rest are
 * not bounded are sampled: the torques of the timed motion are proved later.
 */
export class HoldingMotions extends AddedMotions {
  isMotionLikelyValid?: (qFrom: Configuration, qTo: Configuration, isFine?: boolean, endIsValid?: boolean) => boolean;
  private readonly q: Configuration;
  private readonly travel: Float64Array;
  private readonly metric: Metric;

  constructor(
    inner: CountingMotions,
    private readonly space: JointSpace,
    private readonly holding: HoldingTorques,
  ) {
    super(inner);
    this.q = new Float64Array(space.dof);
    this.travel = new Float64Array(space.dof);
    this.metric = metricOf(space);
    if (inner.isMotionLikelyValid)
      this.isMotionLikelyValid = (qFrom, qTo, isFine, endIsValid) =>
        this.isHeld(qFrom, qTo, isFine ? FINE : COARSE) && inner.isMotionLikelyValid!(qFrom, qTo, isFine, endIsValid);
  }

  isStateValid(q: Configuration): boolean {
    return this.holding.overload(q) === undefined && this.inner.isStateValid(q);
  }

  isMotionValid(qFrom: Configuration, qTo: Configuration, endIsValid?: boolean, isLikely?: boolean): boolean {
    return this.isHeld(qFrom, qTo, FINE) && this.inner.isMotionValid(qFrom, qTo, endIsValid, isLikely);
  }

  private isHeld(qFrom: Configuration, qTo: Configuration, step: number): boolean {
    const { space, travel, metric } = this;
    for (let j = 0; j < travel.length; j++)
      travel[j] = Math.abs(shortestDifference(qFrom[j], qTo[j], metric.halfTurns[j]));
    return this.isPartHeld(qFrom, qTo, 0, 1, step / space.distance(qFrom, qTo));
  }

  /** @param least length of the shares of the edge that are not divided any further */
  private isPartHeld(qFrom: Configuration, qTo: Configuration, from: number, to: number, least: number): boolean {
    const { space, holding, q, travel } = this;
    const half = 0.5 * (to - from);
    space.interpolate(q, qFrom, qTo, from + half);
    const room = holding.room(q, travel);
    if (room < 0) return false;
    if (room >= half) return true;
    if (2 * half <= least) return to < 1 || holding.overload(qTo) === undefined;
    const middle = from + half;
    return this.isPartHeld(qFrom, qTo, from, middle, least) && this.isPartHeld(qFrom, qTo, middle, to, least);
  }
}
