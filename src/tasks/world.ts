import { CollisionModel } from '../core/collision/model/collisionModel.ts';
import type { ShapeOf } from '../core/collision/model/modelParts.ts';
import { ProverPool } from '../core/collision/proofs/proverPool.ts';
import { CollisionManager, type ManagerOptions } from '../core/collision/states/collisionManager.ts';
import { withKeptJoints } from '../core/kinematics/composition/compositeRobot.ts';
import { forwardKinematics, RobotState } from '../core/kinematics/forwardKinematics.ts';
import type { RobotModel } from '../core/kinematics/robotModel.ts';
import { linkNamed } from '../core/kinematics/toolCenterPoint.ts';
import type { Configuration } from '../core/math/configuration.ts';
import type { Transform } from '../core/math/transform.ts';
import { changedScene } from '../core/scene/changedScene.ts';
import { requireStill } from '../core/scene/movingScene.ts';
import type { EventStep, JointMoveStep } from '../core/scene/program.ts';
import type { CheckedScene, Scene } from '../core/scene/scene.ts';
import type { UncheckedPairs } from '../core/scene/uncheckedPairs.ts';
import { createSceneWorld, type SceneWorld, snapshot, stillScene, worldOfJointMove } from '../core/world/sceneWorld.ts';
import { uncheckedPairs } from './checking/uncheckedCount.ts';
import { sourcePositions } from './checking/worldMotions.ts';

/** Options of a `World`: those of its collision manager. */
export interface WorldOptions extends ManagerOptions {
  /** Creates the shape of a part; may return cached shapes, which are immutable. */
  readonly shapeOf?: ShapeOf | undefined;
}

/** The manager and the provers of one query. */
export interface QueryChecks {
  readonly manager: CollisionManager;
  readonly provers: ProverPool;
  /** Pairs of links and objects that are not checked. */
  readonly unchecked: UncheckedPairs;
}

/** Those of a finished query, and the obstacles that were moved since. */
interface IdleChecks extends QueryChecks {
  readonly moved: Set<number>;
}

type CheckerChoice = NonNullable<ManagerOptions['checker']>;

const NONE: ReadonlySet<number> = new Set();

/**
 * A robot in a scene, with everything that checks of it need, each created on first use and owned by the world: the
 * kinematic tree, the collision model, the collision manager, and those of queries. A world is of one thread. A still
 * scene has one world; a program has one between any two events that change its scene.
 */
export class World<S extends CheckedScene = Scene> {
  private current: S;
  private createdTree: SceneWorld<S> | undefined;
  private createdModel: CollisionModel | undefined;
  private createdManager: CollisionManager | undefined;
  private createdStill: World<S> | undefined;
  private setSources: ReturnType<typeof sourcePositions> | undefined;
  private readonly idle = new Map<CheckerChoice, IdleChecks>();

  /** @param known tree of the same robot: what moves alike in both is not built again */
  constructor(
    /** The planned robot alone. */
    readonly robot: RobotModel,
    scene: S,
    private readonly options: WorldOptions = {},
    private readonly known?: SceneWorld,
  ) {
    this.current = scene;
  }

  /** Narrow-phase checker of the manager. */
  get checker(): NonNullable<ManagerOptions['checker']> {
    return this.options.checker ?? 'growth-distance';
  }

  /** The scene as given. */
  get scene(): S {
    return this.current;
  }

  /** The scene as one kinematic tree: moving obstacles and other robots are links. */
  get tree(): SceneWorld<S> {
    this.createdTree ??= createSceneWorld(this.robot, this.current, this.known);
    return this.createdTree;
  }

  /** Collision model of the whole tree. */
  get model(): CollisionModel {
    const { tree, options } = this;
    this.createdModel ??= new CollisionModel(tree.robot, tree.scene, options.shapeOf);
    return this.createdModel;
  }

  /** Collision manager of the whole tree. */
  get manager(): CollisionManager {
    this.createdManager ??= new CollisionManager(this.model, this.options);
    return this.createdManager;
  }

  /** True if the scene has neither moving obstacles nor other robots. */
  get isStill(): boolean {
    return this.tree.robot === this.robot;
  }

  /**
   * The planned robot and the static obstacles: ignores moving obstacles and other robots. The same world if there are
   * none.
   */
  get still(): World<S> {
    if (this.isStill) return this;
    this.createdStill ??= new World(this.robot, stillScene(this.tree), this.options);
    return this.createdStill;
  }

  /** Returns the world at one instant: everything but the planned robot is an obstacle where it is then. */
  at(time: number): World<S> {
    return this.isStill
      ? this
      : new World(this.robot, snapshot(this.tree, this.stateAt(undefined, time)), this.options);
  }

