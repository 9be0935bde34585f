import { startWarnings } from '../../core/scene/configurationOf.ts';
import type { Scene } from '../../core/scene/scene.ts';
import { InputError } from '../../errors.ts';
import { type Params, readParams, type WatchMethodName } from '../../formats/schemas/serviceMessages.ts';
import { RpcError } from './jsonRpc.ts';
import type { MemoryBudget } from './memoryBudget.ts';
import type { ServiceLimits } from './serviceLimits.ts';
import type { Outcome } from './threads/protocol.ts';
import type { RunningRequest, ThreadPool } from './threads/threadPool.ts';
import type { Lane } from './turns.ts';

/** Maximum number of watches of one session. */
const MAX_WATCHES = 16;

/**
 * Sends a notification to the client. Progress is skipped if the client does not read; urgent notifications are not.
 */
export type Notify = (text: string, isUrgent: boolean) => void;

/** The part of the service that requests on threads use. */
export interface LongHost {
  readonly options: { readonly scene: Scene; readonly limits: Pick<ServiceLimits, 'time' | 'answer'> };
  /** Threads for methods that take long. */
  readonly threads: ThreadPool;
  /** Thread that proves watched motions; planning does not delay it. */
  readonly watcher: ThreadPool;
  /** Id of the last watch of all sessions, which share the thread. */
  readonly watchIds: { last: number };
  /** Returns the memory budget of what sessions of a lane keep: added objects, and watched motions. */
  budgetOf(lane: Lane): MemoryBudget;
}

/** The requests of one session on threads, as its watches use them. */
export interface LongSession {
  readonly host: LongHost;
  readonly lane: Lane;
  /** Returns the current scene of the session. */
  readonly scene: () => Scene;
  /** Undefined if the transport of the session has no notifications. */
  readonly notify: Notify | undefined;
  /** The request that runs, which may be cancelled. */
  running: RunningRequest | undefined;
}

interface Watch {
  readonly id: number;
  /** JSON text of the parameters of `watch`. */
  readonly params: string;
  readonly replans: boolean;
  time: number;
  replanning?: RunningRequest | undefined;
}

/** The motions that a session watches. A change of the scene proves them again before the next message is processed. */
export class Watches {
  private readonly list = new Map<number, Watch>();
  private judged: Scene;
  private readonly memory: MemoryBudget;

  constructor(private readonly session: LongSession) {
    this.judged = session.host.options.scene;
    this.memory = session.host.budgetOf(session.lane);
  }

  /** Number of watched motions. */
  get count(): number {
    return this.list.size;
  }

  /** Runs a method. Throws `InputError` for unknown watches, `RpcError` if it fails. */
  async run(method: WatchMethodName, params: unknown, deadline: number): Promise<string> {
    if (method === 'watch') return this.begin(readParams(method, params), deadline);
    if (method === 'watch.advance') return this.advance(readParams(method, params), deadline);
    this.end(this.find(readParams(method, params).watch));
    return '{}';
  }

  /** Proves all watched motions in the current scene, if it has changed, and sends a notification about each. */
  async update(): Promise<void> {
    const scene = this.session.scene();
    if (scene === this.judged) return;
    this.judged = scene;
    for (const watch of this.list.values()) cancelReplanning(watch); // plans for the previous scene are not sent
    const deadline = this.deadline();
    const running = [...this.list.values()].map((watch) => ({ watch, request: this.judge(watch, deadline) }));
    for (const { watch, request } of running) {
      await request.settled;
      if (!this.list.has(watch.id)) continue; // the session was closed meanwhile
      const text = resultText(request.outcome!, watch.time);
      this.send(watch, text);
      this.replan(watch, certifiedUntil(text));
    }
  }

  /** Ends all watches. */
  close(): void {
    for (const watch of this.list.values()) this.end(watch);
  }

  private async begin(given: Params<'watch'>, deadline: number): Promise<string> {
    const { session, list, memory } = this;
    if (!session.notify)
      throw new RpcError(
        'invalidParams',
        'watch needs a connection that carries notifications',
        'Use a socket or a WebSocket.',
      );
    if (list.size >= MAX_WATCHES)
      throw new InputError(`params: the session has ${MAX_WATCHES} watches, which is the limit`, 'End one: watch.end.');
    const params = JSON.stringify(given);
    if (!memory.take(params.length)) throw new RpcError('tooLarge', 'the memory budget does not allow another watch');
    const watch: Watch = {
      id: ++session.host.watchIds.last,
      params,
      replans: given.replan ?? false,
      time: given.time ?? 0,
    };
    let text: string | undefined;
    try {
      text = await this.outcomeOf(this.judge(watch, deadline));
    } finally {
      if (text === undefined) memory.release(params.length);
      else list.set(watch.id, watch);
    }
    this.judged = session.scene();
    this.replan(watch, certifiedUntil(text));
    const isUnknown = !given.any_start && watch.time === 0;
    const warnings = isUnknown ? startWarnings(this.judged) : [];
    const stated = warnings.length > 0 ? `"warnings":${JSON.stringify(warnings)},` : '';
    return `{"watch":${watch.id},${stated}${text.slice(1)}`;
  }

