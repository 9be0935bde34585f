import type { Scene } from '../../core/scene/scene.ts';
import { threadMessages, watchMessages } from '../../formats/schemas/planningMessages.ts';
import type { WatchMethodName } from '../../formats/schemas/serviceMessages.ts';
import { type Request, RpcError } from './jsonRpc.ts';
import type { MemoryBudget } from './memoryBudget.ts';
import { ProgressReporter } from './notifications/progressReporter.ts';
import type { ServiceLimits } from './serviceLimits.ts';
import type { RunningRequest, ThreadPool } from './threads/threadPool.ts';
import type { Lane } from './turns.ts';
import { Watches } from './watches.ts';

/**
 * Sends a notification to the client. Progress is skipped if the client does not read; urgent notifications are not.
 */
export type Notify = (text: string, isUrgent: boolean) => void;

/** The part of the service that requests on threads use. */
export interface LongHost {
  readonly options: { readonly scene: Scene; readonly limits: ServiceLimits };
  /** Threads for methods that take long. */
  readonly threads: ThreadPool;
  /** Thread for the proofs of watched motions. */
  readonly watcher: ThreadPool;
  /** Id of the last watch. */
  readonly watchIds: { last: number };
  /** Returns the memory budget of what sessions of a lane keep: added objects, and watched motions. */
  budgetOf(lane: Lane): MemoryBudget;
}

/** The requests of one session that run on threads, one at a time, and its watches. */
export class LongRequests {
  /** Undefined if the transport of the session has no notifications. */
  notify: Notify | undefined;
  private readonly watches: Watches;
  private running: RunningRequest | undefined;

  constructor(
    private readonly host: LongHost,
    private readonly lane: Lane,
    /** Returns the current scene of the session. */
    private readonly scene: () => Scene,
  ) {
    this.watches = new Watches({
      lane,
      watcher: host.watcher,
      ids: host.watchIds,
      threads: host.threads,
      memory: host.budgetOf(lane),
      original: host.options.scene,
      timeLimit: host.options.limits.time,
      scene,
      notify: () => this.notify,
      track: (request) => {
        this.running = request;
      },
    });
  }

  /**
   * Runs a request; undefined if its method runs on the thread of the session.
   * @param message text of the message, if it is this request alone
   */
  run(request: Request, deadline: number, message: string | undefined): Promise<string> | undefined {
    const { method, params } = request;
    if (Object.hasOwn(threadMessages, method)) return this.onThread(request, deadline, message);
    if (!Object.hasOwn(watchMessages, method)) return undefined;
    return this.watches.run(method as WatchMethodName, params, deadline);
  }

  /** Proves the watched motions in the current scene, if it has changed, and sends a notification about each. */
  updateWatches(): Promise<void> {
    return this.watches.update();
  }

  /** Ends the current request. */
  cancel(): void {
    this.running?.cancel();
  }

  /** Ends the current request and all watches. */
  close(): void {
    this.cancel();
    this.watches.close();
  }

  /** Runs a request on a thread, with progress notifications. */
  private async onThread(
    { id, method, params }: Request,
    deadline: number,
    message: string | undefined,
  ): Promise<string> {
    const { host, lane, notify } = this;
    const reporter = id !== undefined && notify ? new ProgressReporter(id, (text) => notify(text, false)) : undefined;
    const running = host.threads.run({
      method,
      text: message ?? JSON.stringify(params ?? {}),
      isMessage: message !== undefined,
      scene: this.scene(),
      lane,
      deadline,
      onProgress: (progress) => reporter?.report(progress),
    });
    this.running = running;
    try {
      await running.settled;
    } finally {
      running.cancel(); // no effect if it has ended
      reporter?.end();
      this.running = undefined;
    }
    const outcome = running.outcome!;
    if (!('text' in outcome)) throw new RpcError(outcome.code, outcome.message, outcome.note);
    if (outcome.text.length <= host.options.limits.answer) return outcome.text;
    throw new RpcError('tooLarge', `the result has more than ${host.options.limits.answer} characters`);
  }
}
