import { transformOfPose } from '../kinematics/pose.ts';
import type { CollisionDescription, Pose, RobotDescription } from '../kinematics/robotModel.ts';
import { type Transform, transformPoint } from '../math/transform.ts';
import { cos, PI, sin, TWO_PI } from '../math/trigonometry.ts';
import { sub } from '../math/vec3.ts';
import { createShape } from '../shapes/index.ts';
import type { ConvexShape } from '../shapes/shape.ts';
import { type CapsuleFit, fitCapsule } from './capsuleFit.ts';
import { fitPaddedPolygon, type PolygonFit } from './polygonFit.ts';

/** The pill around one convex part of a link, in the link's frame. */
export interface LinkPill {
  readonly link: string;
  /** Which part of the link, counted from 0. */
  readonly part: number;
  readonly kind: 'capsule' | 'padded-polygon';
  readonly radius: number;
  /** m³: of the pill. */
  readonly volume: number;
  readonly collision: CollisionDescription;
}

const HERE: Pose = { xyz: [0, 0, 0], quat_wxyz: [1, 0, 0, 0] };
/** Corners of the regular polygon that stands for a circle, from outside. */
const CIRCLE = 24;

/**
 * The robot with a capsule or a padded polygon, whichever is smaller, around each convex part of its links: part for part, so that a plane
 * that parts two pills parts the two bodies, and what is free with pills is free with the bodies they hold. Spheres and capsules stay.
 */
export function pillRobot(robot: RobotDescription): RobotDescription {
  const pills = linkPills(robot);
  return {
    ...robot,
    links: robot.links.map((link) => ({
      ...link,
      collisions: pills.filter((pill) => pill.link === link.name).map((pill) => pill.collision),
    })),
  };
}

/** The pills of `pillRobot`, in the order of links and parts. Each holds its part: all corners were measured. */
export function linkPills(robot: RobotDescription): LinkPill[] {
  return robot.links.flatMap(({ name, collisions }) =>
    collisions.map((collision, part) => ({ link: name, part, ...pillAround(collision) })),
  );
}

function pillAround(collision: CollisionDescription): Omit<LinkPill, 'link' | 'part'> {
  const shape = createShape(collision.shape);
  const { source } = collision;
  if (shape.type === 'sphere' || shape.type === 'capsule') {
    const length = shape.type === 'capsule' ? 2 * shape.size[0] : 0;
    const volume = capsuleVolume(shape.margin, length);
    return { kind: 'capsule', radius: shape.margin, volume, collision };
  }
  const points = cornersAround(shape, transformOfPose(collision.pose));
  const capsule = fitCapsule(points);
  const polygon = fitPaddedPolygon(points);
  const [ofCapsule, ofPolygon] = [capsule, polygon].map((fit) => volumeWith(fit, shape.margin));
  if (polygon !== undefined && ofPolygon < ofCapsule) {
    const radius = polygon.radius + shape.margin;
    return { kind: 'padded-polygon', radius, volume: ofPolygon, collision: polygonPart(polygon, radius, source) };
  }
  const radius = capsule.radius + shape.margin;
  return { kind: 'capsule', radius, volume: ofCapsule, collision: capsulePart(capsule, radius, source) };
}

const capsuleVolume = (radius: number, length: number): number =>
  Math.PI * radius * radius * (length + (4 / 3) * radius);

/** Volume of a fit with a margin around it; near enough, for polygons, to choose by. */
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
  // The turn that takes z to the axis: 1 + z·d, z × d.
  const norm = Math.sqrt(2 * (1 + z));
  const [mx, my, mz] = Array.from(to, (value, k) => (value + from[k]) / 2);
  return {
    shape: { type: 'capsule', radius, length },
    pose: { xyz: [mx, my, mz], quat_wxyz: [(1 + z) / norm, -y / norm, x / norm, 0] },
    triangles: 0,
    source,
  };
}

function polygonPart({ origin, u, v, corners }: PolygonFit, radius: number, source: number): CollisionDescription {
  const points = corners.map(([x, y]) => Array.from(origin, (value, k) => value + x * u[k] + y * v[k]));
  return { shape: { type: 'convex', points, margin: radius }, pose: HERE, triangles: 0, source };
}

/** Points in the link's frame whose hull holds the core of a body: its corners, or those of a polytope around it. */
function cornersAround(shape: ConvexShape, T_link_part: Transform): Float64Array {
  const corners =
    shape.vertices.length > 0 ? Float64Array.from(shape.vertices) : Float64Array.from(outerCorners(shape));
  for (let i = 0; i < corners.length; i += 3) {
    const corner = corners.subarray(i, i + 3);
    transformPoint(corner, T_link_part, corner);
  }
  return corners;
}

/** Rings around the ends of bodies that are round about z; the box of bounds of all others. */
function outerCorners({ type, size, margin, bounds }: ConvexShape): number[] {
  if (type === 'cylinder') return [...ringAround(size[0], -size[1]), ...ringAround(size[0], size[1])];
  const corners: number[] = [];
  for (let corner = 0; corner < 8; corner++) {
    for (let k = 0; k < 3; k++) corners.push((corner >> k) & 1 ? bounds[3 + k] - margin : bounds[k] + margin);
  }
  return corners;
}

/** Corners of a regular polygon around a circle of this radius at height z. */
function ringAround(radius: number, z: number): number[] {
  const outside = radius / cos(PI / CIRCLE);
  return Array.from({ length: CIRCLE }, (_, i) => (i * TWO_PI) / CIRCLE).flatMap((angle) => [
    outside * cos(angle),
    outside * sin(angle),
    z,
  ]);
}
