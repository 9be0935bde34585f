import { availableParallelism } from 'node:os';
import type { RobotModel } from '../../core/kinematics/robotModel.ts';
import { derived } from '../../core/math/derived.ts';
import { completed, type Slices } from '../../core/math/slices.ts';
import type { CheckerName } from '../../core/narrowphase/index.ts';
import type { Scene } from '../../core/scene/scene.ts';
import { createShape } from '../../core/shapes/index.ts';
import type { ConvexShape, ShapeSpec } from '../../core/shapes/shape.ts';
import { StateValidityChecker } from '../../tasks/validation/stateValidityChecker.ts';
import { TimedValidity } from '../../tasks/validation/timedValidity.ts';
import { World } from '../../tasks/world.ts';
import { MemoryBudget } from './memoryBudget.ts';
import { type Lane, Scheduler } from './scheduler.ts';
import { type ServiceLimits, serviceLimits } from './serviceLimits.ts';
import { Metrics } from './serviceMetrics.ts';
import { Session } from './session/session.ts';
import { ThreadPool } from './threads/threadPool.ts';

/** Options of `Service`. */
export interface ServiceOptions {
  /** Robot of the scene. */
  readonly robot: RobotModel;
  /** Scene with which each session begins. */
  readonly scene: Scene;
  /** Version of this package. */
  readonly version: string;
  /** Narrow phase; default growth-distance. */
  readonly checker?: CheckerName;
  /** Number of threads for methods that take long, such as `plan`; default: one per core. */
  readonly jobs?: number;
  /** Limits that differ from `serviceLimits`. */
  readonly limits?: Partial<ServiceLimits>;
}

/**
 * Processes JSON-RPC messages about one scene, independently of the transport. Messages of many sessions share time
 * slices of this thread, see `Scheduler`; methods that take long run on worker threads. Transports reserve in
 * `memory` what they buffer for their clients.
 */
export class Service {
  /** Limits in effect. */
  readonly limits: ServiceLimits;
  /**
   * Memory budget of all clients.
   * @internal
   */
  readonly memory: MemoryBudget;
  /**
   * Part of the memory budget that network clients may use.
   * @internal
   */
  readonly networkMemory: MemoryBudget;
  /** Memory budget of the objects that all sessions add, and the part of network clients. */
  private readonly objects: Readonly<Record<Lane, MemoryBudget>>;
  /**
   * Counters of requests and refusals, for monitoring.
   * @internal
   */
  readonly metrics: Metrics;
  /**
   * Divides the time of the thread among the sessions.
   * @internal
   */
  readonly scheduler = new Scheduler();
  /** Options of the constructor. */
  readonly options: ServiceOptions;
  /**
   * Returns the shape of a spec, built once per spec object: specs are immutable.
   * @internal
   */
  readonly shapeOf: (spec: ShapeSpec) => ConvexShape;
  /**
   * Checker of the loaded scene, without its moving obstacles and other robots.
   * @internal
   */
  readonly base: StateValidityChecker;
  /**
   * State validity at a time; undefined if nothing moves.
   * @internal
   */
  readonly timed: TimedValidity | undefined;
  /**
   * Threads for methods that take long.
   * @internal
   */
  readonly threads: ThreadPool;
  /**
   * Thread for the proofs of watched motions, which planning does not delay.
   * @internal
   */
  readonly watcher: ThreadPool;
  /** Cached checkers of changed scenes, the most recently used last: timed ones if something moves. */
  private readonly changed = new Map<Session, StateValidityChecker | TimedValidity>();
  private readonly open: Record<Lane, number> = { local: 0, network: 0 };

  constructor(options: ServiceOptions) {
    this.options = options;
    const { memory = serviceLimits.memory } = options.limits ?? {};
    this.limits = { ...serviceLimits, objects: 4 * memory, ...options.limits };
    const { body, objects } = this.limits;
    this.memory = new MemoryBudget(memory);
    const local = new MemoryBudget(objects);
    this.objects = { local, network: new MemoryBudget(objects / 2, local) };
    this.networkMemory = new MemoryBudget(Math.min(memory, Math.max(memory / 2, body)), this.memory);
    this.shapeOf = derived(createShape);
    const { robot, scene, checker = 'growth-distance' } = options;
    const { isStill, still } = new World(robot, scene);
    this.base = completed(this.createChecker(still.scene));
    this.timed = isStill ? undefined : new TimedValidity(robot, scene, { checker, shapeOf: this.shapeOf });
    const { jobs = availableParallelism() } = options;
    const data = { robot: robot.description, scene, checker };
    this.threads = new ThreadPool(data, jobs);
    this.watcher = new ThreadPool(data, 1);
    this.metrics = new Metrics({
      sessions: () => this.open.local + this.open.network,
      under_way: () => this.scheduler.length,
      on_threads: () => this.threads.length,
      memory_bytes: () => this.takenMemory,
      resident_bytes: () => process.memoryUsage.rss(),
    });
  }

