import { InputError } from '../../errors.ts';
import { requireCollisionGeometry } from '../kinematics/collisionGeometry.ts';
import { transformOfPose } from '../kinematics/pose.ts';
import type { RobotModel } from '../kinematics/robotModel.ts';
import { compose, create, type Transform, transformPoint } from '../math/transform.ts';
import { norm, type Vec3 } from '../math/vec3.ts';
import { allowedPairs } from '../scene/allowedCollisions.ts';
import { clearanceLabel, isSamePair } from '../scene/clearances.ts';
import { requireStill } from '../scene/movingScene.ts';
import { requireParts } from '../scene/requireParts.ts';
import type { CheckedScene, CollisionObject } from '../scene/scene.ts';
import { createShape } from '../shapes/index.ts';
import type { ConvexShape } from '../shapes/shape.ts';
import { boundingSphere } from './supportHeight.ts';

/** The parts of a scene that a certificate depends on. */
export type CertifiedScene = CheckedScene;

/** Convex part, identified by the name of its link or object and a number. Its link is −1 (the world) for obstacles. */
export interface CertifiedPart {
  readonly object: string;
  readonly part: number;
  readonly link: number;
  readonly shape: ConvexShape;
  readonly T_link_part: Transform;
  /** Frame of the normals of planes against this part: the link, the attached object, or the world. */
  readonly T_link_frame: Transform;
  /** False for sphere clouds: their shape is the hull of what is solid, and is no collision. */
  readonly isSolid: boolean;
  /** Bounding sphere, centre in the frame of the link. */
  readonly center: Vec3;
  readonly radius: number;
  /** Sum of the lengths from the origin of the link to a point of the part, to which rounding errors are relative. */
  readonly extent: number;
}

/**
 * Returns all parts of links (parents first), attached objects and obstacles, in this order. Throws `InputError` if a
 * name is not unique, or if the robot or an object has no geometry.
 */
export function certifiedParts(robot: RobotModel, scene: CertifiedScene): CertifiedPart[] {
  requireStill(scene);
  requireCollisionGeometry(robot);
  requireParts(scene);
  const links = robot.links.map(({ name, index, parts }) =>
    parts.map(({ shape, T_link_part }, part) => placed(name, part, index, shape, T_link_part, create())),
  );
  const attached = scene.attached.map((body) => {
    const link = robot.links.findIndex(({ name }) => name === body.link);
    return partsOfObject(body, link, transformOfPose(body.pose));
  });
  const obstacles = scene.obstacles.map((body) => partsOfObject(body, -1, create()));
  const names = [...robot.links, ...scene.attached, ...scene.obstacles].map(({ name }) => name);
  const bare = robot.links.filter(({ parts }) => parts.length === 0).map(({ name }) => name);
  requireClearances(
    scene,
    names.filter((name) => !bare.includes(name)),
  );
  const twice = names.find((name, i) => names.indexOf(name) !== i);
  if (twice !== undefined)
    throw new InputError(`the name "${twice}" is used twice`, 'Names of links and objects must be unique.');
  return [...links, ...attached, ...obstacles].flat();
}

/** Throws `InputError` for clearances of links or objects without parts, and for distances that are not above 0. */
function requireClearances({ clearances = [] }: CertifiedScene, names: readonly string[]): void {
  const wrong = clearances.find(({ a, b, distance }) => !(names.includes(a) && names.includes(b) && distance > 0));
  if (wrong !== undefined) throw new InputError(`${clearanceLabel(wrong)}: no such pair, or no distance above 0`);
}

/**
 * Returns all pairs that must be separated: a robot part and an obstacle part, or two parts of different links or
 * attached objects, of which at least one belongs to the planned robot. Pairs with a clearance are never allowed.
 */
export function checkedPairs(
  robot: RobotModel,
  scene: CertifiedScene,
  parts: readonly CertifiedPart[],
): [CertifiedPart, CertifiedPart][] {
  const allowed = allowedPairs(robot.description, scene);
  const { clearances = [] } = scene;
  const hasClearance = (one: CertifiedPart, other: CertifiedPart) =>
    clearances.some((clearance) => isSamePair(clearance, { a: one.object, b: other.object }));
  const isOther = ({ object, link }: CertifiedPart) => link < 0 || robot.others?.has(object) === true;
  return parts.flatMap((a, i) =>
    parts
      .slice(i + 1)
      .filter(
        (b) =>
          a.link >= 0 &&
          a.object !== b.object &&
          !(isOther(a) && isOther(b)) &&
          (hasClearance(a, b) || !allowed.has(a.object, b.object)),
      )
      .map((b): [CertifiedPart, CertifiedPart] => [a, b]),
  );
}

function partsOfObject(body: CollisionObject, link: number, T_link_frame: Transform): CertifiedPart[] {
  return body.parts.map(({ shape, at, balls = false }, part) => {
    const T_link_part = transformOfPose(body.pose);
    if (at) compose(T_link_part, T_link_part, transformOfPose(at));
    return placed(body.name, part, link, createShape(shape), T_link_part, T_link_frame, !balls);
  });
}

function placed(
  body: string,
  part: number,
  link: number,
  shape: ConvexShape,
  T_link_part: Transform,
  T_link_frame: Transform,
  isSolid = true,
): CertifiedPart {
  const { center, radius } = boundingSphere(shape);
  const extent = norm(Float64Array.of(T_link_part[3], T_link_part[7], T_link_part[11])) + norm(center) + radius;
  transformPoint(center, T_link_part, center);
  return { object: body, part, link, shape, T_link_part, T_link_frame, isSolid, center, radius, extent };
}
