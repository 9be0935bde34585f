import type { Vec3 } from '../math/vec3.ts';
import type { ConvexShape } from '../shapes/shape.ts';

/** Returns whether `addSupportCurvature` adds something for the core of a shape. */
export const hasSupportCurvature = ({ type }: ConvexShape): boolean =>
  type === 'ellipsoid' || type === 'cylinder' || type === 'cone' || type === 'frustum';

/**
 * Adds the second derivatives of the support function of a shape's core, h(n) = max n·x, along two axes: `out` holds
 * uu, uv, vv. `d` is a unit direction, `point` the support point along it, `axes` the axes u and v, all in the frame of
 * the shape, `point` relative to its origin. Polytopes, and shapes given by a function, add nothing.
 */
export function addSupportCurvature(
  out: Float64Array,
  shape: ConvexShape,
  d: Vec3,
  point: Vec3,
  axes: Float64Array,
): void {
  const { type, size } = shape;
  if (type === 'ellipsoid') {
    // ∇²h = (S² − p pᵀ) / ‖S d‖ with S = diag(radii)
    const a = size[0],
      b = size[1],
      c = size[2];
    const ax = a * d[0],
      by = b * d[1],
      cz = c * d[2];
    const s = 1 / Math.sqrt(ax * ax + by * by + cz * cz);
    const ux = axes[0],
      uy = axes[1],
      uz = axes[2];
    const vx = axes[3],
      vy = axes[4],
      vz = axes[5];
    const pu = point[0] * ux + point[1] * uy + point[2] * uz;
    const pv = point[0] * vx + point[1] * vy + point[2] * vz;
    const aa = a * a,
      bb = b * b,
      cc = c * c;
    out[0] += s * (aa * ux * ux + bb * uy * uy + cc * uz * uz - pu * pu);
    out[1] += s * (aa * ux * vx + bb * uy * vy + cc * uz * vz - pu * pv);
    out[2] += s * (aa * vx * vx + bb * vy * vy + cc * vz * vz - pv * pv);
  } else if (type === 'cylinder' || type === 'cone' || type === 'frustum') {
    // A rim of radius r: ∇²h = r / ρ · τ τᵀ, with the tangent τ and ρ the length of d across the axis.
    const x = d[0],
      y = d[1];
    const squared = x * x + y * y;
    if (!(squared > 0)) return;
    const radius = type === 'cylinder' ? size[0] : point[2] > 0 ? size[1] : size[0];
    const u = x * axes[1] - y * axes[0];
    const v = x * axes[4] - y * axes[3];
    const s = radius / (squared * Math.sqrt(squared));
    out[0] += s * u * u;
    out[1] += s * u * v;
    out[2] += s * v * v;
  }
}
