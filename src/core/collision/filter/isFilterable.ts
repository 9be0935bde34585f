import type { PosedParts } from '../model/posedParts.ts';
import { greatestValues, MAX_ROTATION_ERROR, poseErrors } from './floatErrors.ts';
import { hasRigidJoints, isRotation } from './isRotation.ts';

/** Metres: with greater errors, as of slides without limits, nearly all pairs stay open and the filter only costs. */
const MAX_POSITION_ERROR = 0.01;

/** With more obstacle parts the linear scan of the kernel loses to the box tree of the exact check. */
const MAX_OBSTACLES = 128;

/**
 * Returns true if the filter can check the states of a scene, obstacles at their current poses: few obstacles, bounded
 * robot parts, orthonormal rotations and unit axes throughout, and a chain and travels short enough for single
 * precision.
 */
export function isFilterable({ model, state, T_world_part }: PosedParts): boolean {
  const { robotParts, obstacleParts, pairCount } = model;
  if (obstacleParts.length > MAX_OBSTACLES || pairCount === 0) return false;
  if (!robotParts.every((part) => part.shape.extent < Number.POSITIVE_INFINITY && isRotation(part.T_link_part)))
    return false;
  if (!T_world_part.slice(robotParts.length).every((T) => isRotation(T))) return false;
  if (!isRotation(state.T_world_link[0])) return false;
  if (!hasRigidJoints(state)) return false;
  const errors = poseErrors(state, greatestValues(state));
  return errors.every(({ rotation, position }) => rotation < 0.5 * MAX_ROTATION_ERROR && position < MAX_POSITION_ERROR);
}
