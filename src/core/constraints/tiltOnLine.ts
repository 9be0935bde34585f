import type { RobotModel } from '../kinematics/robotModel.ts';
import type { LinkFrame } from '../kinematics/toolCenterPoint.ts';
import type { Configuration } from '../math/configuration.ts';
import { rotateBack } from '../math/transform.ts';
import { dot, type Vec3, create as vec3 } from '../math/vec3.ts';
import { CurveInDisc } from './curveInDisc.ts';
import { DirectionSeries } from './directionSeries.ts';
import type { IntervalVerdict } from './frameConstraint.ts';

/** A cone of directions below a right angle. */
export interface Cone {
  /** Unit vector of its axis, in the world. */
  readonly b: Vec3;
  /** Two unit vectors perpendicular to b and to each other. */
  readonly across: readonly Vec3[];
  /** Sine of its angle, below 1. */
  readonly maxSine: number;
}

/**
 * Compares a direction of a frame with a cone along straight motions in joint space. The part across b of its Taylor
 * polynomial is a planar cubic curve, which is compared with the disc of the cone. If a·b > 0 in the middle and the
 * part of a across b stays shorter than 1, a·b has no zero, so that a stays in the cone and not in its opposite.
 */
export class TiltOnLine {
  private readonly series: DirectionSeries;
  private readonly curve = new CurveInDisc();
  private readonly b: Vec3 = vec3();
  private readonly across: readonly Vec3[] = [vec3(), vec3()];

  /** @param axis direction in the frame, a unit vector */
  constructor(
    robot: RobotModel,
    frame: LinkFrame,
    axis: Vec3,
    private readonly cone: Cone,
  ) {
    this.series = new DirectionSeries(robot, frame, axis);
    rotateBack(this.b, robot.T_world_root, cone.b);
    for (const [i, e] of cone.across.entries()) rotateBack(this.across[i], robot.T_world_root, e);
  }

  /** As `FrameConstraint.verdictOnLine`. */
  verdict(q: Configuration, rates: Float64Array, half: number): IntervalVerdict {
    const { series, curve, b, across, cone } = this;
    const { coefficients: c } = series;
    series.compute(q, rates, half);
    if (!(dot(b, c) > 0)) return 'violated';
    const [e, f] = across;
    for (let i = 0; i < 4; i++) {
      const x = c[3 * i];
      const y = c[3 * i + 1];
      const z = c[3 * i + 2];
      curve.coefficients[2 * i] = e[0] * x + e[1] * y + e[2] * z;
      curve.coefficients[2 * i + 1] = f[0] * x + f[1] * y + f[2] * z;
    }
    return curve.verdict(cone.maxSine, series.rounding, series.remainder);
  }
}
