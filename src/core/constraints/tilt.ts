import type { RobotModel } from '../kinematics/robotModel.ts';
import type { LinkFrame } from '../kinematics/toolCenterPoint.ts';
import type { Configuration } from '../math/configuration.ts';
import { rotate, rotateBack, type Transform } from '../math/transform.ts';
import { atan2, cos, PI, sin } from '../math/trigonometry.ts';
import { cross, dot, norm, tangentsOf, type Vec3, create as vec3 } from '../math/vec3.ts';
import { constraintLabel, type TiltConstraint } from '../scene/constraints.ts';
import { DirectionBounds } from './directionBounds.ts';
import { DirectionSeries } from './directionSeries.ts';
import { EXCESS_TOLERANCE, type FrameConstraint, type IntervalVerdict, insideOf, THIN } from './frameConstraint.ts';

/** Creates the function of a tilt constraint: the angle between R a and b, minus its limit, radians. */
export function tilt(given: TiltConstraint, robot: RobotModel, frame: LinkFrame): FrameConstraint {
  const axis = unit(given.axis);
  const b = unit(given.towards);
  const { within } = given;
  // The part across b is limited to the sine only where the angle is below a right angle.
  const maxSine = within + EXCESS_TOLERANCE < PI / 2 ? sin(within + EXCESS_TOLERANCE) : 1;
  const minCosine = cos(within + EXCESS_TOLERANCE);
  const a = vec3();
  const n = vec3();
  const across = tangentsOf(b);
  const rates = new DirectionBounds(robot, frame);
  const line = within <= MAX_ON_LINE ? new TiltOnLine(robot, frame, axis, { b, across, maxSine }) : undefined;
  const angleAt = (T: Transform) => {
    rotate(a, T, axis);
    cross(n, a, b);
    return atan2(norm(n), dot(a, b));
  };
  return {
    label: constraintLabel(given),
    frame,
    excess: (T) => angleAt(T) - within,
    gradient(out, T) {
      rotate(a, T, axis);
      cross(n, a, b);
      const sine = norm(n);
      out.fill(0);
      // d(a·b)/dt = ω·(a × b) and a·b = cos θ, so dθ/dt = −ω·(a × b) / sin θ
      for (let i = 0; i < 3; i++) out[3 + i] = sine > 0 ? -n[i] / sine : 0;
    },
    inside: insideOf(within),
    thinRows(out, T) {
      if (within > THIN) return 0;
      rotate(a, T, axis);
      // da/dt = ω × a, of which the components across b are constant at the axis of the cone: ω·(a × e)
      for (const [i, e] of across.entries()) {
        cross(n, a, e);
        out[i].fill(0);
        out[i].set(n, 3);
      }
      return across.length;
    },
    holdsOver({ T, twist, half, joints }) {
      if (within >= PI) return true;
      const angle = angleAt(T);
      rates.compute(a, joints);
      if (angle + rates.speed * half <= within + EXCESS_TOLERANCE - ROUNDING) return true;
      const drift = 0.5 * half * half * rates.acceleration; // the distance of a from its tangent
      const isAcute = angle + rates.speed * half < MAX_ACROSS;
      if (isAcute && maxAcross(across, a, twist, half) + drift <= maxSine - ROUNDING) return true;
      // g(t) = a·b >= g(m) − |ġ(m)| h − D₂ h² / 2
      const change = Math.abs(n[0] * twist[3] + n[1] * twist[4] + n[2] * twist[5]);
      return dot(a, b) - half * change - drift >= minCosine + ROUNDING;
    },
    ...(line && { verdictOnLine: (q, rates, half) => line.verdict(q, rates, half) }),
  };
}

/** Limits up to this angle, rad, are proved by the sine along straight motions: near a right angle it hardly grows. */
const MAX_ON_LINE = 1.4;
/**
 * Below this angle between a and b, rad, the component of a perpendicular to b is bounded: its length grows with the
 * angle.
 */
const MAX_ACROSS = 1.5;

/**
 * Bounds the rounding error of a·b and of the part of a across b, of which that of the rotation of the frame is the
 * largest part.
 */
const ROUNDING = 1e-14;

/**
 * Returns the largest length of the part of a across b on the tangent of a over an interval: at one of its ends.
 * @param across two unit vectors perpendicular to b and to each other
 * @param a direction at the middle of the interval
 * @param twist velocity and angular velocity of its frame there
 * @param half half of the duration of the interval
 */
function maxAcross(across: readonly Vec3[], a: Vec3, twist: Float64Array, half: number): number {
  let before = 0;
  let after = 0;
  const x = twist[4] * a[2] - twist[5] * a[1];
  const y = twist[5] * a[0] - twist[3] * a[2];
  const z = twist[3] * a[1] - twist[4] * a[0];
  for (const e of across) {
    const value = dot(a, e);
    const change = half * (x * e[0] + y * e[1] + z * e[2]);
    before += (value - change) * (value - change);
    after += (value + change) * (value + change);
  }
  return Math.sqrt(Math.max(before, after));
}