  private async advance({ watch: id, time }: Params<'watch.advance'>, deadline: number): Promise<string> {
    const watch = this.find(id);
    if (time < watch.time)
      throw new InputError(`params.time: ${time} is before ${watch.time}`, 'Execution does not run backwards.');
    watch.time = time;
    return this.outcomeOf(this.judge(watch, deadline));
  }

  private end(watch: Watch): void {
    cancelReplanning(watch);
    this.list.delete(watch.id);
    this.memory.release(watch.params.length);
  }

  private find(id: number): Watch {
    const watch = this.list.get(id);
    if (watch) return watch;
    throw new InputError(`params.watch: ${id}, this session has no such watch`, 'Use the id that watch returned.');
  }

  /** Proves a motion in the current scene. */
  private judge({ id, time, params }: Watch, deadline: number): RunningRequest {
    return this.start(
      this.session.host.watcher,
      'judgeWatch',
      `{"watch":${id},"time":${time},"params":${params}}`,
      deadline,
    );
  }

  private start(pool: ThreadPool, method: string, text: string, deadline: number): RunningRequest {
    const { scene, lane } = this.session;
    return pool.run({ method, text, isMessage: false, scene: scene(), lane, deadline });
  }

  private async outcomeOf(request: RunningRequest): Promise<string> {
    this.session.running = request;
    try {
      await request.settled;
    } finally {
      request.cancel(); // without effect if it has ended
      this.session.running = undefined;
    }
    return textOf(request.outcome!);
  }

  /** Returns when a proof or plan that begins now has to end. */
  private deadline(): number {
    return performance.now() + 1000 * this.session.host.options.limits.time;
  }

  /** Plans a new motion if the old one is not proved to its end; ends the plan for an earlier scene. */
  private replan(watch: Watch, until: number | null): void {
    cancelReplanning(watch);
    if (!watch.replans || until === null) return;
    const { id, time, params } = watch;
    const text = `{"watch":${id},"time":${time},"until":${until},"params":${params}}`;
    const request = this.start(this.session.host.threads, 'replan', text, this.deadline());
    watch.replanning = request;
    request.settled.then(() => this.replanned(watch, request, until));
  }

  private replanned(watch: Watch, request: RunningRequest, until: number): void {
    if (watch.replanning !== request) return; // ended, or planned again for a later scene
    watch.replanning = undefined;
    const outcome = request.outcome!;
    let text = 'text' in outcome ? outcome.text : JSON.stringify({ reason: outcome.message });
    const { from } = JSON.parse(text) as { from?: number };
    const isLate = from !== undefined && from < watch.time;
    if (isLate && watch.time < until) {
      this.replan(watch, until);
      return;
    }
    if (isLate) text = JSON.stringify({ reason: 'the robot has passed the certified rest of the motion' });
    this.send(watch, `{"certified_until":${until},${text.slice(1)}`);
  }

  private send({ id }: Watch, text: string): void {
    this.session.notify?.(`{"jsonrpc":"2.0","method":"$/watch","params":{"watch":${id},${text.slice(1)}}`, true);
  }
}

/** Returns the result of a request. Throws `RpcError` if it failed. */
export function textOf(outcome: Outcome): string {
  if ('text' in outcome) return outcome.text;
  throw new RpcError(outcome.code, outcome.message, outcome.note);
}

function cancelReplanning(watch: Watch): void {
  watch.replanning?.cancel();
  watch.replanning = undefined;
}

/** Returns the time until which the result of a proof certifies a motion, seconds; null: to its end. */
const certifiedUntil = (text: string) => (JSON.parse(text) as { certified_until: number | null }).certified_until;

/** Returns the result of a proof; if it failed, nothing beyond the current time is proved. */
const resultText = (outcome: Outcome, time: number): string =>
  'text' in outcome ? outcome.text : JSON.stringify({ certified_until: time, reason: outcome.message });
