import type { CollisionModel } from '../../src/core/collision/model/collisionModel.ts';
import { ConvexHull, Vector3 } from '../../src/core/hulls/threeGeometry.ts';
import { anchorsOf } from '../../src/core/kinematics/forwardKinematics.ts';
import { compose, create } from '../../src/core/math/transform.ts';
import type { ConvexShape, ShapeSpec } from '../../src/core/shapes/shape.ts';
import type { BenchBody } from '../narrowphase/bodies.ts';
import type { BenchPair } from '../narrowphase/pairs.ts';

/** Input of our C++ peers: words separated by spaces. See cpp/bodies.hpp. */
export type Words = (string | number)[];

/** Kinds of bodies that FCL knows as well. */
const common = ['box', 'ellipsoid', 'sphere', 'convex', 'capsule', 'cylinder', 'cone'];

/** Every pair at every pose; undefined if a body is of a kind that FCL does not know. */
export function pairWords(pairs: readonly BenchPair[]): Words | undefined {
  const bodies = [...new Set(pairs.flatMap(({ a, b }) => [a, b]))];
  if (!bodies.every(({ spec }) => common.includes(spec.type))) return undefined;
  const index = new Map<BenchBody, number>(bodies.map((body, i) => [body, i]));
  const asked = pairs.flatMap(({ a, b, poses }) => poses.map((T) => [index.get(a)!, index.get(b)!, ...T]));
  return [bodies.length, ...bodies.flatMap(({ spec }) => specWords(spec)), asked.length, ...asked.flat()];
}

/**
 * Robot, parts and pairs of a scene; undefined if FCL does not know a kind of part, or knows no padding where there is
 * some.
 */
export function sceneWords(model: CollisionModel): Words | undefined {
  const { robot, robotParts: moving, obstacleParts: standing, pairA, pairB } = model;
  if (model.scene.padding > 0 || ![...moving, ...standing].every(({ shape }) => isCommon(shape))) return undefined;
  const anchors = anchorsOf(robot);
  const T = create();
  const joints = robot.joints
    .filter((joint) => joint.variable >= 0)
    .map(({ child, parent, variable, type, multiplier, offset, T_parent_joint, axis }) => {
      compose(T, anchors[parent].T_anchor_link, T_parent_joint);
      return [child, anchors[parent].link, variable, type === 'prismatic' ? 1 : 0, multiplier, offset, ...T, ...axis];
    });
  return [
    robot.dof,
    ...robot.variables.flatMap(({ limits }) => [Math.max(limits.lower, -Math.PI), Math.min(limits.upper, Math.PI)]),
    robot.links.length,
    ...robot.T_world_root,
    joints.length,
    ...joints.flat(),
    moving.length,
    ...moving.flatMap(({ link, T_link_part, shape }) => [link, ...T_link_part, ...shapeWords(shape)]),
    standing.length,
    ...standing.flatMap(({ T_world_part, shape }) => [...T_world_part, ...shapeWords(shape)]),
    model.pairCount,
    ...Array.from(pairA, (a, p) => [a, pairB[p]]).flat(),
  ];
}

function isCommon({ type, margin }: ConvexShape): boolean {
  return common.includes(type) && (margin === 0 || type === 'sphere' || type === 'capsule');
}

function specWords(spec: ShapeSpec): Words {
  const { type, radius, length, size, radii, points } = spec as unknown as Record<string, number> & {
    type: string;
    size: number[];
    radii: number[];
    points: number[][];
  };
  if (type === 'box') return [type, ...size];
  if (type === 'ellipsoid') return [type, ...radii];
  if (type === 'sphere') return [type, radius];
  if (type === 'convex') return hullWords(points);
  return [type, radius, length];
}

/** As `specWords`, from a body's own numbers. */
function shapeWords({ type, size, margin, vertices, bounds }: ConvexShape): Words {
  if (type === 'convex') {
    return hullWords(Array.from({ length: vertices.length / 3 }, (_, i) => [...vertices.subarray(3 * i, 3 * i + 3)]));
  }
  if (type === 'box') return [type, ...[0, 1, 2].map((k) => bounds[k + 3] - bounds[k])];
  if (type === 'ellipsoid') return [type, ...size];
  if (type === 'sphere') return [type, margin];
  if (type === 'capsule') return [type, margin, bounds[5] - bounds[2] - 2 * margin];
  return [type, bounds[3], bounds[5] - bounds[2]];
}

/** Corners, then triangles, outward. */
function hullWords(points: readonly (readonly number[])[]): Words {
  const vectors = points.map(([x, y, z]) => new Vector3(x, y, z));
  const index = new Map(vectors.map((vector, i) => [vector, i]));
  const triangles = new ConvexHull()
    .setFromPoints(vectors)
    .faces.map(({ edge }) => [edge, edge.next, edge.prev].map((side) => index.get(side.vertex.point)!));
  return ['convex', points.length, ...points.flat(), triangles.length, ...triangles.flat()];
}
