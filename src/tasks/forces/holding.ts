import { InverseDynamics } from '../../core/dynamics/arm/inverseDynamics.ts';
import type { RobotModel } from '../../core/kinematics/robotModel.ts';
import type { Configuration } from '../../core/math/configuration.ts';
import type { JointSpace } from '../../core/planning/planner.ts';
import { AddedMotions } from '../planning/addedMotions.ts';
import type { CountingMotions } from '../planning/edgeValidation.ts';
import type { InvalidEndpoint } from '../planning/endpointDiagnosis.ts';
import { sceneArm, torqueLimits } from './sceneArm.ts';
import type { TorqueScene } from './torqueCheck.ts';

/** Share of a limit that a torque at rest may use in the search, so that the arm can move there. */
const SHARE = 0.995;
/** Greatest distance between states of an edge that are checked, in the metric of the space. */
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
  private readonly dynamics: InverseDynamics;
  private readonly limits: Float64Array;
  private readonly still: Float64Array;
  private readonly torques: Float64Array;

  constructor(
    private readonly robot: RobotModel,
    private readonly scene: TorqueScene & { readonly torque: { readonly scale: number } },
  ) {
    this.dynamics = new InverseDynamics(sceneArm(robot, scene));
    this.limits = torqueLimits(robot, scene.torque);
    [this.still, this.torques] = [new Float64Array(robot.dof), new Float64Array(robot.dof)];
  }

  /** Returns the joint that is overloaded most at rest in a state; undefined if none is. */
  overload(q: Configuration): Overload | undefined {
    const { dynamics, limits, still, torques, robot } = this;
    dynamics.torques(torques, q, still, still);
    let worst = -1;
    for (let k = 0; k < limits.length; k++) {
      if (Math.abs(torques[k]) <= SHARE * limits[k]) continue;
      if (worst < 0 || Math.abs(torques[k]) / limits[k] > Math.abs(torques[worst]) / limits[worst]) worst = k;
    }
    return worst < 0 ? undefined : { joint: robot.variables[worst].name, torque: torques[worst], limit: limits[worst] };
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
 * Edge validation that also excludes states in which the robot cannot be held. States of edges are sampled: the torques
 * of the timed motion are proved later.
 */
export class HoldingMotions extends AddedMotions {
  isMotionLikelyValid?: (qFrom: Configuration, qTo: Configuration, isFine?: boolean, endIsValid?: boolean) => boolean;
  private readonly q: Configuration;

  constructor(
    inner: CountingMotions,
    private readonly space: JointSpace,
    private readonly holding: HoldingTorques,
  ) {
    super(inner);
    this.q = new Float64Array(space.dof);
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
    const { space, holding, q } = this;
    const count = Math.ceil(space.distance(qFrom, qTo) / step);
    for (let i = 1; i <= count; i++) {
      space.interpolate(q, qFrom, qTo, i / count);
      if (holding.overload(q) !== undefined) return false;
    }
    return true;
  }
}
