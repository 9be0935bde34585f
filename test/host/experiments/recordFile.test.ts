import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { lockFile } from '../../../src/host/experiments/folderLock.ts';
import { matchingFiles } from '../../../src/host/experiments/glob.ts';
import type { RunRecord } from '../../../src/host/experiments/record.ts';
import { RecordFile, readRecords } from '../../../src/host/experiments/recordFile.ts';
import { temporaryFolder } from '../cli/run.ts';
import { lockRounds } from './lockRounds.ts';

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

test('shards are read together, each run once; runs with different results and invalid lines are reported', () => {
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
    `${path}:1: run a has a different result in another record; the first one is used`,
    `${path}:2: this line is not a record; its run counts as missing`,
  ]);
});

test('a file is locked for one process at a time, and claims of processes that are gone do not count', () => {
  const release = lockFile(path);
  expect(() => lockFile(path)).toThrow(`process ${process.pid} on `);
  const [claim] = claims();
  release();
  const [, begun] = /lock-\d+-(\d*)-/.exec(claim)!;
  const dead = [
    claim.replace(/lock-\d+/, `lock-${2 ** 22 + 1}`), // beyond the greatest process number of Linux
    ...(begun === '' ? [] : [claim.replace(`-${begun}-`, `-${begun}0-`)]), // the number was reused
  ];
  for (const name of dead) writeFileSync(join(folder, name), '');
  const releaseAgain = lockFile(path);
  expect(claims()).toEqual([claim]);
  releaseAgain();
  expect(claims()).toEqual([]);
  writeFileSync(join(folder, claim.replace(/[^-]+$/, 'elsewhere')), '');
  expect(() => lockFile(path)).toThrow('on elsewhere is writing to it');
  expect(claims()).toEqual([claim.replace(/[^-]+$/, 'elsewhere')]);
});

const claims = () => readdirSync(folder).filter((name) => name.startsWith('runs.jsonl.lock-'));

test.runIf(existsSync('/proc/self/stat'))(
  'no two processes hold a lock at once while holders are killed (taking over dead locks: 6 of 300 rounds)',
  async () => {
    const { twoHolders, killed } = await lockRounds(join(folder, 'rounds'), 400, 4, 0.05);
    expect(twoHolders).toBe(0);
    expect(killed).toBeGreaterThan(0);
  },
  60_000,
);

test('patterns name files below a folder, sorted, and pass over what is hidden', () => {
  for (const name of ['a/x.yaml', 'a/b/y.yaml', 'a/b/z.json', '.hidden/x.yaml', 'a/.x.yaml', 'c.yaml']) {
    mkdirSync(join(folder, name, '..'), { recursive: true });
    writeFileSync(join(folder, name), '');
  }
  const like = (pattern: string) => matchingFiles(pattern, folder);
  expect(like('**/*.yaml')).toEqual(['a/b/y.yaml', 'a/x.yaml', 'c.yaml']);
  expect(like('a/*.yaml')).toEqual(['a/x.yaml']);
  expect(like('a/b/?.{yaml,json}')).toEqual(['a/b/y.yaml', 'a/b/z.json']);
  expect(like('{c,d}.yaml')).toEqual(['c.yaml']);
  expect(like('a/../c.*')).toEqual(['a/../c.yaml']);
  expect(like(`${folder}/a/*.yaml`)).toEqual([`${folder}/a/x.yaml`]);
});
