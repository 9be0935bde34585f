import { CollisionManager, type ManagerOptions } from '../../collision/collisionManager.ts';
import { CollisionModel } from '../../collision/collisionModel.ts';
import { ProverPool } from '../../collision/proofs/proverPool.ts';
import type { RobotDescription, RobotModel } from '../../kinematics/robotModel.ts';
import type { CheckerName } from '../../narrowphase/index.ts';
import type { CheckerVariantName } from '../../narrowphase/variants.ts';
import { ContentSnapshot } from '../../scene/contentSnapshot.ts';
import type { Scene } from '../../scene/scene.ts';
import { createSceneRobot, type Problem } from '../sceneRobot.ts';

type CheckerChoice = CheckerName | CheckerVariantName;

/** Maximum number of cached scenes; the least recently used one is dropped. */
const MOST_KEPT = 32;

/**
 * Robot and collision pairs of a scene, and collision managers for them: all that a query needs before its first check.
 * Cached by the list of obstacles, while that exists: scenes that differ in start and goals only share it.
 */
export class PreparedScene {
  readonly model: CollisionModel;
  private readonly idle = new Map<CheckerChoice, CollisionManager>();
  /** Managers whose checker was replaced: they are not reused. */
  private readonly own = new WeakSet<CollisionManager>();

  constructor(
    readonly robot: RobotModel,
    readonly scene: Scene,
  ) {
    this.model = new CollisionModel(robot, scene);
  }

  /**
   * Returns a manager in the state of a new one. It belongs to the caller until it is released.
   * @param wrapChecker replaces its checker; such a manager is not kept
   */
  acquireManager(checker: CheckerChoice, wrapChecker?: ManagerOptions['wrapChecker']): CollisionManager {
    if (wrapChecker !== undefined) {
      const manager = new CollisionManager(this.model, { checker, wrapChecker });
      this.own.add(manager);
      return manager;
    }
    const manager = this.idle.get(checker);
    this.idle.delete(checker); // a query within a callback of this one must not reuse it
    if (manager !== undefined) {
      manager.reset();
      return manager;
    }
    const created = new CollisionManager(this.model, { checker });
    created.provers = new ProverPool();
    return created;
  }

  /** Takes a manager back for the next query, unless its obstacles were moved or its checker was replaced. */
  releaseManager(checker: CheckerChoice, manager: CollisionManager): void {
    if (manager.posed.generation === 0 && !this.own.has(manager)) this.idle.set(checker, manager);
  }
}

/** A cached preparation, with the content of the scene and robot that it was created from. */
interface KeptScene {
  readonly prepared: PreparedScene;
  /** The model that the problem states; undefined: it states none. */
  readonly given: RobotModel | undefined;
  readonly description: RobotDescription;
  readonly robot: ContentSnapshot;
  readonly scene: ContentSnapshot;
  /** Number of the last query that used it. */
  used: number;
}

/** By list of obstacles, which scenes that differ in start and goals only share. */
const keptScenes = new WeakMap<Scene['obstacles'], KeptScene>();
/** The lists in `keptScenes`. */
let keptLists: WeakRef<Scene['obstacles']>[] = [];
let queries = 0;
const robots = new WeakMap<RobotDescription, ContentSnapshot>();

/**
 * Returns the preparation of a problem: that of the previous query with the same list of obstacles, if robot and scene
 * still have the same content but for start and goals, which is compared; otherwise a new one. Scenes with shapes that
 * are functions are prepared anew for each query.
 */
export function prepareScene(problem: Problem): PreparedScene {
  const { scene, model: given } = problem;
  const { obstacles } = scene;
  const description = given?.description ?? problem.robot;
  const known = keptScenes.get(obstacles);
  const isSame =
    known?.given === given &&
    known?.description === description &&
    known.scene.matches(contentOf(scene)) &&
    // checks read limits and constraints of the prepared scene
    (known.prepared.scene === scene || known.scene.matches(contentOf(known.prepared.scene))) &&
    known.robot.matches(description);
  if (known && isSame) {
    known.used = ++queries;
    return known.prepared;
  }
  keptScenes.delete(obstacles);
  const prepared = new PreparedScene(createSceneRobot(problem), scene);
  const snapshot = ContentSnapshot.of(contentOf(scene));
  const robot = snapshot && robotSnapshot(description);
  if (robot) {
    keptScenes.set(obstacles, { prepared, given, description, robot, scene: snapshot, used: ++queries });
    dropLeastRecent(obstacles);
  }
  return prepared;
}

/** Returns a scene without what a query states. */
const contentOf = ({ start: _, goals: __, equivalent: ___, ...rest }: Scene): object => rest;

/** Returns the content of a robot; scenes of the same robot share it. */
function robotSnapshot(description: RobotDescription): ContentSnapshot | undefined {
  const known = robots.get(description);
  if (known?.matches(description)) return known;
  const snapshot = ContentSnapshot.of(description);
  if (snapshot) robots.set(description, snapshot);
  return snapshot;
}

/** Adds a list that is kept now, and drops the least recently used preparation if there are too many. */
function dropLeastRecent(added: Scene['obstacles']): void {
  keptLists = keptLists.filter((one) => {
    const list = one.deref();
    return list !== undefined && list !== added && keptScenes.has(list);
  });
  keptLists.push(new WeakRef(added));
  if (keptLists.length <= MOST_KEPT) return;
  const usedAt = (list: Scene['obstacles']) => keptScenes.get(list)?.used ?? queries;
  let least = added;
  for (const one of keptLists) {
    const list = one.deref();
    if (list !== undefined && usedAt(list) < usedAt(least)) least = list;
  }
  keptScenes.delete(least);
}
