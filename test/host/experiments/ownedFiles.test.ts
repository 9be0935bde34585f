import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { basename, join } from 'node:path';
import { build } from 'esbuild';
import { describe, expect, test } from 'vitest';
import { createOwned, mayBeAlive, removeOrphans } from '../../../src/host/experiments/ownedFiles.ts';
import { createWorkerFolder } from '../../../src/host/experiments/queue/queueWorker.ts';
import { createModule } from '../../../src/host/experiments/sceneScript.ts';
import { root, temporaryFolder } from '../cli/run.ts';

/**
 * Starts a process that runs a module text, kills it with SIGKILL after its first line of output, and returns the line.
 */
async function killed(contents: string): Promise<string> {
  const outfile = join(root, 'node_modules', '.cache', `owned-files-${process.pid}.mjs`);
  const stdin = { contents, resolveDir: root };
  await build({ stdin, bundle: true, packages: 'external', format: 'esm', platform: 'node', outfile });
  const child = spawn(process.execPath, [outfile], { stdio: ['ignore', 'pipe', 'inherit'] });
  const line = await Promise.race([once(child.stdout, 'data'), once(child, 'exit').then(() => [''])]);
  child.kill('SIGKILL');
  rmSync(outfile);
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  return String(line[0]).trim();
}

describe('what a process leaves when it is killed is removed at the next start', () => {
  test('folders of queue workers, with their content', async () => {
    const folder = temporaryFolder();
    const left = await killed(`
      import { mkdirSync, writeFileSync } from 'node:fs';
      import { createWorkerFolder } from './src/host/experiments/queue/queueWorker.ts';
      const folder = createWorkerFolder(${JSON.stringify(folder)});
      mkdirSync(folder + '/inside');
      writeFileSync(folder + '/inside/text.json', '{}');
      console.log(folder);
      setInterval(() => {}, 1000);
    `);
    expect(existsSync(join(left, 'inside/text.json'))).toBe(true);
    const own = createWorkerFolder(folder);
    expect(readdirSync(folder)).toEqual([basename(own)]);
    const another = createWorkerFolder(folder);
    expect(readdirSync(folder).sort()).toEqual([basename(own), basename(another)].sort());
  });

  test('modules of scripts in TypeScript', async () => {
    const folder = temporaryFolder();
    const script = join(folder, 'scenes.ts');
    const left = await killed(`
      import { createModule } from './src/host/experiments/sceneScript.ts';
      console.log(createModule(${JSON.stringify(script)}, 'export default 1;'));
      setInterval(() => {}, 1000);
    `);
    expect(existsSync(left)).toBe(true);
    const beside = ['.scenes.mjs', '.scenes.5.mjs', '.scenes.helper.mjs', 'scenes.ts', '.other.1-1-0-x.mjs'];
    for (const name of beside) writeFileSync(join(folder, name), '');
    const own = createModule(script, 'export default 2;');
    expect(readdirSync(folder).sort()).toEqual([...beside, basename(own)].sort());
  });

  test('nothing of living processes, of other hosts and of other names is removed', () => {
    const folder = temporaryFolder();
    const host = encodeURIComponent(hostname());
    const kept = [`x-${process.ppid}`, `x-4194304-1-0-elsewhere`, `x-abc`, `y-4194304-1-0-${host}`];
    for (const name of kept) mkdirSync(join(folder, name));
    const own = createOwned(
      (owner) => `x-${owner}`,
      (name) => mkdirSync(join(folder, name)),
    );
    const target = join(folder, 'y-target');
    mkdirSync(target);
    symlinkSync(target, join(folder, `x-4194304-1-0-${host}`)); // larger than any process number
    mkdirSync(join(folder, `x-${process.pid}-1-0-${host}`)); // the number of this process, begun at another time
    removeOrphans(folder, 'x-');
    expect(readdirSync(folder).sort()).toEqual([...kept, own, 'y-target'].sort());
    expect(mayBeAlive(own.slice(2))).toBe(true);
  });
});
