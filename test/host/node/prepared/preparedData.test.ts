import { createHash } from 'node:crypto';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deserialize, serialize } from 'node:v8';
import { afterAll, expect, test } from 'vitest';
import { readSrdf } from '../../../../src/formats/robots/srdf.ts';
import { readUrdf } from '../../../../src/formats/robots/urdf.ts';
import { parsedSource, parseSource } from '../../../../src/formats/text/sourceText.ts';
import { limitAfterWriting, limitCacheFolder } from '../../../../src/host/node/partsCache.ts';
import { type DataKind, preparedData } from '../../../../src/host/node/prepared/preparedData.ts';

const root = mkdtempSync(join(tmpdir(), 'elbowroom-data-'));
afterAll(() => rmSync(root, { recursive: true }));

let folders = 0;
/** A cache of its own, and a function that reads or computes data in it and counts what is computed. */
function cacheOf({
  folder = join(root, `${folders++}`),
  keyFile = join(root, 'key', 'cache.key'),
  sources = 'a',
} = {}) {
  const prepare = preparedData({ folder, sources, keyFile, limit: limitAfterWriting });
  const made = { count: 0 };
  const dataOf = (texts: readonly string[], kind: DataKind = 'scene'): Promise<unknown> =>
    prepare(kind, texts, async () => {
      made.count++;
      return computed(texts);
    });
  return { folder, made, dataOf };
}

/** All that plain data may hold: JSON would change most of it. */
function computed(texts: readonly string[]): unknown {
  const shared = { xyz: [0, -0, 1e-320] };
  const own = JSON.parse('{"__proto__": {"a": 1}, "2": 0, "1": 0}');
  return { texts, shared, again: shared, numbers: [Number.NaN, -Infinity, 0.1 + 0.2], none: undefined, own };
}

const onlyFile = (folder: string): string => join(folder, readdirSync(folder)[0]);

test('only the user may read the files: those of the inputs may be private', async () => {
  const cache = cacheOf();
  await cache.dataOf(['text']);
  expect(statSync(onlyFile(cache.folder)).mode & 0o777).toBe(0o600);
});

test('data that was read equals the computed data in every value, also in what JSON cannot hold', async () => {
  const cache = cacheOf();
  for (let run = 0; run < 2; run++) {
    const data = (await cache.dataOf(['text'])) as { shared: unknown; again: unknown };
    expect(data).toStrictEqual(computed(['text']));
    expect(data.again).toBe(data.shared);
  }
  expect(cache.made.count).toBe(1);
});

test('a change of any text, of their division or of the kind computes the data again', async () => {
  const cache = cacheOf();
  const inputs = [['ab', 'c'], ['a', 'bc'], ['abc'], ['abc', ''], ['', 'abc'], ['ab\n', 'c'], ['1\na', 'bc']];
  for (let run = 0; run < 2; run++) {
    for (const texts of inputs) expect(await cache.dataOf(texts)).toStrictEqual(computed(texts));
  }
  expect(cache.made.count).toBe(inputs.length);
  await cache.dataOf(inputs[0], 'urdf');
  expect(cache.made.count).toBe(inputs.length + 1);
});

test('files that were changed, cut or forged, in every byte, are computed again and replaced', async () => {
  const [cache, foreign] = [cacheOf(), cacheOf()];
  await foreign.dataOf(['other']);
  await cache.dataOf(['text']);
  const file = onlyFile(cache.folder);
  const [good, theirs] = [readFileSync(file), readFileSync(onlyFile(foreign.folder))];
  const forged = serialize({ texts: ['text'], obstacles: [] });
  const changes: Buffer[] = [
    Buffer.alloc(0),
    Buffer.alloc(good.length),
    good.subarray(0, 20),
    good.subarray(0, 32),
    good.subarray(0, -1),
    Buffer.concat([good, Buffer.alloc(1)]),
    theirs,
    Buffer.concat([good.subarray(0, 32), theirs.subarray(32)]),
    Buffer.concat([good.subarray(0, 32), forged]),
    Buffer.concat([createHash('sha256').update(forged).digest(), forged]),
    ...Array.from({ length: good.length }, (_, at) =>
      Buffer.from(good.map((byte, i) => (i === at ? byte ^ (1 << (at % 8)) : byte))),
    ),
  ];
  const wrong: number[] = [];
  cache.made.count = 0;
  for (const [i, change] of changes.entries()) {
    writeFileSync(file, change);
    const isSame = serialize(await cache.dataOf(['text'])).equals(good.subarray(32));
    if (!isSame || !readFileSync(file).equals(good)) wrong.push(i);
  }
  expect(wrong).toEqual([]);
  expect(cache.made.count).toBe(changes.length);
});

