import { CANCEL, MAX_CANCEL } from './cancelScanner.ts';

/**
 * Cancellations of one session. A cancellation takes effect when it arrives, before earlier waiting messages: it
 * cancels the current request or one of the waiting ones.
 */
export class Cancellations {
  /** JSON text of the id of the current request; undefined: none, or a notification. */
  current: string | undefined;
  private readonly early = new Set<string>();

  /** @param cancel ends the current request */
  constructor(private readonly cancel: () => void) {}

  /** True if the current request was cancelled. */
  get isCurrentCancelled(): boolean {
    return this.early.size > 0 && this.current !== undefined && this.early.has(this.current);
  }

  /** True if no cancellation waits for its request. */
  get areNone(): boolean {
    return this.early.size === 0;
  }

  /** Applies the cancellations in a message that has to wait. */
  notice(message: string): void {
    if (message.length > MAX_CANCEL || !message.includes(CANCEL)) return;
    let value: unknown;
    try {
      value = JSON.parse(message);
    } catch {
      return; // reported when the message is processed
    }
    for (const one of Array.isArray(value) ? value : [value]) {
      const id = cancelledId(one);
      if (id === undefined) continue;
      this.early.add(id);
      if (id === this.current) this.cancel();
    }
  }

  /** Returns true if a processed value is a cancellation. From then on it has no effect on later requests. */
  take(value: unknown): boolean {
    const id = cancelledId(value);
    if (id !== undefined) this.early.delete(id);
    return id !== undefined;
  }
}

/**
 * Returns the JSON text of the id in a cancellation, empty if the id is invalid; undefined if the value is not a
 * cancellation.
 */
function cancelledId(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { method, params, id } = value as { method?: unknown; params?: { id?: unknown } | null; id?: unknown };
  if (method !== CANCEL || id !== undefined) return undefined;
  const given = params?.id;
  return typeof given === 'string' || typeof given === 'number' ? JSON.stringify(given) : '';
}
