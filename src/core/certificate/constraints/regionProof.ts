import { InputError } from '../../../errors.ts';
import { transformOfPose } from '../../kinematics/pose.ts';
import { UNIT_ROUNDOFF } from '../../kinematics/poseRounding.ts';
import type { RobotModel } from '../../kinematics/robotModel.ts';
import type { LinkFrame } from '../../kinematics/toolCenterPoint.ts';
import { rotateBack } from '../../math/transform.ts';
import { norm, type Vec3, create as vec3 } from '../../math/vec3.ts';
import { constraintLabel, type RegionConstraint } from '../../scene/constraints.ts';
import { createShape } from '../../shapes/index.ts';
import type { ConvexShape } from '../../shapes/shape.ts';
import { FixedVector } from './fixedVector.ts';
import { polytopeDistance } from './polytopeDistance.ts';
import { POSE_TOLERANCE, type ProvedConstraint } from './provedConstraint.ts';

/** Roundings of a signed distance, relative to the coordinates of the point and the shape. */
const ROUNDINGS = 256 * UNIT_ROUNDOFF;

/**
 * Creates the evaluator of a region: the origin of a frame stays inside a convex shape. With τ the time from the
 * middle, it differs by at most D₂ h²/2 from x + τ ẋ, whose signed distance from the shape is largest at an end,
 * because that distance is convex.
 */
export function region(given: RegionConstraint, robot: RobotModel, frame: LinkFrame): ProvedConstraint {
  const shape = createShape(given.shape);
  const distanceOf = signedDistance(shape);
  const extent = Number.isFinite(shape.extent) ? shape.extent : shape.margin;
  const T_world_region = transformOfPose(given.pose);
  const place = Float64Array.from(given.pose.xyz);
  const origin = new FixedVector(robot, frame);
  const x = vec3();
  const distanceAt = (time: number) => {
    for (let i = 0; i < 3; i++) x[i] = origin.value[i] + time * origin.velocity[i] - place[i];
    rotateBack(x, T_world_region, x);
    return distanceOf(x);
  };
  return {
    label: constraintLabel(given),
    tolerance: POSE_TOLERANCE,
    excess(moment) {
      origin.evaluate(moment);
      const { half } = moment;
      const size = norm(origin.value) + norm(place) + half * origin.speed + extent;
      const away = half * (origin.velocityError + 0.5 * half * origin.bend) + origin.valueError + ROUNDINGS * size;
      return { now: distanceAt(0), upperBound: Math.max(distanceAt(half), distanceAt(-half)) + away };
    },
  };
}

/**
 * Returns a function that bounds the signed distance of a point from a shape from above, metres, in the frame of the
 * shape; negative inside. Exact outside and for boxes, round shapes and polytopes, up to rounding. The signed distance
 * from a convex set is convex and changes at most as fast as the position. Throws `InputError` for other shapes.
 */
function signedDistance(shape: ConvexShape): (x: Vec3) => number {
  const fromCore = coreDistance(shape);
  return (x) => fromCore(x) - shape.margin;
}

/** The distance from the shape without its margin. */
function coreDistance({ type, size, vertices }: ConvexShape): (x: Vec3) => number {
  const [s0, s1, s2] = size;
  switch (type) {
    case 'sphere':
      return norm;
    case 'capsule':
      return ([x, y, z]) => norm(Float64Array.of(x, y, Math.max(0, Math.abs(z) - s0)));
    case 'box':
      return ([x, y, z]) => fromPlanes([Math.abs(x) - s0, Math.abs(y) - s1, Math.abs(z) - s2]);
    case 'cylinder':
      return ([x, y, z]) => fromPlanes([Math.sqrt(x * x + y * y) - s0, Math.abs(z) - s1]);
    case 'cone':
    case 'frustum':
      return ([x, y, z]) => fromTrapezoid(Math.sqrt(x * x + y * y), z, s0, s1, s2);
    case 'ellipsoid':
      return (x) => fromEllipsoid(x, size);
    case 'convex':
      return polytopeDistance(vertices);
    case 'halfspace':
      return ([x, y, z]) => s0 * x + s1 * y + s2 * z;
    default:
      throw new InputError(`verify does not support regions of the shape "${type}"`);
  }
}

/** Signed distance from a box, from the heights above its faces, which are normal to each other. */
function fromPlanes(heights: readonly number[]): number {
  const most = Math.max(...heights);
  if (most <= 0) return most;
  return Math.sqrt(heights.reduce((sum, one) => sum + Math.max(0, one) ** 2, 0));
}

/** Signed distance of (ρ, z), ρ >= 0, from the part |z| <= half below the line from (bottom, −half) to (top, half). */
function fromTrapezoid(rho: number, z: number, bottom: number, top: number, half: number): number {
  const slant = Math.sqrt(4 * half * half + (bottom - top) * (bottom - top));
  const beyondWall = (2 * half * (rho - bottom) + (bottom - top) * (z + half)) / slant;
  const most = Math.max(beyondWall, Math.abs(z) - half);
  if (most <= 0) return most;
  const share = Math.min(1, Math.max(0, ((top - bottom) * (rho - bottom) + 2 * half * (z + half)) / (slant * slant)));
  const fromPoint = (r: number, height: number) => Math.sqrt((rho - r) ** 2 + (z - height) ** 2);
  return Math.min(
    fromPoint(bottom + share * (top - bottom), (2 * share - 1) * half),
    fromPoint(Math.min(rho, bottom), -half),
    fromPoint(Math.min(rho, top), half),
  );
}

/** Steps of Newton's method, from below the root of a convex function: each step comes nearer. */
const MAX_STEPS = 80;

/**
 * Inside, (‖x/r‖ − 1) times the least radius. Outside, the nearest point is pᵢ = rᵢ² xᵢ / (t + rᵢ²), with the t >= 0 at
 * which ‖p/r‖ = 1; the p that is found is moved onto the surface, so that the distance is never too small.
 */
function fromEllipsoid(x: Vec3, radii: ArrayLike<number>): number {
  const size = Math.sqrt((x[0] / radii[0]) ** 2 + (x[1] / radii[1]) ** 2 + (x[2] / radii[2]) ** 2);
  if (size <= 1) return Math.min(radii[0], radii[1], radii[2]) * (size - 1);
  let t = 0;
  for (let step = 0; step < MAX_STEPS; step++) {
    let [value, slope] = [-1, 0];
    for (let i = 0; i < 3; i++) {
      const share = (radii[i] * x[i]) / (t + radii[i] * radii[i]);
      value += share * share;
      slope -= (2 * share * share) / (t + radii[i] * radii[i]);
    }
    const next = t - value / slope;
    if (!(next > t)) break;
    t = next;
  }
  const p = x.map((value, i) => (radii[i] * radii[i] * value) / (t + radii[i] * radii[i]));
  const onto = Math.sqrt((p[0] / radii[0]) ** 2 + (p[1] / radii[1]) ** 2 + (p[2] / radii[2]) ** 2);
  return norm(x.map((value, i) => value - p[i] / Math.max(1, onto)));
}