test('data of other sources, of other users and under another name is not used', async () => {
  const first = cacheOf();
  await first.dataOf(['text']);
  const { folder } = first;
  for (const cache of [cacheOf({ folder, sources: 'b' }), cacheOf({ folder, keyFile: join(root, 'theirs') })]) {
    expect(await cache.dataOf(['text'])).toStrictEqual(computed(['text']));
    expect(cache.made.count).toBe(1);
  }
  const [own, foreign] = [cacheOf(), cacheOf()];
  await own.dataOf(['text']);
  await foreign.dataOf(['other']);
  const name = onlyFile(own.folder);
  renameSync(onlyFile(foreign.folder), name); // authentic, but of another text
  expect(await own.dataOf(['text'])).toStrictEqual(computed(['text']));
  expect(own.made.count).toBe(2);
});

test('errors are not kept', async () => {
  const folder = join(root, 'errors');
  const prepare = preparedData({
    folder,
    sources: 'a',
    keyFile: join(root, 'key', 'cache.key'),
    limit: async () => {},
  });
  const refuse = () => prepare('scene', ['bad'], async () => Promise.reject(new Error('bad text')));
  await expect(refuse()).rejects.toThrow('bad text');
  await expect(refuse()).rejects.toThrow('bad text');
  mkdirSync(folder);
  expect(readdirSync(folder)).toEqual([]);
});

test('simultaneous writers leave one complete file', async () => {
  const cache = cacheOf();
  const all = await Promise.all(Array.from({ length: 8 }, () => cache.dataOf(['text'])));
  expect(all).toStrictEqual(all.map(() => computed(['text'])));
  expect(readdirSync(cache.folder).length).toBe(1);
  const before = cache.made.count;
  await cache.dataOf(['text']);
  expect(cache.made.count).toBe(before);
});

test('the number of files is bounded: the oldest are removed', async () => {
  const cache = cacheOf();
  for (let k = 0; k < 5; k++) {
    await cache.dataOf([`${k}`]);
    for (const name of readdirSync(cache.folder).slice(0, k)) utimesSync(join(cache.folder, name), k, k);
  }
  writeFileSync(join(cache.folder, 'notes.txt'), '');
  await limitCacheFolder(cache.folder, undefined, 2);
  expect(readdirSync(cache.folder).length).toBe(3);
});

test('a folder is listed again when the files of this process exceed the limit', async () => {
  const folder = join(root, 'limited');
  mkdirSync(folder);
  const names = Array.from({ length: 1003 }, (_, i) => `${String(i).padStart(64, '0')}.hull`);
  const write = (name: string, time: number): void => {
    writeFileSync(join(folder, name), 'x');
    utimesSync(join(folder, name), time, time);
  };
  for (const [i, name] of names.slice(0, 999).entries()) write(name, i);
  for (const [i, name] of names.slice(999).entries()) {
    write(name, 999 + i);
    await limitAfterWriting(folder, 1);
  }
  expect(readdirSync(folder).sort()).toEqual(names.slice(-877)); // 875 are kept of 1001
});

const robots = readdirSync('robots').filter((name) => name !== 'README.md');

test.each(robots)('descriptions of %s are plain data: clones are equal in types and values', async (name) => {
  const read = (ending: string) => readFileSync(`robots/${name}/${name}.${ending}`, 'utf8');
  const { document: _, ...urdf } = await readUrdf(read('urdf'), `${name}.urdf`);
  const semantics = await readSrdf(read('srdf'), `${name}.srdf`, urdf);
  expect(deserialize(serialize(urdf))).toStrictEqual(urdf);
  expect(deserialize(serialize(semantics))).toStrictEqual(semantics);
});

test('scenes are plain data, and diagnostics of kept data have the same lines', async () => {
  for (const file of readdirSync('scenes').filter((name) => name.endsWith('.yaml'))) {
    const text = readFileSync(`scenes/${file}`, 'utf8');
    const source = await parseSource(text, file);
    const again = parsedSource(text, file, deserialize(serialize(source.data)));
    expect(again.data).toStrictEqual(source.data);
    const wrong = [{ path: ['goal'], what: 'wrong' }];
    expect((await again.errors(wrong)).message).toBe((await source.errors(wrong)).message);
  }
});
