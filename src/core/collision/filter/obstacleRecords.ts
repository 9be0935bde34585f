import type { Transform } from '../../math/transform.ts';
import { create, norm, type Vec3 } from '../../math/vec3.ts';
import { isHalfspace } from '../../shapes/halfspace.ts';
import type { ConvexShape } from '../../shapes/shape.ts';
import type { PosedParts } from '../model/posedParts.ts';
import { obstacleMargin, roundedDown, roundedUp, worldBoxMargin } from './floatErrors.ts';
import { obstacle } from './layout.ts';

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
  const solid = setReachableBox(shape, posed.T_world_part[robotParts.length + o], posed.state.T_world_link[0], reach);
  const offset = norm(center);
  const size = norm(half);
  const margin = obstacleMargin(rotation, offset, size);
  const rounding = worldBoxMargin(offset, size);
  const at = address / 4;
  for (let k = 0; k < 9; k++) floats[at + obstacle.axes / 4 + k] = axes[k];
  for (let k = 0; k < 3; k++) {
    let extent = rounding;
    for (let i = 0; i < 3; i++) extent += Math.abs(axes[3 * i + k]) * half[i];
    floats[at + obstacle.center / 4 + k] = center[k];
    floats[at + obstacle.half / 4 + k] = roundedUp(half[k] + margin);
    floats[at + obstacle.extents / 4 + k] = roundedUp(extent);
    floats[at + obstacle.solid / 4 + k] = roundedDown((solid ?? half)[k]);
  }
  floats[at + obstacle.depth / 4] = solid && !isSphereCloud ? roundedUp(margin) : Number.POSITIVE_INFINITY;
}

// Part of an obstacle's bounding box that a robot may reach, relative to the root of the robot: its axes in the world,
// axis after axis, its centre, and its half extents along the axes, metres. Scratch: set for each obstacle in turn.
const axes = new Float64Array(9);
const center: Vec3 = create();
const half: Vec3 = create();

/**
 * Cuts the bounding box of an obstacle along its own axes to the cube about the root that contains all points within
 * `reach`, where the whole robot stays: a box of moderate size however large or distant the obstacle is. A
 * half-space becomes the box of its part near the root. Returns half extents of a box about the same centre all of
 * whose points belong to the obstacle; undefined: none.
 */
function setReachableBox(shape: ConvexShape, T: Transform, root: Transform, reach: number): Float64Array | undefined {
  if (isHalfspace(shape)) axes.set(axesAbout(shape.size, T));
  else for (let i = 0; i < 9; i++) axes[i] = T[4 * (i % 3) + Math.floor(i / 3)];
  const isExact = shape.margin === 0 && (shape.type === 'box' || isHalfspace(shape));
  const x = T[3] - root[3];
  const y = T[7] - root[7];
  const z = T[11] - root[11];
  let isAway = false;
  let isWhole = true;
  center.fill(0);
  for (let i = 0; i < 3; i++) {
    const origin = axes[3 * i] * x + axes[3 * i + 1] * y + axes[3 * i + 2] * z;
    const isFlat = isHalfspace(shape);
    const from = origin + (isFlat ? Number.NEGATIVE_INFINITY : shape.bounds[i]);
    const to = origin + (!isFlat ? shape.bounds[i + 3] : i === 0 ? shape.margin : Number.POSITIVE_INFINITY);
    const lower = Math.min(Math.max(from, -reach), reach);
    const upper = Math.min(Math.max(to, -reach), reach);
    isAway ||= from > reach || to < -reach;
    isWhole &&= lower === from && upper === to;
    half[i] = 0.5 * (upper - lower);
    for (let k = 0; k < 3; k++) center[k] += 0.5 * (lower + upper) * axes[3 * i + k];
  }
  if (isExact && !isAway) return half;
  return shape.type === 'cylinder' && isWhole ? boxInCylinder(shape) : undefined;
}

/** Square about the axis, with its vertices on the lateral surface, over the length of the core. */
function boxInCylinder({ size: [radius, halfLength] }: ConvexShape): Float64Array {
  const side = Math.SQRT1_2 * radius;
  return Float64Array.of(side, side, halfLength);
}

/** An orthonormal frame whose first axis is a unit normal given in the frame T. */
function axesAbout(normal: ArrayLike<number>, T: Transform): Float64Array {
  const n = [0, 4, 8].map((row) => T[row] * normal[0] + T[row + 1] * normal[1] + T[row + 2] * normal[2]);
  const least = Math.abs(n[0]) < 0.6 ? 0 : 1;
  const a = n.map((value, k) => (k === least ? 1 : 0) - n[least] * value);
  const length = Math.sqrt(a[0] ** 2 + a[1] ** 2 + a[2] ** 2);
  const [x, y, z] = a.map((value) => value / length);
  return Float64Array.of(...n, x, y, z, n[1] * z - n[2] * y, n[2] * x - n[0] * z, n[0] * y - n[1] * x);
}
