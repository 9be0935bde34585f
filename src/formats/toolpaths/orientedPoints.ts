import { quaternionOf } from '../../core/math/quaternion.ts';
import { create } from '../../core/math/transform.ts';
import type { PathPoint } from '../../core/scene/program.ts';
import type { WayPoint } from './wayPoint.ts';

/**
 * Returns way points with orientations in place of normals: the z axis of the TCP is against the normal, and the x axis
 * is that of the way point before, moved with the normal by the smallest rotation; of the first one, the projection of
 * the x axis of the frame, or of its y axis if the normal is nearly parallel to x.
 */
export function orientedPoints(points: readonly WayPoint[]): PathPoint[] {
  let x: readonly number[] | undefined;
  return points.map(({ xyz, quat_wxyz, normal, ...others }) => {
    if (normal === undefined) return { xyz, ...(quat_wxyz && { quat_wxyz }), ...others };
    const z = unit(normal.map((part) => -part));
    const preferred = x ?? (Math.abs(z[0]) < NEARLY_PARALLEL ? [1, 0, 0] : [0, 1, 0]);
    const projected = perpendicular(preferred, z);
    x = unit(
      length(projected) > DEGENERATE ? projected : perpendicular(Math.abs(z[0]) < 0.5 ? [1, 0, 0] : [0, 1, 0], z),
    );
    const y = [z[1] * x[2] - z[2] * x[1], z[2] * x[0] - z[0] * x[2], z[0] * x[1] - z[1] * x[0]];
    const T = create();
    for (let row = 0; row < 3; row++) T.set([x[row], y[row], z[row]], 4 * row);
    return { xyz, quat_wxyz: quaternionOf(T), ...others };
  });
}

const NEARLY_PARALLEL = 0.9;
/** Length of a projection that has no direction. */
const DEGENERATE = 1e-6;

const length = (v: readonly number[]) => Math.sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
const unit = (v: readonly number[]) => v.map((part) => part / length(v));

function perpendicular(v: readonly number[], z: readonly number[]): number[] {
  const along = v[0] * z[0] + v[1] * z[1] + v[2] * z[2];
  return v.map((part, i) => part - along * z[i]);
}
