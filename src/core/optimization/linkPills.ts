import { InputError } from '../../errors.ts';
import { transformOfPose } from '../kinematics/pose.ts';
import type { CollisionDescription, Pose, RobotDescription } from '../kinematics/robotModel.ts';
import { type Transform, transformPoint } from '../math/transform.ts';
import { cos, PI, sin, TWO_PI } from '../math/trigonometry.ts';
import { sub } from '../math/vec3.ts';
import { isHalfspace } from '../shapes/halfspace.ts';
import { createShape } from '../shapes/index.ts';
import type { ConvexShape } from '../shapes/shape.ts';
import { type CapsuleFit, capsuleVolume, fitCapsule } from './capsuleFit.ts';
import { fitPaddedPolygon, type PolygonFit } from './polygonFit.ts';

/** Pill that contains one convex part of a link, in the frame of the link. */
export interface LinkPill {
  /** Name of the link. */
  readonly link: string;
  /** Index of the part within the link, from 0. */
  readonly part: number;
  /** Kind of the pill. */
  readonly kind: 'capsule' | 'padded-polygon';
  /** Radius about the core, metres. */
  readonly radius: number;
  /** Volume of the pill, m³; approximate for the padded polygon of a part with a margin. */
  readonly volume: number;
  /** The pill as a convex part of the link. */
  readonly collision: CollisionDescription;
}

const IDENTITY_POSE: Pose = { xyz: [0, 0, 0], quat_wxyz: [1, 0, 0, 0] };
/** Number of vertices of the regular polygon that circumscribes a circle. */
const CIRCLE_VERTICES = 24;

/**
 * Computes for each convex part of the links the capsule or padded polygon that contains it, whichever is smaller, in
 * the order of links and parts; spheres and capsules are unchanged. Every vertex of the part is checked to lie in the
 * pill. Throws `InputError` for a plane.
 */
export function linkPills(robot: RobotDescription): LinkPill[] {
  return robot.links.flatMap(({ name, collisions }) =>
    collisions.map((collision, part) => ({ link: name, part, ...pillAround(collision, name) })),
  );
}

function pillAround(collision: CollisionDescription, link: string): Omit<LinkPill, 'link' | 'part'> {
  const shape = createShape(collision.shape);
  if (isHalfspace(shape)) {
    throw new InputError(
      `link "${link}": its geometry is a plane, around which there is no pill`,
      'Remove it from the robot file and add an obstacle of type halfspace to the scene.',
    );
  }
  const { source } = collision;
  if (shape.type === 'sphere' || shape.type === 'capsule') {
    const length = shape.type === 'capsule' ? 2 * shape.size[0] : 0;
    const volume = capsuleVolume(shape.margin, length);
    return { kind: 'capsule', radius: shape.margin, volume, collision };
  }
  const points = enclosingVertices(shape, transformOfPose(collision.pose));
  const capsule = fitCapsule(points);
  const polygon = fitPaddedPolygon(points);
  const [capsuleVolumeWithMargin, polygonVolume] = [capsule, polygon].map((fit) => volumeWith(fit, shape.margin));
  if (polygon !== undefined && polygonVolume < capsuleVolumeWithMargin) {
    const radius = polygon.radius + shape.margin;
    return { kind: 'padded-polygon', radius, volume: polygonVolume, collision: polygonPart(polygon, radius, source) };
  }
  const radius = capsule.radius + shape.margin;
  return { kind: 'capsule', radius, volume: capsuleVolumeWithMargin, collision: capsulePart(capsule, radius, source) };
}

/** Returns the volume of a fit with a margin added; approximate for polygons, for selection only. */
function volumeWith(fit: CapsuleFit | PolygonFit | undefined, margin: number): number {
  if (fit === undefined) return Number.POSITIVE_INFINITY;
  if (margin === 0 || !('from' in fit)) return fit.volume * ((fit.radius + margin) / fit.radius);
  return capsuleVolume(fit.radius + margin, lengthOf(fit));
}

function lengthOf({ from, to }: CapsuleFit): number {
  const axis = new Float64Array(3);
  sub(axis, to, from);
  return Math.sqrt(axis[0] * axis[0] + axis[1] * axis[1] + axis[2] * axis[2]);
}

function capsulePart(fit: CapsuleFit, radius: number, source: number): CollisionDescription {
  const length = lengthOf(fit);
  const { from, to } = fit;
  const sign = to[2] < from[2] ? -1 : 1;
  const [x, y, z] = length > 0 ? Array.from(to, (value, k) => (sign * (value - from[k])) / length) : [0, 0, 1];
  // Rotation from z to the axis d: quaternion (1 + z·d, z × d), normalised.
  const norm = Math.sqrt(2 * (1 + z));
  const [mx, my, mz] = Array.from(to, (value, k) => (value + from[k]) / 2);
  return {
    shape: { type: 'capsule', radius, length },
    pose: { xyz: [mx, my, mz], quat_wxyz: [(1 + z) / norm, -y / norm, x / norm, 0] },
    triangles: 0,
    source,
  };
}

function polygonPart({ origin, u, v, vertices }: PolygonFit, radius: number, source: number): CollisionDescription {
  const points = vertices.map(([x, y]) => Array.from(origin, (value, k) => value + x * u[k] + y * v[k]));
  return { shape: { type: 'convex', points, margin: radius }, pose: IDENTITY_POSE, triangles: 0, source };
}

/**
 * Returns points in the frame of the link whose convex hull contains the core of a shape: its vertices, or those of an
 * enclosing polytope.
 */
function enclosingVertices(shape: ConvexShape, T_link_part: Transform): Float64Array {
  const vertices =
    shape.vertices.length > 0 ? Float64Array.from(shape.vertices) : Float64Array.from(outerVertices(shape));
  for (let i = 0; i < vertices.length; i += 3) {
    const vertex = vertices.subarray(i, i + 3);
    transformPoint(vertex, T_link_part, vertex);
  }
  return vertices;
}

/**
 * Returns the vertices of an enclosing polytope: rings around the ends of cylinders, the bounding box of other shapes.
 */
function outerVertices({ type, size, margin, bounds }: ConvexShape): number[] {
  if (type === 'cylinder') return [...ringAround(size[0], -size[1]), ...ringAround(size[0], size[1])];
  const vertices: number[] = [];
  for (let vertex = 0; vertex < 8; vertex++) {
    for (let k = 0; k < 3; k++) vertices.push((vertex >> k) & 1 ? bounds[3 + k] - margin : bounds[k] + margin);
  }
  return vertices;
}

/** Returns the vertices of a regular polygon around a circle at height z. */
function ringAround(radius: number, z: number): number[] {
  const outside = radius / cos(PI / CIRCLE_VERTICES);
  return Array.from({ length: CIRCLE_VERTICES }, (_, i) => (i * TWO_PI) / CIRCLE_VERTICES).flatMap((angle) => [
    outside * cos(angle),
    outside * sin(angle),
    z,
  ]);
}
