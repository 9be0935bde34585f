import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { Io } from '../../../src/host/cli/io.ts';
import { AtomicFile } from '../../../src/host/node/atomicFile.ts';
import { cannotWrite } from '../../../src/host/node/outputTarget.ts';
import { temporaryFolder } from './run.ts';

/** True while the disk is full. */
const disk = vi.hoisted(() => ({ isFull: false }));
vi.mock('node:fs', async (original) => {
  const fs = await original<typeof import('node:fs')>();
  const writeSync = (...given: Parameters<typeof fs.writeSync>) => {
    if (disk.isFull) throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
    return fs.writeSync(...given);
  };
  return { ...fs, writeSync };
});
afterEach(() => {
  disk.isFull = false;
  AtomicFile.discardAll();
});

test('output files have their names only after the last one is written', async () => {
  const folder = temporaryFolder();
  const files = ['a.json', 'b/c.json'].map((name) => join(folder, name));
  const io = new Io();
  for (const file of files) {
    await io.save(file, 'all');
    expect(existsSync(file)).toBe(false);
  }
  io.commit();
  expect(files.map((file) => readFileSync(file, 'utf8'))).toEqual(['all', 'all']);
  expect(readdirSync(folder)).toEqual(['a.json', 'b']);
});

test('if the disk is full at the second file, the first is not written either, and the note names the disk', async () => {
  const folder = temporaryFolder();
  const io = new Io();
  await io.save(join(folder, 'out.json'), 'all');
  disk.isFull = true;
  const failed = io.save(join(folder, 'c.json'), 'part');
  await expect(failed).rejects.toMatchObject({
    message: `${join(folder, 'c.json')}: cannot be written (ENOSPC: no space left on device)`,
    note: 'Its disk is full: free space, or name a file on another disk.',
  });
  AtomicFile.discardAll(); // as the command line does after an error
  io.commit();
  expect(readdirSync(folder)).toEqual([]);
});

test('only errors of permission have the note on permissions', () => {
  const note = (code: string) => cannotWrite('f', Object.assign(new Error(code), { code })).note;
  expect(note('EACCES')).toBe('Name a file in a folder that you may write to.');
  expect(['ENOSPC', 'EDQUOT', 'EFBIG', 'EROFS', 'EIO'].filter((code) => note(code) === note('EACCES'))).toEqual([]);
});
