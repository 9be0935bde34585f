import EngineThread from './engineThread.ts?worker&inline';
import type { Kind, Questions } from './questions.ts';

interface Waiting {
  readonly resolve: (answer: never) => void;
  readonly reject: (error: Error) => void;
}

/** The library in a thread of its own: the page goes on drawing while it plans, proves and measures. Answers come in order. */
export class Engine {
  private readonly thread = new EngineThread();
  private readonly waiting = new Map<number, Waiting>();
  private asked = 0;

  constructor() {
    this.thread.addEventListener('message', ({ data }) => {
      const { id, answer, error } = data;
      const waiting = this.waiting.get(id);
      this.waiting.delete(id);
      if (error === undefined) waiting?.resolve(answer as never);
      else waiting?.reject(new Error(error));
    });
  }

  ask<K extends Kind>(kind: K, given: Questions[K]['given']): Promise<Questions[K]['answer']> {
    const id = this.asked++;
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve, reject });
      this.thread.postMessage({ id, kind, given });
    });
  }
}

/** Runs one piece of work at a time, and of those that come meanwhile only the last: a slider asks more than anyone wants answered. */
export function latest<T>(work: (given: T) => Promise<void>): (given: T) => void {
  let running = false;
  let next: { readonly given: T } | undefined;
  const run = async (given: T) => {
    running = true;
    await work(given);
    running = false;
    const waiting = next;
    next = undefined;
    if (waiting) void run(waiting.given);
  };
  return (given) => {
    if (running) next = { given };
    else void run(given);
  };
}
