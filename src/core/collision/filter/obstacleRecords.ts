import type { Transform } from '../../math/transform.ts';
import { norm, type Vec3 } from '../../math/vec3.ts';
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

/** Part of an obstacle's bounding box that a robot may reach, relative to the root of the robot. */
interface ReachableBox {
  /** Axes in the world, axis after axis. */
  readonly axes: Float64Array;
  /** Centre, metres. */
  readonly center: Float64Array;
  /** Half extents along the axes, metres. */
  readonly half: Float64Array;
  /** Half extents of a box about the same centre all of whose points belong to the obstacle; undefined: none. */
  readonly solid: Float64Array | undefined;
}

/**
 * Cuts the bounding box of an obstacle along its own axes to the cube about the root that contains all points within
 * `reach`, where the whole robot stays: a box of moderate size however large or distant the obstacle is. A
 * half-space becomes the box of its part near the root.
 */
function reachableBox(shape: ConvexShape, T: Transform, root: ArrayLike<number>, reach: number): ReachableBox {
  const axes = isHalfspace(shape) ? axesAbout(shape.size, T) : columnsOf(T);
  const isExact = shape.margin === 0 && (shape.type === 'box' || isHalfspace(shape));
  const offset = [T[3] - root[0], T[7] - root[1], T[11] - root[2]];
  const center = new Float64Array(3);
  const half = new Float64Array(3);
  let isAway = false;
  let isWhole = true;
  for (let i = 0; i < 3; i++) {
    const origin = axes[3 * i] * offset[0] + axes[3 * i + 1] * offset[1] + axes[3 * i + 2] * offset[2];
    const [from, to] = isHalfspace(shape) ? halfspaceRange(i, shape.margin) : [shape.bounds[i], shape.bounds[i + 3]];
    const lower = Math.min(Math.max(origin + from, -reach), reach);
    const upper = Math.min(Math.max(origin + to, -reach), reach);
    isAway ||= origin + from > reach || origin + to < -reach;
    isWhole &&= lower === origin + from && upper === origin + to;
    half[i] = 0.5 * (upper - lower);
    for (let k = 0; k < 3; k++) center[k] += 0.5 * (lower + upper) * axes[3 * i + k];
  }
  if (isExact && !isAway) return { axes, center, half, solid: half };
  return { axes, center, half, solid: shape.type === 'cylinder' && isWhole ? boxInCylinder(shape) : undefined };
}

/** Square about the axis, with its vertices on the lateral surface, over the length of the core. */
function boxInCylinder({ size: [radius, halfLength] }: ConvexShape): Float64Array {
  const side = Math.SQRT1_2 * radius;
  return Float64Array.of(side, side, halfLength);
}

const halfspaceRange = (axis: number, margin: number): [number, number] =>
  axis === 0 ? [Number.NEGATIVE_INFINITY, margin] : [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];

const columnsOf = (T: Transform): Float64Array =>
  Float64Array.from([T[0], T[4], T[8], T[1], T[5], T[9], T[2], T[6], T[10]]);

/** An orthonormal frame whose first axis is a unit normal given in the frame T. */
function axesAbout(normal: ArrayLike<number>, T: Transform): Float64Array {
  const n = [0, 4, 8].map((row) => T[row] * normal[0] + T[row + 1] * normal[1] + T[row + 2] * normal[2]);
  const least = Math.abs(n[0]) < 0.6 ? 0 : 1;
  const a = n.map((value, k) => (k === least ? 1 : 0) - n[least] * value);
  const length = Math.sqrt(a[0] ** 2 + a[1] ** 2 + a[2] ** 2);
  const [x, y, z] = a.map((value) => value / length);
  return Float64Array.of(...n, x, y, z, n[1] * z - n[2] * y, n[2] * x - n[0] * z, n[0] * y - n[1] * x);
}
