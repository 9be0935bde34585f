import { transformOfPose } from '../kinematics/pose.ts';
import type { LinkFrame } from '../kinematics/toolCenterPoint.ts';
import { rotate, rotateBack, rotated, type Transform, transformedPoint } from '../math/transform.ts';
import { dot, plusScaled, type Vec3, create as vec3 } from '../math/vec3.ts';
import { constraintLabel, type RegionConstraint } from '../scene/constraints.ts';
import { EXCESS_TOLERANCE, type FrameConstraint, type Halfspace } from './frameConstraint.ts';
import type { RegionBound } from './polytopeFacets.ts';
import { regionBounds } from './regionShapes.ts';

/** Depth of projections, metres; thinner regions are reached by smaller steps. */
const INSIDE = 0.01;

/** Metres: between opposite planes that are nearer, planners project states. */
const NEAR = 0.2;
/** Cosine of the angle between the normals of planes from which on they are opposite. */
const OPPOSITE = -0.9;

/**
 * Creates the function of a region constraint: the largest value of a bound of the shape at the origin of the frame,
 * metres. Throws `InputError` as `regionBounds`.
 */
export function region(given: RegionConstraint, frame: LinkFrame): FrameConstraint {
  const label = constraintLabel(given);
  const bounds = regionBounds(given.shape, label);
  const T_world_region = transformOfPose(given.pose);
  if (given.shape.type === 'halfspace') return behind(halfspaceOf(bounds[0], T_world_region), frame, label);
  const x = vec3();
  const v = vec3();
  const gradient = vec3();
  /** Computes the position in the frame of the region. */
  const place = (T: Transform) => {
    for (let i = 0; i < 3; i++) x[i] = T[4 * i + 3] - T_world_region[4 * i + 3];
    rotateBack(x, T_world_region, x);
  };
  const worst = (T: Transform): { readonly bound: RegionBound; readonly value: number } => {
    place(T);
    let [bound, value] = [bounds[0], Number.NEGATIVE_INFINITY];
    for (const one of bounds) {
      const other = one.evaluate(gradient, x);
      if (other <= value) continue;
      [bound, value] = [one, other];
      if (Number.isNaN(value)) break; // violated, whatever the others are
    }
    return { bound, value };
  };
  return {
    label,
    frame,
    excess: (T) => worst(T).value,
    gradient(out, T) {
      const { bound } = worst(T);
      bound.evaluate(gradient, x);
      rotate(gradient, T_world_region, gradient);
      out.fill(0);
      for (let i = 0; i < 3; i++) out[i] = gradient[i];
    },
    inside: INSIDE,
    holdsOver({ T, twist, bounds: rates, half }) {
      place(T);
      for (let i = 0; i < 3; i++) v[i] = twist[i];
      rotateBack(v, T_world_region, v);
      return bounds.every((bound) => isBelow(bound, x, v, rates, half, gradient));
    },
  };
}

/**
 * With V and A the bounds on speed and acceleration, and κ the curvature of the bound within V h of x(m):
 *   f(t) <= f(m) + V h  and  f(t) <= f(m) + |∇f·v| h + (A + κ V²) h² / 2.
 * @param gradient is overwritten
 */
function isBelow(
  bound: RegionBound,
  x: Vec3,
  v: Vec3,
  { speed, acceleration }: { readonly speed: number; readonly acceleration: number },
  half: number,
  gradient: Vec3,
): boolean {
  const value = bound.evaluate(gradient, x);
  const reach = speed * half;
  if (value + reach <= EXCESS_TOLERANCE) return true;
  const bend = acceleration + bound.curvature(x, reach) * speed * speed;
  return value + half * (Math.abs(dot(gradient, v)) + 0.5 * half * bend) <= EXCESS_TOLERANCE;
}

/** Creates the function of a half-space: flat, so that its excess takes one product, and bounds over intervals two. */
function behind(halfspace: Halfspace, frame: LinkFrame, label: string): FrameConstraint {
  const [nx, ny, nz] = halfspace.normal;
  const [px, py, pz] = halfspace.point;
  const excess = (T: Transform) => nx * (T[3] - px) + ny * (T[7] - py) + nz * (T[11] - pz);
  return {
    label,
    frame,
    halfspace,
    excess,
    gradient(out) {
      out.fill(0);
      out.set(halfspace.normal);
    },
    inside: INSIDE,
    holdsOver({ T, twist, bounds: { speed, acceleration }, half }) {
      const value = excess(T);
      if (value + speed * half <= EXCESS_TOLERANCE) return true;
      const rate = Math.abs(nx * twist[0] + ny * twist[1] + nz * twist[2]);
      return value + half * (rate + 0.5 * half * acceleration) <= EXCESS_TOLERANCE;
    },
  };
}

/** Returns the half-space of a region that has one bound: it is flat, so that its gradient is the same everywhere. */
function halfspaceOf(bound: RegionBound, T_world_region: Transform): Halfspace {
  const [normal, origin] = [vec3(), vec3()];
  const depth = -bound.evaluate(normal, origin);
  return {
    normal: rotated(T_world_region, normal),
    point: transformedPoint(T_world_region, plusScaled(origin, normal, depth)),
  };
}

/** Returns true if two half-spaces are a slab thinner than `NEAR`, or nearly one. */
export function areNearOpposites(one: Halfspace, other: Halfspace): boolean {
  if (dot(one.normal, other.normal) > OPPOSITE) return false;
  return dot(one.normal, one.point) - dot(one.normal, other.point) < NEAR;
}
