import { InputError } from '../../../errors.ts';
import { type Anchor, anchorsOf } from '../../kinematics/forwardKinematics.ts';
import { transformOfPose } from '../../kinematics/pose.ts';
import type { RobotModel } from '../../kinematics/robotModel.ts';
import { derived } from '../../math/derived.ts';
import { lengthProblem } from '../../math/magnitudes.ts';
import { compose, create, isIdentity, type Transform } from '../../math/transform.ts';
import { type AllowedPairs, allowedPairs } from '../../scene/allowedCollisions.ts';
import { clearanceLabel, isSamePair, requiredDistance } from '../../scene/clearances.ts';
import type { CheckedScene, CollisionObject, Scene } from '../../scene/scene.ts';
import { type ConvexShape, enlargedShape, type ShapeSpec } from '../../shapes/shape.ts';

/** Creates the shape of a spec; may return a shape that was created before. */
export type ShapeOf = (spec: ShapeSpec) => ConvexShape;

/** Convex part of a link, attached object or obstacle. */
export interface ModelPart {
  /** Name of the link or object. */
  readonly name: string;
  /** Index of the part within its link or object, from 0 in the order of the file. */
  readonly part: number;
  /** Shape in the frame of the part. */
  readonly shape: ConvexShape;
  /** Pose in the frame of the link, or of the object. */
  readonly T_object_part: Transform;
}

/** Convex part of a link or of an attached object. */
export interface RobotPart extends ModelPart {
  /** The link whose pose moves the part: its own, or the nearest ancestor that a joint moves, or the root. */
  readonly link: number;
  /** Pose of the part in the frame of `link`. */
  readonly T_link_part: Transform;
  /** True if T_link_part is the identity, so that the part shares the pose of the link. */
  readonly atLink: boolean;
  /** Position in the order of the kinematic tree, links first, attached objects after them; orders pairs. */
  readonly rank: number;
  /**
   * Name of the only link or object that the part is checked against: it is a copy, enlarged by what the clearance of
   * the two exceeds the padding. Undefined: the part itself.
   */
  readonly clearOf?: string;
}

/** Convex part of an obstacle. */
export interface ObstaclePart extends ModelPart {
  /** True for a sphere cloud: only the spheres about the vertices are solid, and the shape is their convex hull. */
  readonly isSphereCloud: boolean;
  /** Index of the obstacle in the scene. */
  readonly obstacle: number;
  /** Pose of the part in the world. */
  readonly T_world_part: Transform;
}

/** Returns the convex parts of the links, in the order of the tree: always the same list. */
export const linkPartsOf = derived((robot: RobotModel): readonly RobotPart[] => {
  const anchors = anchorsOf(robot);
  return robot.links.flatMap(({ name, parts }, rank) =>
    parts.map(({ shape, T_link_part }, part) => ({
      name,
      part,
      rank,
      shape,
      ...attachedTo(anchors[rank], T_link_part),
    })),
  );
});

/** Returns the convex parts of the attached objects, in the order of the scene. */
export function attachedPartsOf(robot: RobotModel, scene: Pick<Scene, 'attached'>, shapeOf: ShapeOf): RobotPart[] {
  const anchors = anchorsOf(robot);
  return scene.attached.flatMap((object, i) => {
    const anchor = anchors[robot.links.findIndex(({ name }) => name === object.link)];
    return placedParts(object, shapeOf).map(({ shape, T_object_part }, part): RobotPart => {
      const T_link_part = transformOfPose(object.pose);
      compose(T_link_part, T_link_part, T_object_part);
      requireBoundedPose(T_link_part, `attached[${i}]`, object.name);
      return {
        name: object.name,
        part,
        rank: robot.links.length + i,
        shape,
        ...attachedTo(anchor, T_link_part),
        T_object_part,
      };
    });
  });
}

/**
 * Returns an enlarged copy of a part for each clearance that names its link or object: of the later one in the order of
 * the tree, checked against the other one only. A pair that does not exist at this time needs none.
 */
export function enlargedParts(robot: RobotModel, scene: CheckedScene, solid: readonly RobotPart[]): RobotPart[] {
  const { clearances = [], padding } = scene;
  const last = robot.links.length + scene.attached.length;
  return clearances.flatMap(({ a, b }, i) => {
    if (clearances.findIndex((one) => isSamePair(one, { a, b })) < i) return [];
    const own = solid.filter(({ name }) => (name === a || name === b) && robot.others?.has(name) !== true);
    const rank = own.reduce((most, part) => Math.max(most, part.rank), -1);
    const by = requiredDistance(scene, a, b) - padding;
    return own
      .filter((part) => part.rank === rank)
      .map((part) => ({
        ...part,
        rank: last + i,
        clearOf: part.name === a ? b : a,
        shape: by > 0 ? enlargedShape(part.shape, by) : part.shape,
      }));
  });
}

