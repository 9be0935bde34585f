import type { CollisionModel } from '../../core/collision/model/collisionModel.ts';
import { ProverPool } from '../../core/collision/proofs/proverPool.ts';
import { CollisionManager, type ManagerOptions } from '../../core/collision/states/collisionManager.ts';
import type { CheckerName } from '../../core/narrowphase/index.ts';
import type { CheckerVariantName } from '../../core/narrowphase/variants.ts';
import type { Scene } from '../../core/scene/scene.ts';
import type { UncheckedPairs } from '../../core/scene/uncheckedPairs.ts';
import { uncheckedPairs } from '../checking/uncheckedCount.ts';

type CheckerChoice = CheckerName | CheckerVariantName;

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

const NONE: ReadonlySet<number> = new Set();

/**
 * The collision model of a scene, with the managers and provers of finished queries: all that a query needs before its
 * first check. Queries may differ in start, goals and rules of motions; between them, obstacles may be moved.
 */
export class PreparedScene {
  private readonly idle = new Map<CheckerChoice, IdleChecks>();

  constructor(
    /** Must not be used elsewhere during a query: its scene is then that of the query. */
    readonly model: CollisionModel,
  ) {}

  /**
   * Calls a query with checks in the state of new ones. They belong to it until it returns: a query within a callback
   * of it has checks of its own.
   * @param scene that of the model, but for start, goals and rules of motions
   * @param wrapChecker replaces the checker of the manager; such checks are not kept
   */
  during<T>(
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
        ? this.create(scene, checker, wrapChecker)
        : (this.takeIdle(checker) ?? this.create(scene, checker));
      const result = query(checks);
      if (!wrapChecker) idle.set(checker, { ...checks, moved: new Set() });
      return result;
    } finally {
      model.replaceScene(outer, NONE);
    }
  }

  /**
   * Replaces the scene by one in which an obstacle has another pose. Must not be called during a query.
   * @param obstacle its index
   */
  move(scene: Scene, obstacle: number): void {
    this.model.replaceScene(scene, new Set([obstacle]));
    for (const { moved } of this.idle.values()) moved.add(obstacle);
  }

  private create(scene: Scene, checker: CheckerChoice, wrapChecker?: ManagerOptions['wrapChecker']): QueryChecks {
    const manager = new CollisionManager(this.model, { checker, wrapChecker });
    return { manager, provers: new ProverPool(manager.posed), unchecked: uncheckedPairs(this.model.robot, scene) };
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
