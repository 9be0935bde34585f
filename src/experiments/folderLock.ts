import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { InputError } from '../errors.ts';

/**
 * Keeps a file for one process: two that append the same runs would make each of them twice. The lock of a process that has died, however,
 * is nobody's, and is taken over. Returns what gives it back. Throws InputError where another process holds it.
 */
export function lockFile(file: string): () => void {
  const lock = `${file}.lock`;
  const own = ownerText();
  for (let attempt = 0; ; attempt++) {
    try {
      writeFileSync(lock, own, { flag: 'wx' });
      const release = () => rmSync(lock, { force: true });
      process.once('exit', release);
      return () => {
        process.off('exit', release);
        release();
      };
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      if (code !== 'EEXIST') throw new InputError(`${lock}: cannot be written (${message.split(',')[0]})`);
      const owner = readOwner(lock);
      if (attempt > 3 || (owner && mayBeAlive(owner))) {
        throw new InputError(
          `${file}: process ${owner?.pid ?? '?'} on ${owner?.host ?? '?'} is at work on it`,
          `Wait for it, or name another folder. If that process is gone, remove ${lock}.`,
        );
      }
      rmSync(lock, { force: true });
    }
  }
}

interface Owner {
  readonly pid: number;
  readonly host: string;
  /** When the process began, in the kernel's own ticks: process numbers come round again. Null where nobody tells. */
  readonly begun: string | null;
}

const ownerText = () =>
  JSON.stringify({ pid: process.pid, host: hostname(), begun: begunOf(process.pid) } satisfies Owner);

/** Undefined where the lock has gone, or was torn in the writing. */
function readOwner(lock: string): Owner | undefined {
  try {
    return JSON.parse(readFileSync(lock, 'utf8')) as Owner;
  } catch {
    return undefined;
  }
}

function mayBeAlive({ pid, host, begun }: Owner): boolean {
  if (host !== hostname()) return true;
  if (pid === process.pid) return begun === begunOf(pid);
  try {
    process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
  return begun === begunOf(pid);
}

function begunOf(pid: number): string | null {
  const file = `/proc/${pid}/stat`;
  if (!existsSync(file)) return null;
  try {
    const stat = readFileSync(file, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? null;
  } catch {
    return null;
  }
}