/** Returns the moving link that a part belongs to, and its pose there: links joined by fixed joints are merged. */
function attachedTo(
  { link, T_anchor_link }: Anchor,
  T_object_part: Transform,
): Omit<RobotPart, 'name' | 'part' | 'rank' | 'shape'> {
  const T_link_part = create();
  compose(T_link_part, T_anchor_link, T_object_part);
  return { link, T_link_part, T_object_part, atLink: isIdentity(T_link_part) };
}

/** Returns the convex parts of the obstacles, in the order of the scene. */
export function obstaclePartsOf(scene: Pick<Scene, 'obstacles'>, shapeOf: ShapeOf): ObstaclePart[] {
  return scene.obstacles.flatMap((object, obstacle) => {
    const T_world_object = transformOfPose(object.pose);
    return placedParts(object, shapeOf).map(({ shape, T_object_part }, part): ObstaclePart => {
      const T_world_part = object.parts.length === 1 ? T_world_object : create();
      compose(T_world_part, T_world_object, T_object_part);
      requireBoundedPose(T_world_part, `obstacles[${obstacle}]`, object.name);
      const { balls = false } = object.parts[part];
      return { name: object.name, part, obstacle, isSphereCloud: balls, shape, T_object_part, T_world_part };
    });
  });
}

function placedParts(object: CollisionObject, shapeOf: ShapeOf): { shape: ConvexShape; T_object_part: Transform }[] {
  const here = create(); // shared: clouds have thousands of parts
  return object.parts.map(({ shape, at }) => ({
    shape: shapeOf(shape),
    T_object_part: at ? transformOfPose(at) : here,
  }));
}

/** Throws `InputError` if a pose is not finite, or its position exceeds the bound on lengths. */
export function requireBoundedPose(T: Transform, place: string, name: string): void {
  const problem = lengthProblem(Math.max(Math.abs(T[3]), Math.abs(T[7]), Math.abs(T[11])));
  if (problem === undefined && T.every(Number.isFinite)) return;
  const what = problem === undefined ? 'its rotation is not finite' : `[${T[3]}, ${T[7]}, ${T[11]}] ${problem}`;
  throw new InputError(`${place}: the position of "${name}": ${what}`, 'Positions are in metres.');
}

/**
 * Validates the padding and the names of a scene, and returns its allowed collision matrix.
 * @throws InputError for a negative padding, a duplicate name, or an unknown name
 */
export function checkedAllowedPairs(
  robot: RobotModel,
  scene: Pick<Scene, 'obstacles' | 'attached' | 'allow' | 'padding' | 'clearances'>,
): AllowedPairs {
  requirePadding(scene);
  requireDistinctNames(robot, scene);
  requireClearances(robot, scene);
  return allowedPairs(robot.description, scene);
}

/** Throws `InputError` if the padding is negative (overlapping parts would count as separated) or out of range. */
function requirePadding({ padding }: Pick<Scene, 'padding'>): void {
  const problem = padding >= 0 ? lengthProblem(padding) : undefined;
  if (problem !== undefined) throw new InputError(`padding is ${padding}, which ${problem}`, 'It is in metres.');
  if (!(padding >= 0)) throw new InputError(`padding is ${padding}, must be 0 or more`, 'It is in metres.');
}

/**
 * Throws `InputError` for clearances of unknown links or objects and of links without collision geometry, and for
 * distances that are not above 0.
 */
export function requireClearances(
  robot: RobotModel,
  { clearances = [], obstacles, attached }: Pick<Scene, 'obstacles' | 'attached' | 'clearances'>,
): void {
  if (clearances.length === 0) return;
  const names = new Set([...robot.links, ...attached, ...obstacles].map(({ name }) => name));
  const bare = new Set(robot.links.flatMap(({ name, parts }) => (parts.length === 0 ? [name] : [])));
  for (const clearance of clearances) {
    const { a, b, distance } = clearance;
    const unknown = [a, b].find((name) => !names.has(name));
    if (unknown !== undefined)
      throw new InputError(`${clearanceLabel(clearance)}: there is no link or object "${unknown}"`);
    const empty = [a, b].find((name) => bare.has(name));
    if (empty !== undefined)
      throw new InputError(`${clearanceLabel(clearance)}: link "${empty}" has no collision geometry`);
    if (a === b || !(distance > 0) || lengthProblem(distance) !== undefined)
      throw new InputError(
        `${clearanceLabel(clearance)}: ${distance} m is no distance of a pair`,
        'Name two links or objects, and a distance in metres above 0.',
      );
  }
}

/**
 * Throws `InputError` if two links or objects have the same name: results and the allowed collision matrix refer to
 * them by name.
 */
function requireDistinctNames(robot: RobotModel, scene: Pick<Scene, 'obstacles' | 'attached'>): void {
  const seen = new Map(robot.links.map((link): [string, string] => [link.name, 'link']));
  for (const [kind, objects] of [
    ['attached', scene.attached],
    ['obstacles', scene.obstacles],
  ] as const) {
    for (const [i, { name }] of objects.entries()) {
      const other = seen.get(name);
      if (other)
        throw new InputError(
          `${kind}[${i}]: the name "${name}" is taken by another link or object (${other})`,
          'Names of links and objects must be unique.',
        );
      seen.set(name, kind);
    }
  }
}
