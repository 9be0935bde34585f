import type { Progress } from '../threads/protocol.ts';

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
