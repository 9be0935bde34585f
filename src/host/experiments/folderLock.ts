import { closeSync, openSync, readdirSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { InputError } from '../../errors.ts';
import { createOwned, mayBeAlive, ownerOf } from './ownedFiles.ts';

/** Time within which a process with a simultaneous claim removes its claim if it must yield, ms. */
const YIELD_TIME = 300;
/** Interval between two listings of the claims, ms. */
const PAUSE = 10;

/**
 * Locks a file for this process: two processes that append the same runs would execute each run twice. Claims of
 * processes that no longer exist are ignored. Returns the function that releases the lock. Throws InputError if another
 * process holds it.
 *
 * Each process creates a claim of its own, an empty file whose unique name states its owner, and then lists all claims.
 * It holds the lock if no other claim has a living owner; otherwise it removes its own claim.
 *
 * At most one process holds the lock. Suppose A and B both do. A claim exists from before its owner lists until it
 * releases. Of the two claims, one was created last, say B's; B listed after that, so A's claim was in the listing, and
 * A was alive. B did not hold the lock then: a contradiction. Removing claims of dead owners is safe at any time: a
 * name is never used twice, because it contains the number and the start time of the process. Claims are never reused,
 * and have no content that could be read while it is written.
 *
 * If several processes claim at once, the one whose claim sorts first waits until the others have removed theirs, so
 * that one of them succeeds.
 *
 * The proof needs folder listings that show files created before (local file systems; network file systems without
 * cached listings).
 */
export function lockFile(file: string): () => void {
  const [folder, prefix] = [dirname(file), `${basename(file)}.lock-`];
  const own = createClaim(folder, prefix);
  const release = () => rmSync(join(folder, own), { force: true });
  for (let waited = 0; ; waited += PAUSE) {
    const others = claimsIn(folder, prefix).filter((name) => name !== own && mayBeAlive(name.slice(prefix.length)));
    if (others.length === 0) break;
    if (waited < YIELD_TIME && others.every((name) => own < name)) {
      sleep(PAUSE);
      continue;
    }
    release();
    throw busy(file, join(folder, others[0]), others[0].slice(prefix.length));
  }
  removeDeadClaims(folder, prefix, own);
  process.once('exit', release);
  return () => {
    process.off('exit', release);
    release();
  };
}

/** Creates an empty file with a name that no process has used before. Returns the name. */
function createClaim(folder: string, prefix: string): string {
  return createOwned(
    (owner) => `${prefix}${owner}`,
    (name) => {
      try {
        closeSync(openSync(join(folder, name), 'wx'));
      } catch (error) {
        const { code, message } = error as NodeJS.ErrnoException;
        if (code === 'EEXIST') throw error;
        throw new InputError(`${join(folder, name)}: cannot be written (${message.split(',')[0]})`);
      }
    },
  );
}

const claimsIn = (folder: string, prefix: string): string[] =>
  readdirSync(folder).filter((name) => name.startsWith(prefix));

function removeDeadClaims(folder: string, prefix: string, own: string): void {
  for (const name of claimsIn(folder, prefix)) {
    if (name !== own && !mayBeAlive(name.slice(prefix.length))) rmSync(join(folder, name), { force: true });
  }
}

function busy(file: string, claim: string, name: string): InputError {
  const owner = ownerOf(name);
  const who = owner ? `process ${owner.pid} on ${decodeURIComponent(owner.host)}` : 'another process';
  return new InputError(
    `${file}: ${who} is writing to it`,
    `Wait for it, or name another folder. If that process is gone, remove ${claim}.`,
  );
}

const sleep = (ms: number): void => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
