import { CANCEL, MAX_CANCEL } from './cancelScanner.ts';

/**
 * Cancellations of one session. A cancellation takes effect when it arrives, although earlier messages may still wait:
 * it cancels the current request or one of those.
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

  /** Searches a message that has to wait for cancellations, which take effect at once. */
  notice(message: string): void {
    if (message.length > MAX_CANCEL || !message.includes(CANCEL)) return;
    let value: unknown;
    try {
      value = JSON.parse(message);
    } catch {
      return; // reported when its turn comes
    }
    for (const one of Array.isArray(value) ? value : [value]) {
      const id = cancelledId(one);
      if (id === undefined) continue;
      this.early.add(id);
      if (id === this.current) this.cancel();
    }
  }

  /** Returns true if a value is a cancellation, whose turn has come: it has no effect on later requests. */
  take(value: unknown): boolean {
    const id = cancelledId(value);
    if (id !== undefined) this.early.delete(id);
    return id !== undefined;
  }
}

/** Returns the JSON text of the id that a cancellation names, empty if it is no id; undefined if it is none. */
function cancelledId(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { method, params, id } = value as { method?: unknown; params?: { id?: unknown } | null; id?: unknown };
  if (method !== CANCEL || id !== undefined) return undefined;
  const given = params?.id;
  return typeof given === 'string' || typeof given === 'number' ? JSON.stringify(given) : '';
}
