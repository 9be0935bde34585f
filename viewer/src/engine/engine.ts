import EngineThread from './engineThread.ts?worker&inline';
import type { Kind, Questions } from './questions.ts';

interface PendingRequest {
  readonly resolve: (answer: never) => void;
  readonly reject: (error: Error) => void;
}

/**
 * Runs the library in a worker thread, so that the page stays responsive. Responses arrive in the order of the
 * requests.
 */
export class Engine {
  private readonly thread = new EngineThread();
  private readonly pending = new Map<number, PendingRequest>();
  private requestCount = 0;

  constructor() {
    this.thread.addEventListener('message', ({ data }) => {
      const { id, answer, error } = data;
      const pending = this.pending.get(id);
      this.pending.delete(id);
      if (error === undefined) pending?.resolve(answer as never);
      else pending?.reject(new Error(error));
    });
  }

  ask<K extends Kind>(kind: K, given: Questions[K]['given']): Promise<Questions[K]['answer']> {
    const id = this.requestCount++;
    return new Promise((resolve, reject) => {
      this.pending.set(id, { resolve, reject });
      this.thread.postMessage({ id, kind, given });
    });
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
