import { requireObstacle } from '../../core/collision/model/collisionModel.ts';
import { requireBoundedPose } from '../../core/collision/model/modelParts.ts';
import { transformOfPose } from '../../core/kinematics/pose.ts';
import type { RobotModel } from '../../core/kinematics/robotModel.ts';
import { linkNamed } from '../../core/kinematics/toolCenterPoint.ts';
import type { Configuration } from '../../core/math/configuration.ts';
import { changedScene, movingAttachment } from '../../core/scene/changedScene.ts';
import { otherLinkNames } from '../../core/scene/movingScene.ts';
import type { CollisionObject, Obstacle, Scene } from '../../core/scene/scene.ts';
import { InputError, suggestion } from '../../errors.ts';
import type { SceneChange } from '../../formats/streams/gateMessages.ts';
import { linkPoses } from '../world.ts';

/** The state of the world at which a change is seen. */
export interface SeenAt {
  /** Seconds. */
  readonly now: number;
  /** Joint values of the robot. */
  readonly q: Configuration;
}

/**
 * Returns a scene after a change. Throws `InputError` for names that are unknown or used already.
 * @param original scene before all changes, whose allowed pairs and clearances apply again when an object of their name
 *   is added
 */
export function sceneAfter(
  robot: RobotModel,
  original: Scene,
  scene: Scene,
  change: SceneChange,
  { now, q }: SeenAt,
): Scene {
  const { kind, name } = change;
  if (kind === 'move') {
    const index = requireObstacle(scene, name);
    const { motion, ...obstacle } = scene.obstacles[index];
    if (motion) throw new InputError(`the obstacle "${name}" has a motion`, 'Remove it, and add an obstacle at rest.');
    requireBoundedPose(transformOfPose(change.pose), `obstacles[${index}]`, name);
    return { ...scene, obstacles: scene.obstacles.with(index, { ...obstacle, pose: change.pose }) };
  }
  if (kind === 'add') {
    requireNewName(robot, scene, name);
    const { obstacle } = change;
    const { unknownSpeed = scene.unknownSpeed } = obstacle;
    const added = unknownSpeed === undefined ? obstacle : { ...obstacle, unknownSpeed };
    return withPresentPairs(robot, original, { ...scene, obstacles: [...scene.obstacles, added] });
  }
  if (kind === 'remove') {
    const { obstacles, attached } = scene;
    const names = [...obstacles, ...attached].map((one) => one.name);
    if (!names.includes(name))
      throw new InputError(`there is no obstacle or attached object "${name}"`, suggestion(name, names));
    const others = <B extends { readonly name: string }>(list: readonly B[]) => list.filter((one) => one.name !== name);
    return withPresentPairs(robot, original, { ...scene, obstacles: others(obstacles), attached: others(attached) });
  }
  if (kind === 'detach') return changedScene(scene, { kind, object: name, index: 0 }, '', linkPoses(robot, q));
  linkNamed(robot, change.link);
  const step = { kind, object: name, link: change.link, touches: change.touches, index: 0 };
  const moving = movingAttachment(scene, step, now);
  if (moving !== undefined) throw new InputError(moving);
  return changedScene(scene, step, change.link, linkPoses(robot, q));
}

/** What may differ in the scenes that a gate sees: objects with their rules, and what no proof depends on. */
const SEEN = new Set<string>([
  'obstacles',
  'attached',
  'allow',
  'clearances',
  'name',
  'description',
  'goals',
] satisfies (keyof Scene)[]);

/** How the scenes that a gate sees one after the other differ. Scenes are immutable. */
export interface SceneDifference {
  /** Names of objects that were seen again, even at the same place: they are other JavaScript objects than before. */
  readonly seen: ReadonlySet<string>;
  /** Names of links and objects of pairs that are allowed, or have a clearance, in one scene only. */
  readonly ruled: ReadonlySet<string>;
  /** True if only poses of obstacles at rest differ. */
  readonly isMoved: boolean;
}

/** Compares two scenes. Throws `InputError` if they differ in more than objects, allowed pairs and clearances. */
export function differenceOf(before: Scene, after: Scene): SceneDifference {
  const keys = Object.keys({ ...before, ...after }) as (keyof Scene)[];
  const other = keys.find((key) => !SEEN.has(key) && before[key] !== after[key]);
  if (other !== undefined)
    throw new InputError(`the scene differs from that of the gate in ${other}`, 'Open another gate for it.');
  const differing = <T>(one: readonly T[] = [], two: readonly T[] = []): T[] => {
    const [old, current] = [new Set(one), new Set(two)];
    return [...one.filter((item) => !current.has(item)), ...two.filter((item) => !old.has(item))];
  };
  const objects = ({ obstacles, attached }: Scene) => [...obstacles, ...attached];
  const pairs = [
    ...differing(before.allow, after.allow),
    ...differing(before.clearances, after.clearances).map(({ a, b }) => [a, b]),
  ];
  const isPlacedAnew = (a: Obstacle, b: Obstacle | undefined) =>
    a === b ||
    (a.name === b?.name && a.parts === b.parts && a.unknownSpeed === b.unknownSpeed && !a.motion && !b.motion);
  return {
    seen: new Set(differing<CollisionObject>(objects(before), objects(after)).map(({ name }) => name)),
    ruled: new Set(pairs.flat()),
    isMoved:
      pairs.length === 0 &&
      before.obstacles.length === after.obstacles.length &&
      before.obstacles.every((obstacle, i) => isPlacedAnew(obstacle, after.obstacles[i])) &&
      differing(before.attached, after.attached).length === 0,
  };
}

/** Returns the names of all links and objects. */
const namesIn = (robot: RobotModel, { obstacles, attached, robots = [] }: Scene): string[] => [
  ...robot.links.map((link) => link.name),
  ...[...obstacles, ...attached].map((one) => one.name),
  ...robots.flatMap(({ name, description }) => otherLinkNames(name, description)),
];

function requireNewName(robot: RobotModel, scene: Scene, name: string): void {
  if (!namesIn(robot, scene).includes(name)) return;
  throw new InputError(`the name "${name}" is used already`, 'Remove the object first, in the same message.');
}

/** Returns a scene with the allowed pairs, touch links and clearances whose names exist. */
function withPresentPairs(robot: RobotModel, { allow, clearances }: Scene, scene: Scene): Scene {
  const names = new Set(namesIn(robot, scene));
  const isPresent = (name: string) => names.has(name);
  return {
    ...scene,
    allow: allow.filter((pair) => pair.every(isPresent)),
    ...(clearances && { clearances: clearances.filter(({ a, b }) => isPresent(a) && isPresent(b)) }),
    attached: scene.attached.map((object) =>
      object.touches.every(isPresent) ? object : { ...object, touches: object.touches.filter(isPresent) },
    ),
  };
}
