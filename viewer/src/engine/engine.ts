import EngineThread from './engineThread.ts?worker&inline';
import type { Kind, Questions } from './questions.ts';

interface Message {
  readonly id: number;
  readonly kind: Kind;
  readonly given: unknown;
}

interface PendingRequest {
  readonly message: Message;
  readonly resolve: (answer: never) => void;
  readonly reject: (error: Error) => void;
}

/** Requests that `cancel` ends. */
const LONG: readonly Kind[] = ['plan', 'explain'];

/**
 * Runs the library in a worker thread, so that the page stays responsive. Responses arrive in the order of the
 * requests.
 */
export class Engine {
  private thread = this.startThread();
  private readonly pending = new Map<number, PendingRequest>();
  private requestCount = 0;
  /** The last problem that was opened: a new thread opens it again. */
  private opening: Message | undefined;

  ask<K extends Kind>(kind: K, given: Questions[K]['given']): Promise<Questions[K]['answer']> {
    const message = { id: this.requestCount++, kind, given };
    if (kind === 'open') this.opening = message;
    return new Promise((resolve, reject) => {
      this.pending.set(message.id, { message, resolve, reject });
      this.thread.postMessage(message);
    });
  }

  /** Ends running searches: they are rejected, all other requests go to a new thread. */
  cancel(): void {
    this.thread.terminate();
    this.thread = this.startThread();
    if (this.opening && !this.pending.has(this.opening.id)) this.thread.postMessage(this.opening);
    for (const [id, { message, reject }] of [...this.pending]) {
      if (!LONG.includes(message.kind)) this.thread.postMessage(message);
      else {
        this.pending.delete(id);
        reject(new Error('Cancelled.'));
      }
    }
  }

  private startThread(): Worker {
    const thread = new EngineThread();
    thread.addEventListener('message', ({ data }) => {
      const { id, answer, error } = data;
      const pending = this.pending.get(id);
      this.pending.delete(id);
      if (error === undefined) pending?.resolve(answer as never);
      else pending?.reject(new Error(error));
    });
    return thread;
  }
}

/**
 * Returns a function that runs one call at a time; of the calls during a run, only the last is executed. For sliders.
 */
export function latest<T>(work: (given: T) => Promise<void>): (given: T) => void {
  let running = false;
  let next: { readonly given: T } | undefined;
  const run = async (given: T) => {
    running = true;
    await work(given);
    running = false;
    const pending = next;
    next = undefined;
    if (pending) void run(pending.given);
  };
  return (given) => {
    if (running) next = { given };
    else void run(given);
  };
}