  /**
   * Returns the joint values of the whole tree at a time.
   * @param q those of the planned robot; undefined: zeros
   */
  stateAt(
    q: ArrayLike<number> | undefined,
    time: number,
    out: Configuration = new Float64Array(this.tree.robot.dof),
  ): Configuration {
    if (q) out.set(q);
    this.setSources ??= sourcePositions(this.tree);
    this.setSources(out, this.robot.dof, time);
    return out;
  }

  /** Returns true if a state of the planned robot is collision-free at a time. */
  isFreeAt(q: ArrayLike<number>, time: number): boolean {
    return this.manager.isCollisionFree(this.stateAt(q, time));
  }

  /** Returns the world after an event that happens at q. Throws `InputError` as `changedScene`. */
  after(this: World<Scene>, step: EventStep | JointMoveStep, linkOfTcp: string, q: Configuration): World<Scene> {
    if (step.kind === 'set') return this;
    if (step.kind === 'wait') return new World(withKeptJoints(this.robot, step.moves.joints), this.scene, this.options);
    const scene = changedScene(this.scene, step, linkOfTcp, linkPoses(this.robot, q));
    return new World(this.robot, scene, this.options, this.tree);
  }

  /** Returns the world of an interval of time over which a step moves joints that are not planned. */
  during(step: JointMoveStep, from: number, to: number): World<S> {
    const moved = new World(this.robot, this.scene, this.options);
    moved.createdTree = worldOfJointMove(this.tree, step, from, to);
    return moved;
  }

  /**
   * Replaces the scene by one in which an obstacle has another pose. Must not be called during a query, nor in a world
   * in which something moves by itself.
   * @param obstacle its index
   * @internal
   */
  move(scene: S, obstacle: number): void {
    const moved = new Set([obstacle]);
    this.model.replaceScene(scene, moved);
    this.createdManager?.followModel(moved);
    this.current = scene;
    this.createdTree = undefined;
    for (const checks of this.idle.values()) checks.moved.add(obstacle);
  }

  /**
   * Calls a query of a still world with checks in the state of new ones. They belong to it until it returns: a query
   * within a callback of it has checks of its own. They are kept for later queries, which may differ in start, goals
   * and rules of motions.
   * @param scene that of the world, but for start, goals and rules of motions
   * @param wrapChecker replaces the checker of the manager; such checks are not kept
   * @internal
   */
  query<T>(
    scene: Scene,
    checker: CheckerChoice,
    wrapChecker: ManagerOptions['wrapChecker'],
    query: (checks: QueryChecks) => T,
  ): T {
    const { model, idle } = this;
    const outer = model.scene;
    model.replaceScene(scene, NONE);
    try {
      const checks = wrapChecker
        ? this.createChecks(scene, checker, wrapChecker)
        : (this.takeIdle(checker) ?? this.createChecks(scene, checker));
      const result = query(checks);
      if (!wrapChecker) idle.set(checker, { ...checks, moved: new Set() });
      return result;
    } finally {
      model.replaceScene(outer, NONE);
    }
  }

  private createChecks(scene: Scene, checker: CheckerChoice, wrapChecker?: ManagerOptions['wrapChecker']): QueryChecks {
    const manager = new CollisionManager(this.model, { checker, wrapChecker });
    const unchecked = uncheckedPairs(this.robot, scene, this.model.allowed);
    return { manager, provers: new ProverPool(manager.posed), unchecked };
  }

  private takeIdle(checker: CheckerChoice): QueryChecks | undefined {
    const idle = this.idle.get(checker);
    if (idle === undefined) return undefined;
    this.idle.delete(checker);
    const { manager, provers, moved } = idle;
    manager.reset();
    provers.reclaim();
    if (moved.size > 0) manager.followModel(moved);
    return idle;
  }
}

/** Returns the world of a scene in which nothing moves by itself; throws `InputError` for others. */
export function stillWorld<S extends CheckedScene>(robot: RobotModel, scene: S, options: WorldOptions = {}): World<S> {
  requireStill(scene);
  return new World(robot, scene, options);
}

/** Returns the world of a robot by itself. */
export const aloneWorld = (robot: RobotModel): World<CheckedScene> =>
  new World<CheckedScene>(robot, { obstacles: [], attached: [], allow: [], padding: 0 });

/** Returns a function from the name of a link to its pose in the world at q, which is not to change before its use. */
export function linkPoses(robot: RobotModel, q: Configuration): (link: string) => Transform {
  let state: RobotState | undefined;
  return (link) => {
    if (!state) {
      state = new RobotState(robot);
      forwardKinematics(state, q);
    }
    return state.T_world_link[linkNamed(robot, link)].slice();
  };
}
