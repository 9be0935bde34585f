import { InputError } from '../../errors.ts';
import { requireCollisionGeometry } from '../kinematics/collisionGeometry.ts';
import { withFurtherJoints } from '../kinematics/composition/compositeRobot.ts';
import { createRobotModel } from '../kinematics/createRobotModel.ts';
import { forwardKinematics, RobotState } from '../kinematics/forwardKinematics.ts';
import { poseOfTransform } from '../kinematics/pose.ts';
import type { JointDescription, LinkDescription, RobotModel } from '../kinematics/robotModel.ts';
import { hasMoving } from '../scene/movingScene.ts';
import { type JointMoveStep, stepName } from '../scene/program.ts';
import type { CheckedScene, Obstacle } from '../scene/scene.ts';
import type { Trajectory } from '../trajectory/trajectory.ts';
import { type MovingBranch, obstacleBranch, otherRobotBranch } from './obstacleJoints.ts';

/**
 * A scene as one kinematic tree: moving obstacles and other robots are branches beside the planned robot, whose joint
 * values are functions of time. Proofs and verification for links of one robot then apply unchanged: they bound the
 * motion of two links of a tree relative to each other.
 */
export interface SceneWorld<S extends CheckedScene = CheckedScene> {
  /** The planned robot alone. */
  readonly planned: RobotModel;
  /**
   * The tree: the planned joints come first in its q, then the joints of `sources`, in order. The planned robot itself
   * if nothing else moves.
   */
  readonly robot: RobotModel;
  /** The scene as given. */
  readonly given: S;
  /** The scene without moving obstacles and other robots, which are links of the tree. */
  readonly scene: S;
  /** Values of the further joints over the time of the scene, at rest before the first and after the last point. */
  readonly sources: readonly Trajectory[];
  /** Time after which everything but the planned robot is at rest, seconds; at least 0. */
  readonly end: number;
}

/** Name of the root of the tree. */
const ROOT = '/';

/**
 * Returns the kinematic tree of a scene. Throws `InputError` for names that are not unique, and for invalid motions.
 * @param known world of the same planned robot: its tree is used if the same obstacles and robots move
 */
export function createSceneWorld<S extends CheckedScene>(
  planned: RobotModel,
  scene: S,
  known?: SceneWorld,
): SceneWorld<S> {
  if (!hasMoving(scene)) return { planned, robot: planned, given: scene, scene, sources: [], end: 0 };
  requireCollisionGeometry(planned);
  const { robots = [], ...rest } = scene;
  if (known?.planned === planned && isMovedAlike(known.given, scene))
    return {
      ...known,
      given: scene,
      scene: { ...(rest as unknown as S), obstacles: scene.obstacles.filter(({ motion }) => motion === undefined) },
    };
  const moving = scene.obstacles.filter(({ motion }) => motion !== undefined);
  const branches = [
    ...moving.map((obstacle) => obstacleBranch(obstacle, obstacle.motion!, ROOT)),
    ...robots.map((other) => otherRobotBranch(other, ROOT)),
  ];
  const sources = branches.flatMap(({ source }) => (source === undefined ? [] : [source]));
  const ends = [...moving.map(({ motion }) => motion!.times.at(-1)!), ...sources.map(lastTime)];
  const obstacles = scene.obstacles.filter(({ motion }) => motion === undefined);
  requireDistinct(planned, branches, obstacles);
  return {
    planned,
    robot: treeOf(planned, branches, sources),
    given: scene,
    scene: { ...(rest as unknown as S), obstacles },
    sources,
    end: Math.max(0, ...ends),
  };
}

/** Returns true if the same obstacles and robots move, so that their trees are equal. */
function isMovedAlike(one: CheckedScene, other: CheckedScene): boolean {
  const moving = ({ obstacles }: CheckedScene) => obstacles.filter(({ motion }) => motion !== undefined);
  const [a, b] = [moving(one), moving(other)];
  return one.robots === other.robots && a.length === b.length && a.every((obstacle, i) => obstacle === b[i]);
}

const lastTime = ({ points }: Trajectory) => points.at(-1)!.time_from_start!;

