import { InputError } from '../errors.ts';
import { transformOfPose } from '../kinematics/pose.ts';
import type { LinkFrame } from '../kinematics/toolCenterPoint.ts';
import { rotate, rotateBack, type Transform } from '../math/transform.ts';
import { dot, norm, type Vec3, create as vec3 } from '../math/vec3.ts';
import { constraintLabel, type RegionConstraint } from '../scene/constraints.ts';
import type { ShapeSpec } from '../shapes/shape.ts';
import { EXCESS_TOLERANCE, type FrameConstraint } from './frameConstraint.ts';

/** A condition on the position x in the frame of a region: the norm of some of its coordinates is at most `size`. */
interface Bound {
  /** Indices of the coordinates whose norm is limited. */
  readonly axes: readonly number[];
  readonly size: number;
  /** Capsules: half the length of the segment along z that distances are measured from. */
  readonly segment: number;
}

/** Shapes of regions, by type. */
const boundsOf: Readonly<Record<string, (shape: Fields) => readonly Bound[]>> = {
  box: ({ size }) => size!.map((length, i) => ({ axes: [i], size: length / 2, segment: 0 })),
  sphere: ({ radius }) => [{ axes: [0, 1, 2], size: radius!, segment: 0 }],
  capsule: ({ radius, length }) => [{ axes: [0, 1, 2], size: radius!, segment: length! / 2 }],
  cylinder: ({ radius, length }) => [
    { axes: [0, 1], size: radius!, segment: 0 },
    { axes: [2], size: length! / 2, segment: 0 },
  ],
};

interface Fields {
  readonly size?: readonly number[];
  readonly radius?: number;
  readonly length?: number;
  readonly margin: number;
}

/** Types of shapes that a region may have. */
export const regionShapes: readonly string[] = Object.keys(boundsOf);

/**
 * Creates the function of a region constraint: the largest distance of the origin of the frame beyond a bound of the
 * shape, metres. Throws `InputError` for other shapes than `regionShapes`, and for a margin.
 */
export function region(given: RegionConstraint, frame: LinkFrame): FrameConstraint {
  const bounds = regionBounds(given.shape, constraintLabel(given));
  const T_world_region = transformOfPose(given.pose);
  const x = vec3();
  const v = vec3();
  /** Computes the position in the frame of the region. */
  const place = (T: Transform) => {
    for (let i = 0; i < 3; i++) x[i] = T[4 * i + 3] - T_world_region[4 * i + 3];
    rotateBack(x, T_world_region, x);
  };
  const worst = (T: Transform) => {
    place(T);
    let most = bounds[0];
    for (const bound of bounds)
      if (distanceFrom(x, bound) - bound.size > distanceFrom(x, most) - most.size) most = bound;
    return most;
  };
  return {
    label: constraintLabel(given),
    frame,
    excess(T) {
      const bound = worst(T);
      return distanceFrom(x, bound) - bound.size;
    },
    gradient(out, T) {
      const bound = worst(T);
      const away = offsetFrom(x, bound);
      const length = norm(away);
      out.fill(0);
      if (length === 0) return;
      rotate(away, T_world_region, away);
      for (let i = 0; i < 3; i++) out[i] = away[i] / length;
    },
    holdsOver({ T, twist, bounds: rates, half }) {
      place(T);
      for (let i = 0; i < 3; i++) v[i] = twist[i];
      rotateBack(v, T_world_region, v);
      return bounds.every((bound) => {
        const away = offsetFrom(x, bound);
        const distance = norm(away);
        const most = bound.size + EXCESS_TOLERANCE;
        if (distance + rates.speed * half <= most) return true;
        // d² has the derivative 2 (x − p)·v with p the nearest point of the origin, line, plane or segment that
        // distances are from, and a second derivative of at most 2 V² + 2 d A: d²(t) <= d²(m) + |2 (x − p)·v| h + (V² +
        // (d + V h) A) h²
        const rate = Math.abs(2 * dot(away, v));
        const reach = distance + rates.speed * half;
        const bend = rates.speed * rates.speed + reach * rates.acceleration;
        return distance * distance + half * (rate + half * bend) <= most * most;
      });
    },
  };
}

function regionBounds(shape: ShapeSpec, label: string): readonly Bound[] {
  const create = Object.hasOwn(boundsOf, shape.type) ? boundsOf[shape.type] : undefined;
  if (create === undefined)
    throw new InputError(
      `constraint "${label}": a region cannot be a ${shape.type}`,
      `Use one of: ${regionShapes.join(', ')}.`,
    );
  const fields = { margin: 0, ...(shape as unknown as Partial<Fields>) };
  if (shape.type === 'box' && fields.size?.length !== 3)
    throw new InputError(`constraint "${label}": the size of its box must be three numbers`);
  if (fields.margin !== 0)
    throw new InputError(`constraint "${label}": a region has no margin`, 'State the size that includes it.');
  if (!create(fields).every(({ size, segment }) => size >= 0 && segment >= 0))
    throw new InputError(`constraint "${label}": the sizes of its ${shape.type} must be at least 0`);
  return create(fields);
}

/** Returns the part of a position whose norm a bound limits. */
function offsetFrom(x: Vec3, { axes, segment }: Bound): Vec3 {
  const away = vec3();
  for (const i of axes) away[i] = x[i];
  if (segment > 0) away[2] -= Math.min(segment, Math.max(-segment, x[2]));
  return away;
}

const distanceFrom = (x: Vec3, bound: Bound) => norm(offsetFrom(x, bound));
