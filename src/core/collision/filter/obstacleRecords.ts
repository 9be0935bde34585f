import { norm, type Vec3 } from '../../math/vec3.ts';
import type { PosedParts } from '../model/posedParts.ts';
import { obstacleMargin, roundedDown, roundedUp, worldBoxMargin } from './floatErrors.ts';
import { obstacle } from './layout.ts';
import { reachableBox } from './reachableBox.ts';

/** What the record of an obstacle depends on besides the obstacle. */
interface RobotBounds {
  /** Distance (m) from the root within which the robot stays. */
  readonly reach: number;
  /** Greatest error of the rotation of a link. */
  readonly rotation: number;
}

/** Writes the record of obstacle part `o`, at its current pose, to an address. */
export function writeObstacle(
  floats: Float32Array,
  address: number,
  posed: PosedParts,
  o: number,
  { reach, rotation }: RobotBounds,
): void {
  const { robotParts, obstacleParts } = posed.model;
  const { shape, isSphereCloud } = obstacleParts[o];
  const T_world_root = posed.state.T_world_link[0];
  const root = [T_world_root[3], T_world_root[7], T_world_root[11]];
  const T_world_part = posed.T_world_part[robotParts.length + o];
  const { axes, center, half, solid } = reachableBox(shape, T_world_part, root, reach);
  const offset = norm(center as Vec3);
  const size = norm(half as Vec3);
  const margin = obstacleMargin(rotation, offset, size);
  const rounding = worldBoxMargin(offset, size);
  const write = (field: number, values: ArrayLike<number>) => floats.set(values, (address + field) / 4);
  const extents = [0, 1, 2].map((k) => half.reduce((sum, h, i) => sum + Math.abs(axes[3 * i + k]) * h, rounding));
  write(obstacle.axes, axes);
  write(obstacle.center, center);
  write(
    obstacle.half,
    Array.from(half, (h) => roundedUp(h + margin)),
  );
  write(obstacle.extents, extents.map(roundedUp));
  write(obstacle.solid, Array.from(solid ?? half, roundedDown));
  write(obstacle.depth, [solid && !isSphereCloud ? roundedUp(margin) : Number.POSITIVE_INFINITY]);
}
