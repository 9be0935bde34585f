import { Worker } from 'node:worker_threads';
import type { Scene } from '../../../core/scene/scene.ts';
import { workerFile } from '../../node/workers.ts';
import type { Lane } from '../turns.ts';
import type { Outcome, Progress, ThreadData, ThreadReply, ThreadRequest } from './protocol.ts';
import { SceneSender } from './sentScenes.ts';

/** Time that a thread has to stop a cancelled request, ms; then it is terminated. */
const STOP_MS = 500;
/** Longest delay of a timer, ms: a longer one would fire at once. */
const MAX_DELAY_MS = 2 ** 31 - 1;

/** A request for a pool. */
export interface PoolRequest extends Omit<ThreadRequest, 'id' | 'timeLimit' | 'scene'> {
  /** Scene of the session. */
  readonly scene: Scene;
  readonly lane: Lane;
  /** Clock of `performance.now()`, ms. */
  readonly deadline: number;
  readonly onProgress?: (progress: Progress) => void;
}

/** A request that waits or runs. */
export interface RunningRequest {
  /** Resolves when `outcome` is known; never rejects. */
  readonly settled: Promise<void>;
  readonly outcome: Outcome | undefined;
  /** Ends the request at once. */
  cancel(): void;
}

/**
 * Worker threads that run methods of the service, one request at a time each. Threads start on use, and are replaced
 * if they fail or do not stop a request that was cancelled. Requests of both lanes alternate; if there are several
 * threads, network clients cannot occupy all of them.
 */
export class ThreadPool {
  private readonly waiting: Readonly<Record<Lane, PooledRequest[]>> = { local: [], network: [] };
  private readonly threads: Thread[] = [];
  private lane: Lane = 'network';
  private lastId = 0;
  private isClosed = false;

  constructor(
    private readonly data: Omit<ThreadData, 'cancelled'>,
    /** Maximum number of threads. */
    readonly size: number,
    /** First item: receives the number of requests that wait or run. */
    private readonly count: Float64Array = new Float64Array(1),
  ) {}

  /** Number of requests that wait or run. */
  get length(): number {
    return (
      this.waiting.local.length + this.waiting.network.length + this.threads.filter(({ isIdle }) => !isIdle).length
    );
  }

  /** Runs a request as soon as a thread is idle. */
  run(request: PoolRequest): RunningRequest {
    const pooled = new PooledRequest(++this.lastId, request, () => this.forget(pooled));
    if (this.isClosed) pooled.cancel();
    else this.waiting[request.lane].push(pooled);
    this.dispatch();
    return pooled;
  }

  /** Terminates all threads; requests end as cancelled. */
  async close(): Promise<void> {
    this.isClosed = true;
    for (const { request } of this.threads) request?.cancel();
    for (const list of Object.values(this.waiting)) for (const request of list.splice(0)) request.cancel();
    await Promise.all(this.threads.splice(0).map((thread) => thread.terminate()));
  }

  private dispatch(): void {
    for (let next = this.takeNext(); next; next = this.takeNext()) {
      const idle = this.threads.find(({ isIdle }) => isIdle) ?? this.addThread();
      idle.begin(next);
    }
    this.count[0] = this.length;
  }

  /** Removes the next request that can start from its queue. */
  private takeNext(): PooledRequest | undefined {
    if (this.isClosed) return undefined;
    const busy = this.threads.filter(({ isIdle }) => !isIdle);
    if (busy.length >= this.size) return undefined;
    const network = busy.filter(({ request }) => request?.lane === 'network').length;
    const other = this.lane === 'local' ? 'network' : 'local';
    for (const lane of [other, this.lane] as const) {
      if (lane === 'network' && this.size > 1 && network >= this.size - 1) continue;
      const next = this.waiting[lane].shift();
      if (!next) continue;
      this.lane = lane;
      return next;
    }
    return undefined;
  }

  private addThread(): Thread {
    const thread: Thread = new Thread(this.data, (isGone) => {
      if (isGone && this.threads.includes(thread)) this.threads.splice(this.threads.indexOf(thread), 1);
      this.dispatch();
    });
    this.threads.push(thread);
    return thread;
  }

