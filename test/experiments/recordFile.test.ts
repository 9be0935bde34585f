import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { lockFile } from '../../src/experiments/folderLock.ts';
import { filesLike } from '../../src/experiments/glob.ts';
import type { RunRecord } from '../../src/experiments/record.ts';
import { RecordFile, readRecords } from '../../src/experiments/recordFile.ts';
import { temporaryFolder } from '../cli/run.ts';

let folder: string;
let path: string;
beforeEach(() => {
  folder = temporaryFolder();
  path = join(folder, 'runs.jsonl');
});

const record = (id: string, more: Partial<RunRecord> = {}) =>
  ({ id, status: 'solved', version: '1', cut_short: false, hash: id, ...more }) as RunRecord;
const idsIn = () => readRecords(folder).records.map(({ id }) => id);

test('a record is in the file once its promise resolves, in the order of the calls', async () => {
  const file = await RecordFile.open(path);
  const ids = Array.from({ length: 200 }, (_, i) => `run-${i}`);
  await Promise.all(
    ids.map(async (id) => {
      await file.append(record(id));
      expect(readFileSync(path, 'utf8')).toContain(`"${id}"`);
    }),
  );
  await file.close();
  expect(idsIn()).toEqual(ids);
});

test('a last line that was torn anywhere is cut off, and nothing else', async () => {
  const whole = `${JSON.stringify(record('a'))}\n${JSON.stringify(record('b'))}\n`;
  for (let length = 0; length <= whole.length; length++) {
    writeFileSync(path, whole.slice(0, length));
    const before = whole.slice(0, length).split('\n').length - 1;
    const file = await RecordFile.open(path);
    await file.append(record('c'));
    await file.close();
    expect(idsIn()).toEqual([...['a', 'b'].slice(0, before), 'c']);
  }
});

test('lines are read whole wherever the pieces in which a file is read begin and end', () => {
  const reason = 'é'.repeat(700); // two bytes each: pieces end within letters, too
  const ids = Array.from({ length: 2500 }, (_, i) => `run-${i}`);
  writeFileSync(path, ids.map((id) => `${JSON.stringify(record(id, { reason }))}\n`).join(''));
  appendFileSync(path, '{"id":"still being written"');
  const { records, warnings } = readRecords(folder);
  expect(warnings).toEqual([]);
  expect(records.map(({ id }) => id)).toEqual(ids);
  expect(records.every((one) => one.reason === reason)).toBe(true);
});

test('shards are read together, each run once; runs told in two ways and lines that say nothing are told', () => {
  writeFileSync(path, `${JSON.stringify(record('a'))}\nnonsense\n`);
  const shard = join(folder, 'runs-2-of-3.jsonl');
  writeFileSync(shard, `${JSON.stringify(record('a', { hash: 'other' }))}\n${JSON.stringify(record('b'))}\n`);
  appendFileSync(shard, `${JSON.stringify(record('b'))}\n`);
  const { records, warnings } = readRecords(folder);
  expect(records.map(({ id, hash }) => [id, hash])).toEqual([
    ['a', 'other'],
    ['b', 'b'],
  ]);
  expect(warnings).toEqual([
    `${path}:1: run a came to another answer elsewhere; the first one counts`,
    `${path}:2: this line is no record; its run counts as not made`,
  ]);
});

test('a file at work is refused to others, and the lock of a process that has died is nobody’s', () => {
  const release = lockFile(path);
  expect(() => lockFile(path)).toThrow(`process ${process.pid} on `);
  release();
  writeFileSync(`${path}.lock`, readLock({ pid: 2 ** 22 + 1 })); // beyond the greatest process number of Linux
  lockFile(path)();
  writeFileSync(`${path}.lock`, readLock({ pid: process.pid, begun: 'another time' }));
  lockFile(path)();
  writeFileSync(`${path}.lock`, '{"pid": 1'); // torn
  lockFile(path)();
});

function readLock(change: object): string {
  const release = lockFile(path);
  const owner = JSON.parse(readFileSync(`${path}.lock`, 'utf8'));
  release();
  return JSON.stringify({ ...owner, ...change });
}

test('patterns name files below a folder, sorted, and pass over what is hidden', () => {
  for (const name of ['a/x.yaml', 'a/b/y.yaml', 'a/b/z.json', '.hidden/x.yaml', 'a/.x.yaml', 'c.yaml']) {
    mkdirSync(join(folder, name, '..'), { recursive: true });
    writeFileSync(join(folder, name), '');
  }
  const like = (pattern: string) => filesLike(pattern, folder);
  expect(like('**/*.yaml')).toEqual(['a/b/y.yaml', 'a/x.yaml', 'c.yaml']);
  expect(like('a/*.yaml')).toEqual(['a/x.yaml']);
  expect(like('a/b/?.{yaml,json}')).toEqual(['a/b/y.yaml', 'a/b/z.json']);
  expect(like('{c,d}.yaml')).toEqual(['c.yaml']);
  expect(like('a/../c.*')).toEqual(['a/../c.yaml']);
  expect(like(`${folder}/a/*.yaml`)).toEqual([`${folder}/a/x.yaml`]);
});
