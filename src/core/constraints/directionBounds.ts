import { forwardKinematics, RobotState } from '../kinematics/forwardKinematics.ts';
import { movingJoints } from '../kinematics/reach.ts';
import type { Joint, RobotModel } from '../kinematics/robotModel.ts';
import type { LinkFrame } from '../kinematics/toolCenterPoint.ts';
import { derived } from '../math/derived.ts';
import { rotate } from '../math/transform.ts';
import { cross, dot, norm, type Vec3, create as vec3 } from '../math/vec3.ts';

/** Rates of the joints about the middle of an interval of time, per planned joint. */
export interface JointRates {
  /** Link poses in the middle. */
  T_world_link: readonly Float64Array[];
  /** Velocities in the middle. */
  rates: Float64Array;
  /** Bounds on |velocity| and |acceleration| over the interval. */
  velocity: Float64Array;
  acceleration: Float64Array;
  /** Half the length of the interval. */
  half: number;
}

/** Bounds the rounding errors of sums of a few terms, relative to them; absolute for sines. */
const ROUNDING = 1e-14;
/** Sine of the angle below which axes are parallel; the bounds include their deviation. */
const PARALLEL = 1e-12;

/** Returns a bound on the angle between axes of a group in any state, rad: the joints between them turn, too. */
export const deviationOf = (members: number): number => (members > 1 ? 2 * members * PARALLEL : 0);

/** A joint of a group, and whether its axis is opposite to that of the first joint of the group. */
export interface Member {
  readonly joint: Joint;
  readonly sign: number;
}

/**
 * Upper bounds on the first and second derivative of a direction fixed to a link, over an interval of time: Σ w d and
 * Σ_k (d_k (ẇ_k + w_k²) + 2 w_k Σ_j w_j d_j) over the axes k from the link to the base, with j nearer to the link than
 * k, and d the sine of the angle to the axis. Consecutive joints with parallel axes act on directions as one joint
 * whose rate is their sum. With ε the deviation of their axes, r the sum of the magnitudes of their rates and m = r h,
 * that changes the direction by at most ε m, and its derivatives by ε (1 + m) r and ε ((2 + m) r² + (1 + m) ẇ).
 */
export class DirectionBounds {
  /** Output of `compute`, 1/s and 1/s². */
  speed = 0;
  acceleration = 0;
  /** From the link to the base. */
  private readonly groups: readonly (readonly Member[])[];
  private readonly axis = vec3();

  constructor(model: RobotModel, frame: LinkFrame) {
    this.groups = parallelGroups(model, frame.link);
  }

  /** Computes the bounds for a unit direction `a`, in the middle of the interval, world frame. */
  compute(a: Vec3, { T_world_link, rates, velocity, acceleration, half }: JointRates): void {
    const { axis } = this;
    let speed = 0;
    let bend = 0;
    for (const group of this.groups) {
      let net = 0;
      let most = 0;
      let change = 0;
      for (const { joint, sign } of group) {
        const factor = Math.abs(joint.multiplier);
        net += sign * joint.multiplier * rates[joint.variable];
        most += factor * velocity[joint.variable];
        change += factor * acceleration[joint.variable];
      }
      const w = Math.min(most, Math.abs(net) + half * change + ROUNDING * most);
      rotate(axis, T_world_link[group[0].joint.child], group[0].joint.axis);
      cross(axis, axis, a);
      const d = Math.min(1, norm(axis) + speed * half + ROUNDING);
      const ε = deviationOf(group.length);
      const d0 = ε * half * most;
      const d1 = (ε + d0) * most;
      const d2 = (2 * ε + d0) * most * most + (ε + d0) * change;
      bend += d * (change + w * w) + 2 * w * speed + d2 + 2 * d1 * speed + d0 * bend;
      speed += w * d + d1 + d0 * speed;
    }
    this.speed = speed;
    this.acceleration = bend;
  }
}

/** Groups by link. */
const groupsOf = derived((_: RobotModel) => new Map<number, readonly (readonly Member[])[]>());

/** Returns groups of revolute joints from a link to the base: neighbours with parallel axes are in one group. */
export function parallelGroups(model: RobotModel, link: number): readonly (readonly Member[])[] {
  const known = groupsOf(model);
  const groups = known.get(link) ?? createGroups(model, link);
  known.set(link, groups);
  return groups;
}

function createGroups(model: RobotModel, link: number): Member[][] {
  const state = new RobotState(model);
  forwardKinematics(state, new Float64Array(model.dof));
  const turning = movingJoints(model, link).filter(({ type }) => type !== 'prismatic');
  const groups: Member[][] = [];
  const [first, axis, side] = [vec3(), vec3(), vec3()];
  for (const joint of turning.toReversed()) {
    rotate(axis, state.T_world_link[joint.child], joint.axis);
    cross(side, first, axis);
    const group = groups.at(-1);
    if (group && norm(side) <= PARALLEL) group.push({ joint, sign: dot(first, axis) < 0 ? -1 : 1 });
    else {
      groups.push([{ joint, sign: 1 }]);
      first.set(axis);
    }
  }
  return groups;
}
