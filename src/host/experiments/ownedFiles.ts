import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';

/**
 * The process that a file or folder belongs to, as its name states it: process number, start time, a count, and the
 * host.
 */
export interface Owner {
  readonly pid: number;
  /** Start time of the process, in kernel ticks since boot: process numbers are reused. Empty if unknown. */
  readonly begun: string;
  readonly host: string;
}

/**
 * Creates a file or folder whose name states this process as its owner, and returns the name, which no process has used
 * before.
 * @param nameOf the name that contains the given text for the owner
 * @param create creates it exclusively: throws EEXIST if the name exists
 */
export function createOwned(nameOf: (owner: string) => string, create: (name: string) => void): string {
  const begun = processStatus(process.pid)?.begun ?? '';
  for (let count = 0; ; count++) {
    const name = nameOf(`${process.pid}-${begun}-${count}-${encodeURIComponent(hostname())}`);
    try {
      create(name);
      return name;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }
}

/** Parses the owner from a text of `createOwned`; undefined for other texts. */
export function ownerOf(text: string): Owner | undefined {
  const [, pid, begun, host] = /^(\d+)-(\d*)-\d+-(.+)$/.exec(text) ?? [];
  return host === undefined ? undefined : { pid: Number(pid), begun, host };
}

/** Returns false if the owner in a text of `createOwned` is known to have ended. Owners on other hosts may be alive. */
export function mayBeAlive(text: string): boolean {
  const owner = ownerOf(text);
  if (owner === undefined || owner.host !== encodeURIComponent(hostname())) return true;
  try {
    process.kill(owner.pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false;
  }
  const status = processStatus(owner.pid);
  return status === undefined || (status.begun === owner.begun && !status.hasEnded);
}

/**
 * Removes files that killed processes of this host left in a folder: the entries `PREFIX…SUFFIX` whose owners have
 * ended. Skips entries that cannot be removed, such as files of another user.
 */
export function removeOrphans(folder: string, prefix: string, suffix = ''): void {
  for (const name of entriesOf(folder)) {
    if (!name.startsWith(prefix) || !name.endsWith(suffix)) continue;
    if (mayBeAlive(name.slice(prefix.length, name.length - suffix.length))) continue;
    try {
      rmSync(join(folder, name), { recursive: true, force: true });
    } catch {}
  }
}

function entriesOf(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/**
 * Returns the status of a process of this machine; undefined without /proc. A process that has ended keeps its number
 * until its parent reads the exit code (zombie).
 */
function processStatus(pid: number): { readonly begun: string; readonly hasEnded: boolean } | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return { begun: fields[19] ?? '', hasEnded: /^[ZX]$/.test(fields[0]) };
  } catch {
    return undefined;
  }
}
