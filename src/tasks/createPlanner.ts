import { requireObstacle } from '../core/collision/model/collisionModel.ts';
import { requireBoundedPose } from '../core/collision/model/modelParts.ts';
import { transformOfPose } from '../core/kinematics/pose.ts';
import type { Pose, RobotModel } from '../core/kinematics/robotModel.ts';
import { tcpOf } from '../core/kinematics/toolCenterPoint.ts';
import type { Configuration } from '../core/math/configuration.ts';
import { changedScene } from '../core/scene/changedScene.ts';
import { kindOf } from '../core/scene/movingScene.ts';
import { frozenCopy, ownedObject, ownedScene } from '../core/scene/ownedScene.ts';
import type { AttachStep, DetachStep } from '../core/scene/program.ts';
import type { AttachedObject, CollisionObject, MotionScene, Obstacle, Scene } from '../core/scene/scene.ts';
import { InputError, suggestion } from '../errors.ts';
import { planPrepared } from './planning/planMotion.ts';
import type { PlanHooks, PlanOptions } from './planning/planOptions.ts';
import type { PlanMotionResult } from './planning/planStats.ts';
import { planScene } from './planScene.ts';
import { createSceneRobot, type Problem } from './sceneRobot.ts';
import { linkPoses, World } from './world.ts';

/**
 * One query of a `Planner`: options of the plan; and start, goals, steps and rules of motions that replace those of the
 * scene for this query. Goals replace steps, and steps goals.
 */
export interface PlanQuery
  extends Partial<PlanOptions>,
    Partial<Pick<Scene, 'start' | 'goals' | 'equivalent' | 'steps'>>,
    MotionScene {}

const QUERY_FIELDS = [
  'start',
  'goals',
  'equivalent',
  'steps',
  'tcp',
  'speed',
  'acceleration',
  'tcpSpeed',
  'constraints',
] as const satisfies readonly (keyof PlanQuery & keyof Scene)[];

/** Returns the query that plans a scene with the planner of one with the same objects, allowed pairs and padding. */
export const queryOf = (scene: Scene): PlanQuery =>
  Object.fromEntries(QUERY_FIELDS.map((key) => [key, scene[key]])) as PlanQuery;

/** Configuration of the robot in which an object is attached or detached, and how it is attached. */
export type Carrying = { readonly q: Configuration } & Partial<Pick<AttachStep, 'link' | 'touches'>>;

/**
 * Returns a planner for a robot and a scene. Throws `InputError` as `planMotion` if no query could be planned.
 */
export const createPlanner = (problem: Problem): Planner => new Planner(problem);

/**
 * Plans motions of one robot in one scene. Keeps what queries of the scene share: robot model, collision model,
 * managers, provers and tables, so that a query starts at once, also after an obstacle was moved. Results are those of
 * `planScene` for the scene as it is.
 *
 * The planner owns its scene, a frozen copy: only its methods change it (see `ownedScene` for shapes). The robot's
 * description and a given model are not copied and must not be changed. A method that throws `InputError` changes
 * nothing; none may be called by a callback of a query of the same planner, but for other queries.
 */
export class Planner {
  private world: World;
  private readonly description: Problem['robot'];
  private queries = 0;

  constructor(problem: Problem) {
    this.description = problem.model?.description ?? problem.robot;
    this.world = preparedWorld(createSceneRobot(problem), ownedScene(problem.scene));
  }

  /** The scene as it is: frozen. */
  get scene(): Scene {
    const { scene } = this.world;
    Object.freeze(scene.obstacles);
    Object.freeze(scene.attached);
    return scene;
  }

  /** Robot and scene as they are. @internal */
  get problem(): Problem & { readonly model: RobotModel } {
    return { scene: this.scene, robot: this.description, model: this.robot };
  }

  /** The robot of the scene. */
  get robot(): RobotModel {
    return this.world.robot;
  }

  /** Plans a motion or a program. Throws `InputError` for missing or unknown input; failures to plan are results. */
  plan(query: PlanQuery = {}, hooks: PlanHooks = {}): PlanMotionResult {
    const { world, description } = this;
    const scene = this.sceneOf(query);
    const problem = { scene, robot: description, model: world.robot };
    this.queries++;
    try {
      if (kindOf(scene) === 'still') return planPrepared(() => world, scene, query, hooks);
      return planScene(problem, query, hooks);
    } finally {
      this.queries--;
    }
  }

