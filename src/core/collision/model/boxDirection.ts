import { rotateBack } from '../../math/transform.ts';
import type { Vec3 } from '../../math/vec3.ts';
import { BOX_SIZE, type PosedParts } from './posedParts.ts';

/**
 * Computes the normal between the world bounding boxes of a pair: the unit vector from A to B between their nearest
 * points, in the frame of part B. The boxes must be disjoint.
 */
export function boxDirection(out: Vec3, posed: PosedParts, pair: number): void {
  const { boxes, model } = posed;
  const a = BOX_SIZE * model.pairA[pair];
  const b = BOX_SIZE * model.pairB[pair];
  const scale = 1 / Math.sqrt(posed.boxDistanceSquared(pair));
  for (let axis = 0; axis < 3; axis++) {
    const after = boxes[b + axis] - boxes[a + axis + 3];
    const before = boxes[a + axis] - boxes[b + axis + 3];
    out[axis] = scale * (after > 0 ? after : before > 0 ? -before : 0);
  }
  rotateBack(out, posed.T_world_part[model.pairB[pair]], out);
}
