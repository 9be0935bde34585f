import { transformOfPose } from '../../core/kinematics/pose.ts';
import { rotate } from '../../core/math/transform.ts';
import { constraintLabel, type PathConstraint, type RegionConstraint } from '../../core/scene/constraints.ts';
import type { Scene } from '../../core/scene/scene.ts';
import type { ShapeSpec } from '../../core/shapes/shape.ts';
import { InputError } from '../../errors.ts';

/** The lengths of a shape that lose the distance by which it shrinks, or twice that. */
const SHRUNK: Readonly<Record<string, { readonly once: readonly string[]; readonly twice: readonly string[] }>> = {
  box: { once: [], twice: ['size'] },
  sphere: { once: ['radius'], twice: [] },
  capsule: { once: ['radius'], twice: [] },
  cylinder: { once: ['radius'], twice: ['length'] },
};

/**
 * Returns a scene whose regions have lost all positions that are nearer to their boundary than `tracking`: a frame in
 * them is in those of the scene also if it is displaced by that distance. Throws `InputError` for regions of which
 * nothing is left, and for shapes that cannot be shrunk.
 */
export function withTrackedRegions(scene: Scene): Scene {
  const { constraints, tracking = 0 } = scene;
  if (constraints === undefined || tracking === 0) return scene;
  return { ...scene, constraints: constraints.map((one) => (isRegion(one) ? shrunk(one, tracking) : one)) };
}

/** Returns true for a region. */
export const isRegion = (given: PathConstraint): given is RegionConstraint => given.type === 'region';

function shrunk(given: RegionConstraint, tracking: number): RegionConstraint {
  const { shape, pose } = given;
  const { margin = 0 } = shape;
  const by = Math.max(0, tracking - margin);
  const rest = { ...shape, margin: Math.max(0, margin - tracking) };
  if (by === 0) return { ...given, shape: rest };
  if (shape.type === 'halfspace') {
    const normal = Float64Array.from(shape.normal as readonly number[]);
    const length = Math.sqrt(normal.reduce((sum, x) => sum + x * x, 0));
    rotate(normal, transformOfPose(pose), normal);
    const [x, y, z] = pose.xyz.map((value, i) => value - (by / length) * normal[i]);
    return { ...given, shape: rest, pose: { ...pose, xyz: [x, y, z] } };
  }
  const label = constraintLabel(given);
  if (!Object.hasOwn(SHRUNK, shape.type))
    throw new InputError(
      `constraint "${label}": a ${shape.type} cannot be judged with tracking`,
      `Use a halfspace, ${Object.keys(SHRUNK).join(', ')}, or a margin of at least the tracking.`,
    );
  const { once, twice } = SHRUNK[shape.type];
  const left = [...once.map((key) => [key, by] as const), ...twice.map((key) => [key, 2 * by] as const)];
  const lengths = left.map(([key, less]) => {
    const value = shape[key] as number | readonly number[];
    return [key, typeof value === 'number' ? value - less : value.map((one) => one - less)] as const;
  });
  if (lengths.some(([, value]) => [value].flat().some((one) => !(one > 0))))
    throw new InputError(`constraint "${label}": it is not larger than the tracking of ${tracking} m on both sides`);
  return { ...given, shape: { ...rest, ...Object.fromEntries(lengths) } as ShapeSpec };
}
