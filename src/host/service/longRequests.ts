import type { Scene } from '../../core/scene/scene.ts';
import { threadMessages, watchMessages } from '../../formats/schemas/planningMessages.ts';
import type { WatchMethodName } from '../../formats/schemas/serviceMessages.ts';
import { type Request, RpcError } from './jsonRpc.ts';
import type { Progress } from './threads/protocol.ts';
import type { RunningRequest } from './threads/threadPool.ts';
import type { Lane } from './turns.ts';
import { type LongHost, type LongSession, type Notify, textOf, Watches } from './watches.ts';

/** The requests of one session that run on threads, one at a time, and its watches. */
export class LongRequests implements LongSession {
  notify: Notify | undefined;
  running: RunningRequest | undefined;
  private readonly watches: Watches;

  constructor(
    readonly host: LongHost,
    readonly lane: Lane,
    readonly scene: () => Scene,
  ) {
    this.watches = new Watches(this);
  }

  /** True if a motion is watched. */
  get isWatching(): boolean {
    return this.watches.count > 0;
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
    const text = textOf(running.outcome!);
    if (text.length <= host.options.limits.answer) return text;
    throw new RpcError('tooLarge', `the result has more than ${host.options.limits.answer} characters`);
  }
}

/** Minimum time between two reports of one request, ms: at most ten a second. */
const INTERVAL_MS = 110;
/** A request without a report for this time (ms) repeats its phase, so that a lost connection is detected. */
const HEARTBEAT_MS = 1000;

/** Sends `$/progress` notifications about one request: limits their rate, and keeps the latest report. */
export class ProgressReporter {
  private latest: Progress = { phase: 'waiting' };
  private isNew = false;
  private last = performance.now();
  private readonly timer: NodeJS.Timeout;

  /**
   * @param id JSON text of the id of the request
   * @param notify sends the text of a notification
   */
  constructor(
    private readonly id: string,
    private readonly notify: (text: string) => void,
  ) {
    this.timer = setInterval(() => {
      const now = performance.now();
      if (now - this.last >= (this.isNew ? INTERVAL_MS : HEARTBEAT_MS)) this.send(now);
    }, INTERVAL_MS);
  }

  /** Reports progress, at once or with the next notification. */
  report(progress: Progress): void {
    this.latest = progress;
    this.isNew = true;
    const now = performance.now();
    if (now - this.last >= INTERVAL_MS) this.send(now);
  }

  /** Ends the reports: none is sent any more. */
  end(): void {
    clearInterval(this.timer);
  }

  private send(now: number): void {
    this.last = now;
    this.isNew = false;
    const { phase, ...rest } = this.latest;
    const params = JSON.stringify({ phase, ...rest }).slice(1);
    this.notify(`{"jsonrpc":"2.0","method":"$/progress","params":{"id":${this.id},${params}}`);
  }
}
