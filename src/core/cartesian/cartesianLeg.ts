import { poseError } from '../kinematics/pose.ts';
import { setRotationFromQuaternion } from '../math/quaternion.ts';
import { compose, copy, create, originOf, type Transform } from '../math/transform.ts';
import { atan2, cos, PI, sin, TWO_PI } from '../math/trigonometry.ts';
import { addScaled, cross, dot, norm, scale, sub, type Vec3, create as vec3 } from '../math/vec3.ts';

/**
 * Ideal path of the tool frame between two poses, over s in [0, 1]: the origin moves on a straight line or a circular
 * arc at constant speed, the orientation is interpolated spherically (slerp) at the same fraction.
 */
export interface CartesianLeg {
  /** `path`: a part of a tool path, whose speed along s varies. */
  readonly kind: 'line' | 'arc' | 'path';
  /** Length of the path of the origin, metres. */
  readonly length: number;
  /** Angle between the orientations at the ends, radians, at most π. */
  readonly angle: number;
  /** Bound on the second derivative of the position with respect to s, metres: 0 for a line. */
  readonly curvature: number;
  readonly start: Transform;
  readonly end: Transform;
  /** Computes the pose at s. */
  poseAt(out: Transform, s: number): void;
  /** Computes the derivative at s: linear velocity (metres), angular velocity (radians) per unit of s, world frame. */
  twistAt(out: Float64Array, s: number): void;
}

/** Returns the straight line from one pose to another; a pure rotation if the origins are equal. */
export function lineLeg(start: Transform, end: Transform): CartesianLeg {
  const error = legError(start, end);
  const turn = Turn.of(start, error);
  return {
    kind: 'line',
    length: norm(error.subarray(0, 3)),
    angle: turn.angle,
    curvature: 0,
    start,
    end,
    poseAt(out, s) {
      turn.rotationAt(out, s);
      // from the nearer end, so that both ends are exact
      const from = s <= 0.5 ? start : end;
      const share = s <= 0.5 ? s : s - 1;
      for (const [i, k] of ORIGIN.entries()) out[k] = from[k] + share * error[i];
    },
    twistAt(out) {
      out.set(error);
    },
  };
}

/**
 * Returns the circular arc from one pose through the point `via` to another. Undefined if the three points are on one
 * line, or two of them coincide, which determines no circle.
 */
export function arcLeg(start: Transform, via: Vec3, end: Transform): CartesianLeg | undefined {
  const error = legError(start, end);
  const turn = Turn.of(start, error);
  const a = originOf(start);
  const u = vec3();
  const v = vec3();
  const n = vec3();
  sub(u, via, a);
  sub(v, originOf(end), a);
  cross(n, u, v);
  const nn = dot(n, n);
  const sides = [dot(u, u), dot(v, v), squaredDistance(u, v)];
  if (!(nn > COLLINEAR * sides[0] * sides[1]) || !(Math.min(...sides) > COLLINEAR * Math.max(...sides)))
    return undefined;
  // The circumcentre of the triangle: centre − a = (‖v‖² n × u + ‖u‖² v × n) / (2 ‖n‖²)
  const centre = vec3();
  const term = vec3();
  cross(term, n, u);
  addScaled(centre, a, term, dot(v, v) / (2 * nn));
  cross(term, v, n);
  addScaled(centre, centre, term, dot(u, u) / (2 * nn));
  const e1 = vec3();
  const e2 = vec3();
  sub(e1, a, centre);
  const radius = norm(e1);
  scale(e1, e1, 1 / radius);
  scale(n, n, 1 / Math.sqrt(nn));
  cross(e2, n, e1);
  const r = vec3();
  sub(r, originOf(end), centre);
  const swept = atan2(dot(r, e2), dot(r, e1));
  const total = swept > 0 ? swept : swept + TWO_PI; // n is chosen such that via is passed first
  return {
    kind: 'arc',
    length: radius * total,
    angle: turn.angle,
    curvature: radius * total * total,
    start,
    end,
    poseAt(out, s) {
      turn.rotationAt(out, s);
      const x = radius * cos(total * s);
      const y = radius * sin(total * s);
      for (const [i, k] of ORIGIN.entries()) out[k] = centre[i] + x * e1[i] + y * e2[i];
    },
    twistAt(out, s) {
      const x = -radius * total * sin(total * s);
      const y = radius * total * cos(total * s);
      for (let i = 0; i < 3; i++) {
        out[i] = x * e1[i] + y * e2[i];
        out[3 + i] = error[3 + i];
      }
    },
  };
}

/**
 * Returns the largest fraction of a leg, from either end, along which its origin stays within a distance (metres) of
 * that end.
 */
export function reachWithin({ length, curvature }: CartesianLeg, distance: number): number {
  if (length <= distance) return 1;
  if (curvature === 0) return Math.max(0, distance / length);
  // On an arc of angle θ and radius r the chord is 2 r sin(θ/2), which increases up to the diameter.
  const total = curvature / length;
  const sine = Math.max(0, distance) / (2 * (length / total));
  return sine >= 1 ? 1 : Math.min(1, (2 * atan2(sine, Math.sqrt(1 - sine * sine))) / total);
}

/**
 * Returns the difference from one pose to another as `poseError` does. A half turn has two directions for slerp,
 * between which rounding errors would decide; the axis whose largest component is positive is used.
 */
function legError(start: Transform, end: Transform): Float64Array {
  const error = new Float64Array(6);
  poseError(error, start, end);
  const turn = error.subarray(3, 6);
  if (norm(turn) < PI - HALF_TURN) return error;
  let largest = 0;
  for (let i = 1; i < 3; i++) if (Math.abs(turn[i]) > Math.abs(turn[largest])) largest = i;
  if (turn[largest] < 0) scale(turn, turn, -1);
  return error;
}

/** Absolute, rad: rotations that differ from a half turn by less are taken as one. */
const HALF_TURN = 1e-9;

/** Entries of a transform that hold the origin. */
const ORIGIN = [3, 7, 11];

/**
 * Square of the sine below which three points are taken as collinear, and of the ratio of distances below which two of
 * them are taken as one: rounding errors would determine the circle.
 */
const COLLINEAR = 1e-12;

const squaredDistance = (u: Vec3, v: Vec3) => (u[0] - v[0]) ** 2 + (u[1] - v[1]) ** 2 + (u[2] - v[2]) ** 2;

/** Rotation of constant angular velocity from one orientation to another. */
class Turn {
  private readonly step = create();

  private constructor(
    private readonly start: Transform,
    private readonly axis: Vec3,
    readonly angle: number,
  ) {}

  /** @param error pose error from start to end */
  static of(start: Transform, error: Float64Array): Turn {
    const axis = Float64Array.from(error.subarray(3, 6));
    const angle = norm(axis);
    if (angle > 0) scale(axis, axis, 1 / angle);
    return new Turn(start, axis, angle);
  }

  /** Computes R(axis, s · angle) R_start; sets the translation to an unspecified value. */
  rotationAt(out: Transform, s: number): void {
    const { start, axis, angle, step } = this;
    if (angle === 0) {
      copy(out, start);
      return;
    }
    const half = sin(0.5 * s * angle);
    setRotationFromQuaternion(step, [cos(0.5 * s * angle), half * axis[0], half * axis[1], half * axis[2]]);
    compose(out, step, start);
  }
}
