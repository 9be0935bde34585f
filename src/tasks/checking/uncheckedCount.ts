import { missingGeometryWarning } from '../../core/kinematics/collisionGeometry.ts';
import type { RobotModel } from '../../core/kinematics/robotModel.ts';
import { tcpOf } from '../../core/kinematics/toolCenterPoint.ts';
import { derived } from '../../core/math/derived.ts';
import { AllowedPairs } from '../../core/scene/allowedCollisions.ts';
import { changedScene } from '../../core/scene/changedScene.ts';
import { kindOf } from '../../core/scene/movingScene.ts';
import { changesScene, movesJoints } from '../../core/scene/program.ts';
import type { CheckedScene, Scene } from '../../core/scene/scene.ts';
import { addUnchecked, countUnchecked, type UncheckedPairs } from '../../core/scene/uncheckedPairs.ts';
import { createSceneWorld } from '../../core/world/sceneWorld.ts';

/** A scene whose pairs are counted. */
type CountedScene = CheckedScene & Partial<Pick<Scene, 'steps'>>;

/**
 * Counts the pairs of links and objects, of which at least one belongs to the planned robot, that are not checked, by
 * reason. A pair of a program counts once if it is not checked between any two of its events.
 * @param allowed allowed pairs of robot and scene, if they are known
 */
export function uncheckedPairs(robot: RobotModel, scene: CountedScene, allowed?: AllowedPairs): UncheckedPairs {
  const { attached, allow } = scene;
  const isRobotAlone = attached.length + allow.length + bareLinks(robot).length === 0 && kindOf(scene) === 'still';
  if (isRobotAlone) return pairsOfRobot(robot); // obstacles add none
  return countUnchecked(uncheckedList(robot, scene, allowed), robot);
}

const pairsOfRobot = derived((robot: RobotModel) => {
  const alone = { obstacles: [], attached: [], allow: [], padding: 0 };
  return countUnchecked(uncheckedList(robot, alone), robot);
});

/** Returns the pairs that `uncheckedPairs` counts, with their reasons. */
export function uncheckedList(robot: RobotModel, scene: CountedScene, allowed?: AllowedPairs): AllowedPairs {
  const list = new AllowedPairs();
  let world = createSceneWorld(robot, scene);
  addUnchecked(list, world.robot, world.scene, allowed);
  const { T_world_root } = robot; // poses do not matter
  for (const step of scene.steps ?? []) {
    if (!changesScene(step) || movesJoints(step)) continue;
    const needsTcp = step.kind === 'attach' && step.link === undefined;
    const linkOfTcp = needsTcp ? robot.links[tcpOf(robot, scene.tcp).link].name : '';
    const changed = changedScene(world.given, step, linkOfTcp, () => T_world_root);
    world = createSceneWorld(robot, changed, world);
    addUnchecked(list, world.robot, world.scene);
  }
  addBareLinks(list, robot, scene);
  return list;
}

/** Adds the pairs of links that have visual but no collision geometry, with all links and objects. */
function addBareLinks(list: AllowedPairs, robot: RobotModel, scene: CountedScene): void {
  const bare = bareLinks(robot);
  if (bare.length === 0) return;
  const solid = robot.links.filter(({ parts }) => parts.length > 0).map(({ name }) => name);
  const objects = [...scene.attached, ...scene.obstacles].map(({ name }) => name);
  for (const [i, name] of bare.entries())
    for (const other of [...bare.slice(i + 1), ...solid, ...objects]) list.add(name, other, 'no geometry');
}

/** Names of the links that have visual but no collision geometry. */
const bareLinks = derived(({ links, description }: RobotModel): readonly string[] =>
  links.flatMap(({ name, parts }) =>
    parts.length === 0 && description.warnings.includes(missingGeometryWarning(name)) ? [name] : [],
  ),
);
