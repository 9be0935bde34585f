import { mkdirSync, mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { refuseFolder, WholeFile } from '../../src/node/wholeFile.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'elbowroom-test-'));
});

test('a file has its name only when it is whole, and what stood there before stays until then', async () => {
  const file = join(folder, 'a/b/answers.txt');
  mkdirSync(join(folder, 'a/b'), { recursive: true });
  writeFileSync(file, 'before');
  const whole = new WholeFile(file);
  await whole.write('one, ');
  expect(readFileSync(file, 'utf8')).toBe('before');
  await whole.write('µ two');
  whole.commit();
  expect(readFileSync(file, 'utf8')).toBe('one, µ two');
  expect(readdirSync(join(folder, 'a/b'))).toEqual(['answers.txt']);
});

test('what is discarded leaves nothing behind, alone or all at once', async () => {
  const files = ['x', 'y', 'z'].map((name) => new WholeFile(join(folder, name)));
  for (const file of files) await file.write('half');
  files[0].discard();
  files[0].discard();
  files[2].commit();
  WholeFile.discardAll();
  expect(readdirSync(folder)).toEqual(['z']);
});

test('a device is written to, never replaced', async () => {
  const whole = new WholeFile('/dev/null');
  await whole.write('gone');
  whole.commit();
  expect(statSync('/dev/null').isCharacterDevice()).toBe(true);
});

test('places that cannot take a file are refused with their name', () => {
  writeFileSync(join(folder, 'file'), '');
  expect(() => new WholeFile(folder)).toThrow(`${folder}: this is a folder`);
  expect(() => refuseFolder(folder)).toThrow(`${folder}: this is a folder`);
  expect(() => new WholeFile(join(folder, 'file/below'))).toThrow(`${join(folder, 'file/below')}: cannot be written`);
});
