import type { CollisionManager } from '../../core/collision/states/collisionManager.ts';
import type { RobotModel } from '../../core/kinematics/robotModel.ts';
import type { PairClearance } from '../../core/scene/clearances.ts';
import type { CheckedScene } from '../../core/scene/scene.ts';
import { World } from '../world.ts';

/** Collision managers of the two kinds of pairs of a robot. */
export interface SplitManagers {
  /** Pairs of the robot and its surroundings; of moving scenes and several robots, all other pairs, too. */
  readonly obstacles: CollisionManager;
  /** Pairs of links of the robot, and of objects that it carries. */
  readonly itself: CollisionManager;
}

/**
 * Creates the managers of a scene.
 * @param own names of the links of the robot; all other links are of other robots and moving obstacles
 */
export function splitManagers(robot: RobotModel, scene: CheckedScene, own: ReadonlySet<string>): SplitManagers {
  const bodies = [
    ...robot.links.map(({ name }) => ({ name, isOwn: own.has(name) })),
    ...scene.attached.map(({ name, link }) => ({ name, isOwn: own.has(link) })),
  ];
  const pairs = (isExcluded: (areOwn: boolean) => boolean) =>
    bodies.flatMap((a, i) =>
      bodies.slice(i + 1).flatMap((b) => (isExcluded(a.isOwn && b.isOwn) ? [[a.name, b.name] as const] : [])),
    );
  const names = new Set(bodies.map(({ name }) => name));
  const { clearances = [] } = scene;
  const isOwn = (name: string) => bodies.some((body) => body.name === name && body.isOwn);
  const isOfRobot = ({ a, b }: PairClearance) => isOwn(a) && isOwn(b);
  const alone = {
    ...scene,
    obstacles: [],
    allow: [...scene.allow.filter((pair) => pair.every((name) => names.has(name))), ...pairs((areOwn) => !areOwn)],
    attached: scene.attached.map((body) => ({ ...body, touches: body.touches.filter((name) => names.has(name)) })),
    clearances: clearances.filter(isOfRobot),
  };
  const around = {
    ...scene,
    allow: [...scene.allow, ...pairs((areOwn) => areOwn)],
    clearances: clearances.filter((one) => !isOfRobot(one)),
  };
  return {
    obstacles: new World(robot, around).manager,
    itself: new World(robot, alone).manager,
  };
}