/** Joins the branches and the planned robot below one root; the branches come first in the tree. */
function treeOf(planned: RobotModel, branches: readonly MovingBranch[], sources: readonly Trajectory[]): RobotModel {
  const { description, variables } = planned;
  const others = branches.flatMap(({ links }) => links);
  const links: LinkDescription[] = [{ name: ROOT, collisions: [] }, ...others, ...description.links];
  const mount: JointDescription = {
    name: ROOT,
    type: 'fixed',
    parent: ROOT,
    child: description.root,
    origin: poseOfTransform(planned.T_world_root),
    axis: [1, 0, 0],
  };
  const tree = createRobotModel(
    {
      ...description,
      root: ROOT,
      links,
      joints: [...branches.flatMap(({ joints }) => joints), mount, ...description.joints],
    },
    {
      joints: [...variables.map(({ name }) => name), ...sources.flatMap(({ jointNames }) => jointNames)],
      fixed: Object.assign({}, planned.fixed, ...branches.map(({ fixed }) => fixed)),
      limits: Object.fromEntries(variables.map(({ name, limits }) => [name, limits])),
      empty: links.filter(({ collisions }) => collisions.length === 0).map(({ name }) => name),
    },
  );
  const joints = tree.joints.map(
    (joint) => (joint.name === ROOT ? { ...joint, T_parent_joint: planned.T_world_root } : joint), // the pose exactly
  );
  return { ...tree, joints, others: new Set(others.map(({ name }) => name)) };
}

/** Throws `InputError` if a name is used twice: results and allowed pairs refer to links and objects by name. */
function requireDistinct(
  { description }: RobotModel,
  branches: readonly MovingBranch[],
  obstacles: readonly { readonly name: string }[],
): void {
  const { links, joints } = description;
  const added = branches.flatMap((branch) => branch.links);
  for (const names of [
    [{ name: ROOT }, ...added, ...links, ...obstacles],
    [{ name: ROOT }, ...branches.flatMap((branch) => branch.joints), ...joints],
  ]) {
    const seen = new Set<string>();
    for (const { name } of names) {
      if (seen.has(name))
        throw new InputError(`the name "${name}" is used twice`, 'Names of links and objects must be unique.');
      seen.add(name);
    }
  }
}

/**
 * Returns the world of an interval of time over which a step moves joints that are not planned, linearly: they are
 * joints of time. Throws `InputError` if the interval takes no time, or if something else moves.
 * @param world before the step
 */
export function worldOfJointMove<S extends CheckedScene>(
  world: SceneWorld<S>,
  step: JointMoveStep,
  from: number,
  to: number,
): SceneWorld<S> {
  const { planned } = world;
  const jointNames = Object.keys(step.moves.joints);
  const place = stepName(step);
  if (!(to > from)) throw new InputError(`${place}: joints move from ${from} s to ${to} s`, 'Motions take time.');
  if (world.robot !== planned) throw new InputError(`${place}: something else moves, too`, 'This is not supported.');
  const [start, end] = [
    jointNames.map((name) => planned.fixed[name]),
    jointNames.map((name) => step.moves.joints[name]),
  ];
  const ranges = jointNames.map((name, j) => {
    return [name, { lower: Math.min(start[j], end[j]), upper: Math.max(start[j], end[j]) }] as const;
  });
  const points = [
    { time_from_start: from, positions: start },
    { time_from_start: to, positions: end },
  ];
  return {
    ...world,
    robot: withFurtherJoints(planned, new Map(ranges)),
    sources: [{ jointNames, points, interpolation: 'linear' }],
    end: to,
  };
}

/**
 * Returns the scene of a world for the planned robot alone: without what moves, and without pairs and touch links that
 * name it.
 */
export function stillScene<S extends CheckedScene>({ robot, scene }: SceneWorld<S>): S {
  const { others } = robot;
  if (others === undefined) return scene;
  const isKept = (name: string) => !others.has(name);
  return {
    ...scene,
    allow: scene.allow.filter((pair) => pair.every(isKept)),
    ...(scene.clearances && { clearances: scene.clearances.filter(({ a, b }) => isKept(a) && isKept(b)) }),
    attached: scene.attached.map((object) => ({ ...object, touches: object.touches.filter(isKept) })),
  };
}

/**
 * Returns a scene at one instant: moving obstacles and links of other robots are obstacles where they are then.
 * @param q joint values of the whole tree at that time; those of the planned robot have no effect
 */
export function snapshot<S extends CheckedScene>({ robot, scene }: SceneWorld<S>, q: Float64Array): S {
  if (robot.others === undefined) return scene;
  const state = new RobotState(robot);
  forwardKinematics(state, q);
  const described = new Map(robot.description.links.map((link) => [link.name, link]));
  const others = robot.links.flatMap(({ name, index }): Obstacle[] => {
    const collisions = robot.others!.has(name) ? described.get(name)!.collisions : [];
    if (collisions.length === 0) return [];
    const parts = collisions.map(({ shape, pose }) => ({ shape, at: pose }));
    return [{ name, pose: poseOfTransform(state.T_world_link[index]), parts }];
  });
  return { ...scene, obstacles: [...scene.obstacles, ...others] };
}
