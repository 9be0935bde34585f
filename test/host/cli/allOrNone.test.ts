import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { Io } from '../../../src/host/cli/io.ts';
import { AtomicFile } from '../../../src/host/node/atomicFile.ts';
import { cannotWrite } from '../../../src/host/node/outputTarget.ts';
import { temporaryFolder } from './run.ts';

/** Writes that the disk still has room for. */
const disk = vi.hoisted(() => ({ room: Number.POSITIVE_INFINITY }));
vi.mock('node:fs', async (original) => {
  const fs = await original<typeof import('node:fs')>();
  const writeSync = (...given: Parameters<typeof fs.writeSync>) => {
    if (!(disk.room-- > 0))
      throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
    return fs.writeSync(...given);
  };
  return { ...fs, writeSync };
});
afterEach(() => {
  disk.room = Number.POSITIVE_INFINITY;
  AtomicFile.discardAll();
});

test('output files have their names only after the last one is written', async () => {
  const folder = temporaryFolder();
  const files = ['a.json', 'b/c.json'].map((name) => join(folder, name));
  const io = new Io();
  for (const file of files) io.save(file, 'all');
  expect(readdirSync(folder)).toEqual([]);
  await io.commit();
  expect(files.map((file) => readFileSync(file, 'utf8'))).toEqual(['all', 'all']);
  expect(readdirSync(folder)).toEqual(['a.json', 'b']);
});

test('if the disk is full at the second file, the first is not written either, and the note names the disk', async () => {
  const folder = temporaryFolder();
  const io = new Io();
  io.save(join(folder, 'out.json'), 'all');
  io.save(join(folder, 'c.json'), 'part');
  disk.room = 1;
  await expect(io.commit()).rejects.toMatchObject({
    message: `${join(folder, 'c.json')}: cannot be written (ENOSPC: no space left on device)`,
    note: 'Its disk is full: free space, or name a file on another disk.',
  });
  AtomicFile.discardAll(); // as the command line does after an error
  await io.commit();
  expect(readdirSync(folder)).toEqual([]);
});

test('an interrupt has a handler only once an output file is open, so that it ends computations at once', async () => {
  process.removeAllListeners('SIGINT'); // of other tests
  const handlers = () => process.listenerCount('SIGINT');
  const io = new Io();
  io.save(join(temporaryFolder(), 'a.json'), 'all');
  expect(io.compute('planning', handlers)).toBe(0);
  await io.commit();
  expect(handlers()).toBe(1);
});

test('only errors of permission have the note on permissions', () => {
  const note = (code: string) => cannotWrite('f', Object.assign(new Error(code), { code })).note;
  expect(note('EACCES')).toBe('Name a file in a folder that you may write to.');
  expect(['ENOSPC', 'EDQUOT', 'EFBIG', 'EROFS', 'EIO'].filter((code) => note(code) === note('EACCES'))).toEqual([]);
});
