import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { meshOf } from '../../../../src/core/hulls/coveredMesh.ts';
import { loadProblems, loadScene } from '../../../../src/host/node/files.ts';

const root = mkdtempSync(join(tmpdir(), 'elbowroom-scenes-'));
const folder = join(root, 'cache');
const environment = { ...process.env };
const built = globalThis as { ELBOWROOM_SOURCES?: string };

beforeAll(() => {
  Object.assign(process.env, { ELBOWROOM_CACHE: folder, XDG_DATA_HOME: root });
  built.ELBOWROOM_SOURCES = 'of this test'; // as in a build
});
afterAll(() => {
  process.env = environment;
  delete built.ELBOWROOM_SOURCES;
  rmSync(root, { recursive: true });
});

const scene = join(root, 'scene.yaml');
cpSync('robots/ur5e', join(root, 'ur5e'), { recursive: true });
writeFileSync(
  scene,
  readFileSync('scenes/shelf.yaml', 'utf8').replace(
    'robot: ur5e',
    'robot: {urdf: ur5e/ur5e.urdf, srdf: ur5e/ur5e.srdf}',
  ),
);

const files = (): string[] => readdirSync(folder).map((name) => join(folder, name));
const kept = (ending: string): string[] => files().filter((file) => file.endsWith(`.${ending}`));
const [fresh, cached] = [() => loadScene(scene, { cache: false }), () => loadScene(scene)];

/** Replaces a text of a file by one of equal length, and restores the times of the file. */
function edit(name: string, from: string | RegExp, to: string): void {
  const file = join(root, name);
  const { atime, mtime } = statSync(file);
  const text = readFileSync(file, 'utf8');
  const changed = text.replace(from, to);
  expect([changed.length, changed === text]).toEqual([text.length, false]);
  writeFileSync(file, changed);
  utimesSync(file, atime, mtime);
}

/** Updates the time of a file without a change, so that nothing is kept in memory. */
const touch = (): void => writeFileSync(join(root, 'ur5e/ur5e.urdf'), readFileSync(join(root, 'ur5e/ur5e.urdf')));

test('a scene from the cache equals one from its files, also after any of them has changed', async () => {
  const expected = await fresh();
  expect(await cached()).toStrictEqual(expected);
  const counts = ['scene', 'urdf', 'srdf'].map((ending) => kept(ending).length);
  expect(counts).toEqual([1, 1, 1]);
  expect(kept('mesh').length).toBeGreaterThan(3);
  touch();
  const again = await cached();
  expect(again).toStrictEqual(expected);
  const excess = ({ robot }: Awaited<ReturnType<typeof fresh>>) =>
    robot.links.flatMap((link) => link.collisions.map(({ shape }) => meshOf(shape)?.excess()));
  expect(excess(again)).toEqual(excess(expected));
  expect(excess(again).filter((metres) => metres! > 0).length).toBeGreaterThan(0);

  const edits: readonly [string, string | RegExp, string][] = [
    ['scene.yaml', 'size: [0.3, 0.94, 20 mm]', 'size: [0.3, 0.94, 40 mm]'],
    ['ur5e/ur5e.urdf', /0\.425/g, '0.435'],
    ['ur5e/ur5e.srdf', 'reason="Adjacent"', 'reason="adjacent"'],
    ['ur5e/meshes/forearm.obj', /^v -?0\.0/m, 'v -0.1'],
  ];
  let before = expected;
  for (const change of edits) {
    edit(...change);
    const after = await fresh();
    expect(await cached(), change[0]).toStrictEqual(after);
    expect(JSON.stringify(after), change[0]).not.toBe(JSON.stringify(before));
    before = after;
  }
});

test('files of other texts, and changed ones, are read as if there were none, and replaced', async () => {
  const expected = await fresh();
  await cached();
  for (const ending of ['scene', 'urdf', 'srdf', 'mesh']) {
    const all = kept(ending).map((file) => [file, readFileSync(file)] as const);
    expect(all.length).toBeGreaterThan(1);
    for (const [i, [file]] of all.entries()) writeFileSync(file, all[(i + 1) % all.length][1]);
    touch();
    expect(await cached(), ending).toStrictEqual(expected);
    const restored = all.filter(([file, content]) => readFileSync(file).equals(content));
    expect(restored.length, ending).toBeGreaterThan(0);
    for (const [file, content] of all)
      writeFileSync(
        file,
        content.map((byte, i) => (i === 40 ? byte ^ 1 : byte)),
      );
    touch();
    expect(await cached(), ending).toStrictEqual(expected);
  }
});

test('ELBOWROOM_CACHE=off neither reads nor writes', async () => {
  rmSync(folder, { recursive: true });
  process.env['ELBOWROOM_CACHE'] = 'off';
  touch();
  expect(await cached()).toStrictEqual(await fresh());
  process.env['ELBOWROOM_CACHE'] = folder;
  expect(() => readdirSync(folder)).toThrow();
});

test('a problem of a suite is the same if it alone is read, and is refused as long as another one is wrong', async () => {
  const file = join(root, 'suite.json');
  const problem = (x: number, more = {}) => ({ start: [x, -1, 1, 0, 0, 0], goal: [x, -1.2, 1, 0, 0, 0], ...more });
  const put = (...problems: unknown[]) =>
    writeFileSync(
      file,
      JSON.stringify({ format: 'elbowroom-suite/1', name: 's', robot: { urdf: 'ur5e/ur5e.urdf' }, problems }),
    );
  const box = { name: 'b', type: 'box', size: ['10 cm', 0.1, 0.1], pose: { xyz: [9, 0, 0] } };
  put(problem(0, { name: 'first' }), problem(0.1), problem(0.2, { name: 'third', obstacles: [box] }));
  for (const name of ['first', 'problem-2', 'third']) {
    const fresh = await loadScene(`${file}#${name}`, { cache: false });
    for (let run = 0; run < 2; run++) expect(await loadScene(`${file}#${name}`)).toStrictEqual(fresh);
    expect(await loadProblems(`${file}#${name}`)).toStrictEqual([fresh]);
  }
  expect((await loadProblems(file)).length).toBe(3);
  const unknown = await loadScene(`${file}#fourth`, { cache: false }).catch((error: Error) => error.message);
  await expect(loadScene(`${file}#fourth`)).rejects.toThrow(unknown as string);

  put(problem(0, { name: 'first' }), { ...problem(0.1), start: ['one'] });
  const overrides = { start: '0, -1, 1, 0, 0, 0' };
  for (let run = 0; run < 2; run++) {
    await expect(loadScene(`${file}#first`)).rejects.toThrow('problems[1].start[0]');
    expect((await loadScene(`${file}#first`, { overrides })).scene.start).toEqual([0, -1, 1, 0, 0, 0]);
  }
});