  /** Sets the pose of an obstacle in the world, or of an attached object on its link. */
  move(name: string, pose: Pose): void {
    this.requireIdle();
    const { scene } = this.world;
    const { obstacles, attached } = scene;
    const own = { pose: frozenCopy(pose) };
    const moved = <B extends CollisionObject>(list: readonly B[], index: number) =>
      list.with(index, Object.freeze({ ...list[index], ...own }));
    const carried = attached.findIndex((one) => one.name === name);
    if (carried >= 0) {
      this.replace({ ...scene, attached: moved(attached, carried) });
      return;
    }
    const index = requireObstacle(scene, name);
    if (obstacles[index].motion)
      throw new InputError(`the obstacle "${name}" has a motion`, 'Remove it, and add an obstacle at rest.');
    requireBoundedPose(transformOfPose(pose), `obstacles[${index}]`, name);
    const changed = Object.freeze({ ...scene, obstacles: moved(obstacles, index) });
    if (this.world.isStill) this.world.move(changed, index);
    else this.replace(changed);
  }

  /** Adds an obstacle, or an object that is attached to a link. */
  add(object: Obstacle | AttachedObject): void {
    const { obstacles, attached } = this.world.scene;
    const own = ownedObject(object);
    this.replace({
      ...this.world.scene,
      ...('link' in own ? { attached: [...attached, own] } : { obstacles: [...obstacles, own] }),
    });
  }

  /** Removes an obstacle or attached object, with all allowed pairs that name it. */
  remove(name: string): void {
    const { obstacles, attached, allow } = this.world.scene;
    const names = [...obstacles, ...attached].map((one) => one.name);
    if (!names.includes(name))
      throw new InputError(`there is no obstacle or attached object "${name}"`, suggestion(name, names));
    const isOther = (other: string) => other !== name;
    this.replace({
      ...this.world.scene,
      obstacles: obstacles.filter((one) => isOther(one.name)),
      attached: attached
        .filter((one) => isOther(one.name))
        .map((one) => (one.touches.includes(name) ? { ...one, touches: one.touches.filter(isOther) } : one)),
      allow: allow.filter((pair) => pair.every(isOther)),
    });
  }

  /** Attaches an obstacle where it is; to the link of the tool center point, if no other is given. */
  attach(object: string, { q, touches = [], ...given }: Carrying): void {
    this.carry({ kind: 'attach', object, touches, index: 0, ...given }, q);
  }

  /** Turns an attached object into an obstacle where it is. */
  detach(object: string, { q }: Pick<Carrying, 'q'>): void {
    this.carry({ kind: 'detach', object, index: 0 }, q);
  }

  /** Replaces fields of the scene, such as its allowed pairs, padding, or the limits of its robot. */
  change(fields: Partial<Scene>): void {
    const scene = { ...this.world.scene, ...fields };
    this.replace(scene, fields.robot && createSceneRobot({ scene, robot: this.description }));
  }

  private carry(step: AttachStep | DetachStep, q: Configuration): void {
    const { robot, scene } = this.world;
    const link = step.kind === 'attach' && step.link === undefined ? tcpOf(robot, scene.tcp).link : 0;
    this.replace(changedScene(scene, step, robot.links[link].name, linkPoses(robot, q)));
  }

  private replace(scene: Scene, robot = this.world.robot): void {
    this.requireIdle();
    this.world = preparedWorld(robot, ownedScene(scene));
  }

  private sceneOf(query: PlanQuery): Scene {
    const given = QUERY_FIELDS.filter((key) => query[key] !== undefined);
    if (given.length === 0) return this.world.scene;
    const { steps: _, ...rest } = this.world.scene;
    const replaced = Object.fromEntries(given.map((key) => [key, query[key]]));
    const scene = { ...(given.includes('goals') ? rest : this.world.scene), ...replaced } as Scene;
    return given.includes('steps') ? { ...scene, goals: [] } : scene;
  }

  private requireIdle(): void {
    if (this.queries > 0)
      throw new InputError('a planner is changed by a callback of its own query', 'Change it between queries.');
  }
}

/** Returns a world with its collision model; throws `InputError` if the scene is not valid. */
function preparedWorld(robot: RobotModel, scene: Scene): World {
  const world = new World(robot, scene);
  void world.model;
  return world;
}
