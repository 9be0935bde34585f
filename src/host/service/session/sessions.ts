import { availableParallelism } from 'node:os';
import type { RobotModel } from '../../../core/kinematics/robotModel.ts';
import { derived } from '../../../core/math/derived.ts';
import type { Interrupt } from '../../../core/math/interrupt.ts';
import type { CheckerName } from '../../../core/narrowphase/index.ts';
import type { Scene } from '../../../core/scene/scene.ts';
import { createShape } from '../../../core/shapes/index.ts';
import type { ConvexShape, ShapeSpec } from '../../../core/shapes/shape.ts';
import { StateValidityChecker } from '../../../tasks/validation/stateValidityChecker.ts';
import { TimedValidity } from '../../../tasks/validation/timedValidity.ts';
import { World } from '../../../tasks/world.ts';
import { MemoryBudget } from '../memoryBudget.ts';
import type { ServiceLimits } from '../serviceLimits.ts';
import { Counters } from '../serviceMetrics.ts';
import { ThreadPool } from '../threads/threadPool.ts';
import { type Lane, type Turn, Turns } from '../turns.ts';
import { Session } from './session.ts';
import type { HostedSession, SessionHost } from './sessionHost.ts';

/** Options of `Sessions`. */
export interface SessionsOptions {
  readonly robot: RobotModel;
  /** Scene with which each session begins. */
  readonly scene: Scene;
  readonly version: string;
  readonly checker: CheckerName;
  /** Number of threads for methods that take long; default: one per core. */
  readonly jobs?: number | undefined;
  readonly limits: ServiceLimits;
  /** Receives the bytes that all sessions keep, and the number of requests on threads; may be shared memory. */
  readonly usage?: Float64Array;
}

/** The sessions of one thread. Requests share its time, see `Turns`; methods that take long run on further threads. */
export class Sessions implements SessionHost {
  readonly turns = new Turns();
  /** Counters of requests and refusals. */
  readonly metrics = new Counters();
  readonly base: StateValidityChecker;
  readonly timed: TimedValidity | undefined;
  readonly threads: ThreadPool;
  readonly watcher: ThreadPool;
  readonly watchIds = { last: 0 };
  /** Memory budgets of what sessions keep; network clients have half of it. */
  private readonly budgets: Readonly<Record<Lane, MemoryBudget>>;
  /** Cached checkers of changed scenes, the most recently used last: timed ones if something moves. */
  private readonly changed = new Map<HostedSession, StateValidityChecker | TimedValidity>();

  constructor(readonly options: SessionsOptions) {
    const { robot, scene, checker, jobs = availableParallelism(), limits, usage = new Float64Array(2) } = options;
    const local = new MemoryBudget(limits.objects, undefined, usage);
    this.budgets = { local, network: new MemoryBudget(limits.objects / 2, local) };
    const { isStill, still } = new World(robot, scene);
    this.base = this.createChecker(still.scene);
    this.timed = isStill ? undefined : new TimedValidity(robot, scene, { checker, shapeOf: this.shapeOf });
    const data = { robot: robot.description, scene, checker };
    this.threads = new ThreadPool(data, jobs, usage.subarray(1));
    this.watcher = new ThreadPool(data, 1);
  }

  /** Returns the shape of a spec, built once per spec object: specs are immutable. */
  readonly shapeOf: (spec: ShapeSpec) => ConvexShape = derived(createShape);

  /** @param isOwn false: for single messages, which refer to the loaded scene and cannot change it */
  open(lane: Lane = 'local', isOwn = true): Session {
    return new Session(this, isOwn, lane);
  }

  budgetOf(lane: Lane): MemoryBudget {
    return this.budgets[lane];
  }

  /** Bytes that all sessions keep. */
  get takenMemory(): number {
    return this.budgets.local.taken;
  }

  get maxPairs(): number {
    return Math.max(this.options.limits.pairs, 2 * this.base.manager.model.pairCount);
  }

  /** If something moves: the checker of the loaded scene, for data that does not depend on objects. */
  async checkerOf(session: HostedSession, turn: Turn): Promise<StateValidityChecker> {
    const { scene } = session;
    if (!scene.isChanged || this.timed) return this.base;
    const known = this.changed.get(session) as StateValidityChecker | undefined;
    if (!known) await this.prepareShapes(scene.current, turn);
    return this.cached(session, known ?? this.createChecker(scene.current));
  }

  async timedOf(session: HostedSession, turn: Turn): Promise<TimedValidity | undefined> {
    const { scene } = session;
    if (!scene.isChanged || !this.timed) return this.timed;
    const known = this.changed.get(session) as TimedValidity | undefined;
    if (!known) await this.prepareShapes(scene.current, turn);
    const { robot, options } = this.timed;
    return this.cached(session, known ?? new TimedValidity(robot, scene.current, options, this.timed));
  }

  forget(session: HostedSession): void {
    this.changed.delete(session);
  }

  /** Ends the threads; their requests end as cancelled. */
  async close(): Promise<void> {
    await Promise.all([this.threads.close(), this.watcher.close()]);
  }

  /** Creates the shapes of all objects, during which other requests may run. */
  private async prepareShapes({ obstacles, attached }: Scene, turn: Turn): Promise<void> {
    for (const { parts } of [...obstacles, ...attached]) {
      for (const { shape } of parts) this.shapeOf(shape);
      if (turn.isOver) await turn.next();
    }
  }

  private cached<C extends StateValidityChecker | TimedValidity>(session: HostedSession, checker: C): C {
    this.changed.delete(session);
    this.changed.set(session, checker);
    this.dropOldCheckers();
    return checker;
  }

  /** Drops the least recently used checkers beyond the limits, but never the last one. */
  private dropOldCheckers(): void {
    const { checkers, checkerPairs } = this.options.limits;
    let pairs = 0;
    for (const { manager } of this.changed.values()) pairs += manager.model.pairCount;
    for (const [session, { manager }] of this.changed) {
      if (this.changed.size === 1 || (this.changed.size <= checkers && pairs <= checkerPairs)) return;
      this.changed.delete(session);
      pairs -= manager.model.pairCount;
    }
  }

  private createChecker(scene: Scene): StateValidityChecker {
    const { robot, checker } = this.options;
    return new StateValidityChecker(robot, scene, { checker, shapeOf: this.shapeOf, interrupt: this.interrupt });
  }

  /** Throws if the running request is to end: a motion that needs many intervals takes long. */
  private readonly interrupt: Interrupt = () => {
    this.turns.current?.check();
    return false;
  };
}
