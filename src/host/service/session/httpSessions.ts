import { randomUUID } from 'node:crypto';
import type { Service } from '../service.ts';
import type { ClientSession } from './clientSession.ts';

interface Entry {
  readonly session: ClientSession;
  /** Requests that are being processed. */
  running: number;
  /** End of the last request, clock of `performance.now()`, ms. */
  used: number;
}

/** HTTP sessions by a random UUID. A session that processes no request for `idle` seconds is closed. */
export class HttpSessions {
  private readonly entries = new Map<string, Entry>();
  private readonly sweep: NodeJS.Timeout;

  constructor(private readonly service: Service) {
    const idle = 1000 * service.limits.idle;
    this.sweep = setInterval(() => {
      const now = performance.now();
      for (const [id, { running, used }] of this.entries) if (running === 0 && now - used > idle) this.end(id);
    }, idle / 4).unref();
  }

  /** Opens a session and returns its id; undefined if there are too many. */
  open(): string | undefined {
    const session = this.service.openSession('network');
    if (!session) return undefined;
    const id = randomUUID();
    this.entries.set(id, { session, running: 0, used: performance.now() });
    return id;
  }

  has(id: string): boolean {
    return this.entries.has(id);
  }

  /** Processes a request of an open session, which is not idle meanwhile. */
  async use(id: string, work: (session: ClientSession) => Promise<void>): Promise<void> {
    const entry = this.entries.get(id)!;
    entry.running++;
    try {
      await work(entry.session);
    } finally {
      entry.running--;
      entry.used = performance.now();
    }
  }

  end(id: string): void {
    this.entries.get(id)?.session.close();
    this.entries.delete(id);
  }

  close(): void {
    clearInterval(this.sweep);
    for (const id of this.entries.keys()) this.end(id);
  }
}