  /**
   * Returns the memory budget that clients of a lane share.
   * @internal
   */
  memoryOf(lane: Lane): MemoryBudget {
    return lane === 'network' ? this.networkMemory : this.memory;
  }

  /**
   * Returns the memory budget of the objects that sessions of a lane add.
   * @internal
   */
  objectsOf(lane: Lane): MemoryBudget {
    return this.objects[lane];
  }

  /**
   * Bytes of both memory budgets that are reserved.
   * @internal
   */
  get takenMemory(): number {
    return this.memory.taken + this.objects.local.taken;
  }

  /**
   * Limit of the pairs of parts in a changed scene.
   * @internal
   */
  get maxPairs(): number {
    return Math.max(this.limits.pairs, 2 * this.base.manager.model.pairCount);
  }

  /**
   * Opens a session for a client; undefined if the limit of its lane is reached. Close it when the client disconnects.
   */
  openSession(lane: Lane = 'local'): Session | undefined {
    if (this.open[lane] >= this.limits.sessions) {
      this.metrics.refuse('sessions');
      return undefined;
    }
    this.open[lane]++;
    return new Session(this, true, lane);
  }

  /**
   * Ends the threads; call it after the transports have been closed. Threads that are idle do not keep a process
   * alive.
   */
  async close(): Promise<void> {
    await Promise.all([this.threads.close(), this.watcher.close()]);
  }

  /** Returns a session for single messages, which refer to the loaded scene and cannot change it. */
  sharedSession(): Session {
    return new Session(this, false, 'network');
  }

  /**
   * Returns the checker of the current scene of a session; creates it in slices if the scene has changed; the scene
   * must not change meanwhile. With moving obstacles or other robots: the checker of the loaded scene, for data that
   * does not depend on objects.
   * @internal
   */
  *checkerOf(session: Session): Slices<StateValidityChecker> {
    const { scene } = session;
    if (!scene.isChanged || this.timed) return this.base;
    const known = this.changed.get(session) as StateValidityChecker | undefined;
    return this.cached(session, known ?? (yield* this.createChecker(scene.current)));
  }

  /**
   * Returns the state validity at a time in the current scene of a session, as `checkerOf`; undefined if nothing moves
   * in the loaded scene.
   * @internal
   */
  *timedOf(session: Session): Slices<TimedValidity | undefined> {
    const { scene } = session;
    if (!scene.isChanged || !this.timed) return this.timed;
    const known = this.changed.get(session) as TimedValidity | undefined;
    return this.cached(session, known ?? (yield* TimedValidity.creating(scene.current, this.timed)));
  }

  private cached<C extends StateValidityChecker | TimedValidity>(session: Session, checker: C): C {
    this.changed.delete(session);
    this.changed.set(session, checker);
    this.dropOldCheckers();
    return checker;
  }

  /** Drops the least recently used checkers beyond the limits, but never the last one. */
  private dropOldCheckers(): void {
    const { checkers, checkerPairs } = this.limits;
    let pairs = 0;
    for (const { manager } of this.changed.values()) pairs += manager.model.pairCount;
    for (const [session, { manager }] of this.changed) {
      if (this.changed.size === 1 || (this.changed.size <= checkers && pairs <= checkerPairs)) return;
      this.changed.delete(session);
      pairs -= manager.model.pairCount;
    }
  }

  /**
   * Drops the cached checker of a session whose scene has changed.
   * @internal
   */
  forget(session: Session): void {
    this.changed.delete(session);
  }

  /**
   * Releases the resources of a closed session.
   * @internal
   */
  closed(session: Session): void {
    this.forget(session);
    this.open[session.lane]--;
  }

  private createChecker(scene: Scene): Slices<StateValidityChecker> {
    const { robot, checker = 'growth-distance' } = this.options;
    return StateValidityChecker.creating(robot, scene, { checker, shapeOf: this.shapeOf });
  }
}
