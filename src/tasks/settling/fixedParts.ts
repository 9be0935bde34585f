import type { FixedPart } from '../../core/dynamics/bodyWorld.ts';
import { transformOfPose } from '../../core/kinematics/pose.ts';
import { compose, create, type Transform } from '../../core/math/transform.ts';
import type { CollisionObjectPart, Obstacle } from '../../core/scene/scene.ts';
import { createShape } from '../../core/shapes/index.ts';

/** Returns the convex parts of a fixed obstacle in the world; a sphere about each point for sphere clouds. */
export function fixedPartsOf({ parts, pose }: Obstacle): FixedPart[] {
  const T_world_object = transformOfPose(pose);
  return parts.flatMap((part) => {
    const T_world = create();
    compose(T_world, T_world_object, transformOfPart(part));
    if (part.balls !== true) return [{ shape: createShape(part.shape), T_world }];
    const { points, margin = 0 } = part.shape as { points?: readonly (readonly number[])[]; margin?: number };
    const sphere = createShape({ type: 'sphere', radius: margin });
    return (points ?? []).map((point) => ({ shape: sphere, T_world: shifted(T_world, point) }));
  });
}

/** Pose of a part in the frame of its object. */
export function transformOfPart({ at }: CollisionObjectPart): Transform {
  return at === undefined ? create() : transformOfPose(at);
}

function shifted(T: Transform, [x, y, z]: readonly number[]): Transform {
  const out = T.slice();
  for (let row = 0; row < 12; row += 4) out[row + 3] += T[row] * x + T[row + 1] * y + T[row + 2] * z;
  return out;
}
