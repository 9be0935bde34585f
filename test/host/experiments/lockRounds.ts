import { type ChildProcess, fork } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';

/**
 * Several processes lock the same file again and again; some kill themselves while they hold it. A holder marks its
 * time by creating the file `holder` exclusively: if it exists and its creator lives, two processes hold the lock.
 */
const WORKER = `
import { openSync, closeSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { lockFile } from './lock.mjs';
const [, , file, holder, share] = process.argv;
const alive = (pid) => { try { const s = readFileSync('/proc/' + pid + '/stat', 'utf8'); return !/^[ZX]/.test(s.slice(s.lastIndexOf(')') + 2)); } catch { return false; } };
let random = process.pid * 2654435761 >>> 0;
const next = () => (random = (random * 1664525 + 1013904223) >>> 0) / 2 ** 32;
for (;;) {
  let release;
  try { release = lockFile(file); } catch (error) {
    if (error.name !== 'InputError') throw error;
    await new Promise((resolve) => setTimeout(resolve, 3 * next()));
    continue;
  }
  try { writeFileSync(holder, String(process.pid), { flag: 'wx' }); } catch {
    let other = 0;
    try { other = Number(readFileSync(holder, 'utf8')); } catch {}
    if (other !== 0 && other !== process.pid && alive(other)) process.send({ both: [process.pid, other] });
    writeFileSync(holder, String(process.pid));
  }
  await new Promise((resolve) => setTimeout(resolve, 2 * next()));
  const mine = readFileSync(holder, 'utf8') === String(process.pid);
  if (!mine) process.send({ both: [process.pid, 'overwritten'] });
  process.send({ round: 1 });
  if (next() < Number(share)) { await new Promise((r) => setTimeout(r, 1)); process.kill(process.pid, 'SIGKILL'); }
  rmSync(holder, { force: true });
  release();
}
`;

/** Runs so many rounds of holding the lock; returns how often two processes held it, and how many were killed. */
export async function lockRounds(
  folder: string,
  rounds: number,
  processes: number,
  shareKilled: number,
  source = join(import.meta.dirname, '../../../src/host/experiments/folderLock.ts'),
): Promise<{ readonly twoHolders: number; readonly killed: number }> {
  mkdirSync(folder, { recursive: true });
  await build({
    entryPoints: [source],
    bundle: true,
    format: 'esm',
    platform: 'node',
    outfile: join(folder, 'lock.mjs'),
    logLevel: 'silent',
  });
  writeFileSync(join(folder, 'worker.mjs'), WORKER);
  const children = new Set<ChildProcess>();
  let [done, twoHolders, killed] = [0, 0, 0];
  await new Promise<void>((resolve) => {
    const start = () => {
      const file = join(folder, 'runs.jsonl');
      const child = fork(join(folder, 'worker.mjs'), [file, join(folder, 'holder'), String(shareKilled)]);
      children.add(child);
      child.on('message', (message: { both?: unknown; round?: number }) => {
        if (message.both) twoHolders++;
        if (message.round && ++done === rounds) resolve();
      });
      child.on('exit', () => {
        children.delete(child);
        if (done >= rounds) return;
        killed++;
        start();
      });
    };
    for (let i = 0; i < processes; i++) start();
  });
  await Promise.all(
    [...children].map((child) => new Promise((resolve) => child.once('exit', resolve) && child.kill('SIGKILL'))),
  );
  return { twoHolders, killed };
}
