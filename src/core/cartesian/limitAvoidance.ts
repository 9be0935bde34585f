import { movingJoints } from '../kinematics/reach.ts';
import type { RobotModel } from '../kinematics/robotModel.ts';
import type { Configuration } from '../math/configuration.ts';

/**
 * Width of the zone at each limit in which a joint is kept from it: a fraction of its range, at most a maximum, rad or
 * m.
 */
const ZONE_SHARE = 0.15;
const MAX_ZONE = 0.35;
/** Relative to the zone: closer to a limit, weights no longer increase. */
const CLOSEST = 1e-2;
/** Rates at a limit, away from it: rad per metre and per radian of the motion of the tool frame. */
const RATE = 2;

/**
 * Weights and preferred rates that keep the joints of a redundant arm from their limits: the weight of a joint
 * increases without bound as it approaches a limit [ChanDubey95 §III], and its preferred rate leads away from it
 * [Liegeois77]. Both are continuously differentiable in q, and without effect outside of a zone at each limit. One
 * per thread.
 */
export class LimitAvoidance {
  /** Inverse weight of each joint, in (0, 1]. */
  readonly inverseWeights: Float64Array;
  /** Rate of each joint that leads away from its limits. */
  readonly preferred: Float64Array;
  /** Width of the zone at each limit; 0 for joints that do not move the link, and for those without limits. */
  private readonly zones: Float64Array;

  constructor(
    private readonly model: RobotModel,
    link: number,
  ) {
    const chain = movingJoints(model, link);
    this.zones = Float64Array.from(model.variables, ({ limits: { lower, upper } }, j) =>
      upper - lower < Number.POSITIVE_INFINITY && chain.some(({ variable }) => variable === j)
        ? Math.min(MAX_ZONE, ZONE_SHARE * (upper - lower))
        : 0,
    );
    this.inverseWeights = new Float64Array(model.dof);
    this.preferred = new Float64Array(model.dof);
  }

  /**
   * Computes weights and preferred rates at q. Returns false if no joint is near a limit.
   * @param speed of the tool frame: preferred rates are proportional to it
   */
  update(q: Configuration, speed: number): boolean {
    const { model, zones, inverseWeights, preferred } = this;
    let isNear = false;
    for (let j = 0; j < zones.length; j++) {
      const { lower, upper } = model.variables[j].limits;
      const isLower = q[j] - lower < upper - q[j];
      const distance = (isLower ? q[j] - lower : upper - q[j]) / zones[j];
      inverseWeights[j] = 1;
      preferred[j] = 0;
      if (!(distance < 1)) continue;
      isNear = true;
      const m = Math.max(distance, CLOSEST);
      const stiffness = (1 - m) / m;
      inverseWeights[j] = 1 / (1 + stiffness * stiffness);
      preferred[j] = (isLower ? RATE : -RATE) * speed * (1 - m) * (1 - m);
    }
    return isNear;
  }
}
