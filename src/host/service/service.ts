import { availableParallelism } from 'node:os';
import { performance } from 'node:perf_hooks';
import type { RobotModel } from '../../core/kinematics/robotModel.ts';
import type { CheckerName } from '../../core/narrowphase/index.ts';
import { startStateOf } from '../../core/scene/configurationOf.ts';
import { kindOf } from '../../core/scene/movingScene.ts';
import type { Scene } from '../../core/scene/scene.ts';
import { WARM_UP as GATE_WARM_UP, warmUpMessages } from '../../tasks/gate/warmUp.ts';
import { World } from '../../tasks/world.ts';
import { MemoryBudget } from './memoryBudget.ts';
import { Rounds } from './rounds.ts';
import { type ServiceLimits, serviceLimits } from './serviceLimits.ts';
import { Metrics } from './serviceMetrics.ts';
import { ClientSession } from './session/clientSession.ts';
import { SessionThread } from './session/sessionThread.ts';
import { SmallRequests } from './session/smallRequests.ts';
import type { Lane } from './turns.ts';

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

/** Plans of a thread before the first request, and the time (ms) after which no other begins. */
const WARM_UP = { plans: 40, ms: 5000 };

/**
 * Processes JSON-RPC messages about one scene, independently of the transport. The transports share the main thread,
 * which processes nothing but small requests; the sessions run on a thread of their own, those with gates on another.
 * Transports reserve in `memory` what they buffer for their clients.
 */
export class Service {
  /** Limits in effect. */
  readonly limits: ServiceLimits;
  /** @internal Memory budget of all clients. */
  readonly memory: MemoryBudget;
  /** @internal Part of the memory budget that network clients may use. */
  readonly networkMemory: MemoryBudget;
  /** @internal Metrics for monitoring. */
  readonly metrics: Metrics;
  /** @internal Divides the time of the main thread among the clients. */
  readonly rounds = new Rounds();
  /** @internal Options that the service was created with. */
  readonly options: ServiceOptions;
  /** @internal The thread of the sessions. */
  readonly sessions: SessionThread;
  /** @internal The thread of sessions with gates. */
  readonly gates: SessionThread;
  /** @internal Undefined if something moves: requests then need a time. */
  readonly small: SmallRequests | undefined;
  /** Of each thread of sessions: bytes that they keep, and the number of requests on threads of long methods. */
  private readonly usage: Float64Array[] = [];
  private readonly open: Record<Lane, number> = { local: 0, network: 0 };
  private lastId = 0;

  /** Throws `InputError` if the scene cannot be checked. */
  constructor(options: ServiceOptions) {
    this.options = options;
    const { memory = serviceLimits.memory } = options.limits ?? {};
    const limits: ServiceLimits = { ...serviceLimits, objects: 4 * memory, ...options.limits };
    this.limits = limits;
    this.memory = new MemoryBudget(memory);
    this.networkMemory = new MemoryBudget(Math.min(memory, Math.max(memory / 2, limits.body)), this.memory);
    this.metrics = new Metrics({
      sessions: () => this.open.local + this.open.network,
      under_way: () => this.sessions.length + this.gates.length,
      on_threads: () => this.onThreads,
      memory_bytes: () => this.takenMemory,
      resident_bytes: () => process.memoryUsage.rss(),
    });
    const { robot, scene, version, checker = 'growth-distance', jobs } = options;
    const { isStill, still } = new World(robot, scene);
    const small = new SmallRequests(robot, checker, (method, judged) => this.metrics.request(method, 'ok', judged));
    small.checkerOf(still.scene);
    this.small = isStill ? small : undefined;
    const data = { robot: robot.description, scene, version, checker, jobs, limits };
    const thread = () => {
      const usage = new Float64Array(new SharedArrayBuffer(16));
      this.usage.push(usage);
      return new SessionThread({ ...data, usage }, (counts) => this.metrics.add(counts));
    };
    this.sessions = thread();
    this.gates = thread();
  }

  /** @internal Number of requests on the threads of long methods. */
  get onThreads(): number {
    return this.usage.reduce((sum, [, requests]) => sum + requests, 0);
  }

  /** @internal Bytes of all memory budgets that are reserved. */
  get takenMemory(): number {
    return this.usage.reduce((sum, [bytes]) => sum + bytes, this.memory.taken);
  }

  /**
   * Opens a session for a client; undefined if the limit of its lane is reached. Close it when the client disconnects.
   */
  openSession(lane: Lane = 'local'): ClientSession | undefined {
    if (this.open[lane] >= this.limits.sessions) {
      this.metrics.refuse('sessions');
      return undefined;
    }
    this.open[lane]++;
    return new ClientSession(this, ++this.lastId, lane, true);
  }

  /** Returns a session for single messages, which refer to the loaded scene and cannot change it. */
  sharedSession(): ClientSession {
    return new ClientSession(this, ++this.lastId, 'network', false);
  }

  /** @internal Called when a session is closed. */
  closed({ lane, isOwn }: ClientSession): void {
    if (isOwn) this.open[lane]--;
  }

  /**
   * Plans the query of the scene with other seeds on each thread, and proposes motions to a gate on the thread of the
   * gates, so that code is compiled and tables are filled before the first request. Returns the numbers of plans and
   * proposals; 0 plans if the scene states no query, 0 proposals if it has no gate.
   */
  async warm(): Promise<{ readonly plans: number; readonly proposals: number }> {
    const { scene, jobs = availableParallelism() } = this.options;
    const isQuery = scene.start !== undefined && (scene.goals.length > 0 || kindOf(scene) === 'program');
    const proposals = await this.warmGate(); // alone: threads that plan would leave it little of the processor
    const end = performance.now() + WARM_UP.ms;
    const plans = await Promise.all(
      Array.from({ length: isQuery ? jobs : 0 }, (_, thread) => this.warmPlans(thread, end)),
    );
    return { plans: plans.reduce((sum, count) => sum + count, 0), proposals };
  }

  private async warmPlans(thread: number, end: number): Promise<number> {
    const session = new ClientSession(this, ++this.lastId, 'local', false);
    let count = 0;
    while (count < WARM_UP.plans && performance.now() < end) {
      const params = { seed: thread * WARM_UP.plans + ++count, time_limit: WARM_UP.ms / 1000 };
      await session.answer(JSON.stringify({ jsonrpc: '2.0', id: count, method: 'plan', params }));
    }
    session.close();
    return count;
  }

  private async warmGate(): Promise<number> {
    const { robot, scene } = this.options;
    const session = this.openSession()!;
    const call = async (method: string, params: object): Promise<{ readonly result?: { readonly gate?: number } }> =>
      JSON.parse(await session.answer(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })));
    const { result } = await call('gate.open', {});
    const end = performance.now() + 1000 * GATE_WARM_UP.seconds;
    let count = 0;
    if (result)
      for (const message of warmUpMessages(Array.from(startStateOf(robot, scene)!.q))) {
        if (performance.now() > end) break;
        await call('gate.propose', { gate: result.gate, ...message });
        count++;
      }
    session.close();
    return count;
  }

  /**
   * Ends the threads; call it after the transports have been closed. Threads that are idle do not keep a process
   * alive.
   */
  async close(): Promise<void> {
    await Promise.all([this.sessions.close(), this.gates.close()]);
  }
}
