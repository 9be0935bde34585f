import { spawnSync } from 'node:child_process';
import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, symlinkSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { limitCacheFolder } from '../../../../src/host/node/partsCache.ts';
import { readCacheFile, writeCacheFile } from '../../../../src/host/node/prepared/cacheFile.ts';
import { scratchFolder } from '../scratch.ts';

const { root, put } = scratchFolder();
const bytes = (text: string) => [Buffer.from(text.slice(0, 2)), Buffer.from(text.slice(2))];
const kept = (file: string) => readCacheFile(file)?.toString();

test('a file is written with its folder, readable by the user alone, and replaced', () => {
  const file = join(root, 'new/folder/file');
  for (const text of ['first', 'second']) {
    expect(writeCacheFile(file, bytes(text))).toBe(true);
    expect([kept(file), lstatSync(file).mode & 0o777]).toEqual([text, 0o600]);
  }
  expect(readdirSync(join(root, 'new/folder'))).toEqual(['file']);
});

test('a symbolic link that others made is replaced: the file behind it is neither read nor written', () => {
  const other = put('other', 'precious');
  for (const target of [other, join(root, 'missing'), root]) {
    const file = join(root, 'links', `to-${target.length}`);
    mkdirSync(join(root, 'links'), { recursive: true });
    symlinkSync(target, file);
    expect(kept(file)).toBe(undefined);
    expect(writeCacheFile(file, bytes('content'))).toBe(true);
    expect([lstatSync(file).isFile(), kept(file)]).toEqual([true, 'content']);
  }
  expect(readFileSync(other, 'utf8')).toBe('precious');
  expect(existsSync(join(root, 'missing'))).toBe(false);
});

test('pipes, folders and folders that are files are no cache, and leave no incomplete file', () => {
  const pipe = join(root, 'odd/pipe');
  mkdirSync(join(root, 'odd/folder'), { recursive: true });
  if (process.platform !== 'win32') spawnSync('mkfifo', [pipe]);
  expect(kept(pipe)).toBe(undefined);
  expect(writeCacheFile(pipe, bytes('content'))).toBe(true);
  expect(kept(pipe)).toBe('content');
  expect(kept(join(root, 'odd/folder'))).toBe(undefined);
  expect(writeCacheFile(join(root, 'odd/folder'), bytes('content'))).toBe(false);
  expect(writeCacheFile(join(put('a file', ''), 'file'), bytes('content'))).toBe(false);
  expect(readdirSync(join(root, 'odd')).sort()).toEqual(['folder', 'pipe']);
});

test('a file that a killed process has left is removed once it is old, and its name is not used meanwhile', async () => {
  const left = [0, 1].map((k) => put(`killed/.elbowroom-cache-${process.pid}-${k}.part`, 'part'));
  const output = put('killed/.elbowroom-1-0.part', 'an output that is being written');
  expect(writeCacheFile(join(root, 'killed/file'), bytes('content'))).toBe(true);
  expect(left.map((file) => readFileSync(file, 'utf8'))).toEqual(['part', 'part']);
  for (const file of [left[0], output]) utimesSync(file, 1e9, 1e9);
  await limitCacheFolder(join(root, 'killed'));
  expect([left[0], left[1], output].map(existsSync)).toEqual([false, true, true]);
});