function unit(direction: ArrayLike<number>): Vec3 {
  const vector = Float64Array.from(direction);
  const length = norm(vector);
  return vector.map((value) => value / length);
}

/** A cone of directions below a right angle. */
interface Cone {
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
class TiltOnLine {
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

/** Maximum number of times that a part of the curve is halved. */
const MAX_DEPTH = 8;
/** Where a curve that is not proved is compared with the disc once more. */
const VIOLATION_TIMES = [-0.5, 0.5, -0.75, 0.75, -1, 1] as const;
/** Numbers per part: x and y of its four control points. */
const SIZE = 8;

/**
 * Compares planar cubic curves with a disc about the origin: the control points of a curve contain it in their convex
 * hull, and tend to it as the curve is halved (de Casteljau). One per thread.
 */
export class CurveInDisc {
  /** Coefficients c₀ to c₃ of the curve c₀ + c₁ t + c₂ t² + c₃ t³, t in [−1, 1]: x and y of each. */
  readonly coefficients = new Float64Array(SIZE);
  /** The parts that are not compared yet, as control points; one that is halved is replaced by both halves. */
  private readonly parts = new Float64Array(SIZE * (MAX_DEPTH + 1));
  private readonly depths = new Int8Array(MAX_DEPTH + 1);

  /**
   * Compares with a disc all curves that differ from the cubic curve by at most `error` + `remainder` t⁴. Returns
   * `proved` if they stay in the disc, `violated` if they leave it; otherwise `open`.
   */
  verdict(radius: number, error: number, remainder: number): IntervalVerdict {
    if (this.isOutside(0, radius + error)) return 'violated';
    const inner = radius - error - remainder;
    if (inner > 0 && this.isWithin(inner)) return 'proved';
    for (const t of VIOLATION_TIMES)
      if (this.isOutside(t, radius + error + remainder * t * t * t * t)) return 'violated';
    return 'open';
  }

  /** Returns true if the curve is outside of a disc at t. */
  private isOutside(t: number, radius: number): boolean {
    const { coefficients: c } = this;
    const x = c[0] + t * (c[2] + t * (c[4] + t * c[6]));
    const y = c[1] + t * (c[3] + t * (c[5] + t * c[7]));
    return x * x + y * y > radius * radius;
  }

  /** Returns true if the curve is proved to stay in a disc. */
  private isWithin(radius: number): boolean {
    const { parts, depths } = this;
    const most = radius * radius;
    this.setControlPoints();
    depths[0] = 0;
    for (let part = 0; part >= 0; ) {
      const o = SIZE * part;
      const first = parts[o] * parts[o] + parts[o + 1] * parts[o + 1];
      const last = parts[o + 6] * parts[o + 6] + parts[o + 7] * parts[o + 7];
      if (!(Math.max(first, last) <= most)) return false; // NaN, too
      const second = parts[o + 2] * parts[o + 2] + parts[o + 3] * parts[o + 3];
      const third = parts[o + 4] * parts[o + 4] + parts[o + 5] * parts[o + 5];
      if (Math.max(second, third) <= most) {
        part--;
        continue;
      }
      if (depths[part] === MAX_DEPTH) return false;
      this.halve(part);
      part++;
    }
    return true;
  }

  private setControlPoints(): void {
    const { coefficients: c, parts } = this;
    for (let i = 0; i < 2; i++) {
      parts[i] = c[i] - c[2 + i] + c[4 + i] - c[6 + i];
      parts[2 + i] = c[i] - (c[2 + i] + c[4 + i]) / 3 + c[6 + i];
      parts[4 + i] = c[i] + (c[2 + i] - c[4 + i]) / 3 - c[6 + i];
      parts[6 + i] = c[i] + c[2 + i] + c[4 + i] + c[6 + i];
    }
  }

  /** Replaces a part by its second half, and appends the first one. */
  private halve(part: number): void {
    const { parts, depths } = this;
    const next = SIZE * (part + 1);
    for (let i = 0; i < 2; i++) {
      const o = SIZE * part + i;
      const a = 0.5 * (parts[o] + parts[o + 2]);
      const b = 0.5 * (parts[o + 2] + parts[o + 4]);
      const c = 0.5 * (parts[o + 4] + parts[o + 6]);
      const ab = 0.5 * (a + b);
      const bc = 0.5 * (b + c);
      const middle = 0.5 * (ab + bc);
      parts[next + i] = parts[o];
      parts[next + i + 2] = a;
      parts[next + i + 4] = ab;
      parts[next + i + 6] = middle;
      parts[o] = middle;
      parts[o + 2] = bc;
      parts[o + 4] = c;
    }
    depths[part]++;
    depths[part + 1] = depths[part];
  }
}