  /** Called when a request has been cancelled or its deadline has passed. */
  private forget(request: PooledRequest): void {
    const list = this.waiting[request.lane];
    const at = list.indexOf(request);
    if (at >= 0) list.splice(at, 1);
    this.threads.find((thread) => thread.request === request)?.stop();
    this.count[0] = this.length;
  }
}

/** A request with its outcome. */
class PooledRequest implements RunningRequest {
  outcome: Outcome | undefined;
  readonly settled: Promise<void>;
  private resolve: () => void = () => {};
  private readonly timer: NodeJS.Timeout;

  constructor(
    readonly id: number,
    readonly request: PoolRequest,
    private readonly abandon: () => void,
  ) {
    this.settled = new Promise((resolve) => {
      this.resolve = resolve;
    });
    const late: Outcome = { code: 'timeLimit', message: 'no response within the time limit', note: '' };
    const delay = Math.max(0, request.deadline - performance.now());
    this.timer = setTimeout(() => this.end(late), Math.min(delay, MAX_DELAY_MS));
  }

  get lane(): Lane {
    return this.request.lane;
  }

  /** Returns the message for a thread. */
  messageFor(scenes: SceneSender): ThreadRequest {
    const { method, text, isMessage, scene, deadline } = this.request;
    const timeLimit = Math.max(0, (deadline - performance.now()) / 1000);
    return { id: this.id, method, text, isMessage, scene: scenes.encode(scene), timeLimit };
  }

  cancel(): void {
    this.end({ code: 'cancelled', message: 'the request was cancelled', note: '' });
  }

  /** Ends the request before the thread does. */
  private end(outcome: Outcome): void {
    if (this.outcome) return;
    this.settle(outcome);
    this.abandon();
  }

  settle(outcome: Outcome): void {
    if (this.outcome) return;
    clearTimeout(this.timer);
    this.outcome = outcome;
    this.resolve();
  }
}

/** One thread and the request that it runs. */
class Thread {
  request: PooledRequest | undefined;
  private readonly worker: Worker;
  private readonly cancelled = new Int32Array(new SharedArrayBuffer(4));
  private late: NodeJS.Timeout | undefined;
  private readonly scenes: SceneSender;
  private isGone = false;

  /** @param changed called when the thread is idle again, or gone */
  constructor(
    data: Omit<ThreadData, 'cancelled'>,
    private readonly changed: (isGone: boolean) => void,
  ) {
    this.scenes = new SceneSender(data.scene);
    const workerData: ThreadData = { ...data, cancelled: this.cancelled };
    this.worker = new Worker(workerFile('methodWorker'), { workerData });
    this.worker.unref();
    this.worker.on('message', (reply: ThreadReply) => this.receive(reply));
    this.worker.on('error', (error) => this.fail(error.message));
    this.worker.on('exit', () => this.fail('the thread has ended'));
  }

  get isIdle(): boolean {
    return this.request === undefined;
  }

  begin(request: PooledRequest): void {
    this.request = request;
    this.worker.ref();
    this.worker.postMessage(request.messageFor(this.scenes));
  }

  /** Stops the current request, which has ended already for its client. */
  stop(): void {
    if (!this.request) return;
    Atomics.store(this.cancelled, 0, this.request.id);
    this.late ??= setTimeout(() => this.fail('the thread did not stop'), STOP_MS);
  }

  async terminate(): Promise<void> {
    this.isGone = true;
    clearTimeout(this.late);
    await this.worker.terminate();
  }

  private receive(reply: ThreadReply): void {
    const { request } = this;
    if (request?.id !== reply.id) return;
    if ('progress' in reply) {
      if (!request.outcome) request.request.onProgress?.(reply.progress);
      return;
    }
    this.request = undefined;
    clearTimeout(this.late);
    this.late = undefined;
    this.worker.unref();
    request.settle(reply.outcome);
    this.changed(false);
  }

  private fail(what: string): void {
    if (this.isGone) return;
    this.isGone = true;
    clearTimeout(this.late);
    const note = 'Please report it together with the request.';
    this.request?.settle({ code: 'internal', message: `internal error of the service: ${what}`, note });
    this.request = undefined;
    this.worker.terminate();
    this.changed(true);
  }
}
