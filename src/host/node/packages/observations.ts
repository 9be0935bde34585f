import { statSync } from 'node:fs';
import { resolve } from 'node:path';

/**
 * What a result was made from: states of files, variables, the places of packages. They are noted before they are used,
 * so that a change during the work is noticed as well.
 */
export class Observations {
  private readonly known = new Map<string, { readonly state: string; readonly now: () => string }>();

  /** Notes the file at a path, or that there is none. */
  file(path: string): void {
    const absolute = resolve(path);
    this.note(`file ${absolute}`, () => stateOf(absolute));
  }

  /** Notes an environment variable. */
  variable(name: string): void {
    this.note(`variable ${name}`, () => process.env[name] ?? '');
  }

  /** Notes a value that a function computes from files and variables. */
  note(what: string, now: () => string): void {
    if (!this.known.has(what)) this.known.set(what, { state: now(), now });
  }

  /** Returns true if nothing has changed since it was noted. */
  areCurrent(): boolean {
    return [...this.known.values()].every(({ state, now }) => now() === state);
  }
}

/** Returns a text that changes when the file is replaced or written; pipes, which can be read once, do not change. */
function stateOf(path: string): string {
  try {
    const status = statSync(path, { bigint: true });
    const { dev, ino, size, mtimeNs, ctimeNs } = status;
    return status.isFile() ? [dev, ino, size, mtimeNs, ctimeNs].join(' ') : 'no file';
  } catch {
    return 'none';
  }
}
