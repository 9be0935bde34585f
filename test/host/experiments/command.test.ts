import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import type { RunRecord } from '../../../src/host/experiments/record.ts';
import { readRecords } from '../../../src/host/experiments/recordFile.ts';
import { isLong } from '../../cases.ts';
import { bin, posts, elbowroom as run, temporaryFolder } from '../cli/run.ts';
import { elbowroom } from '../cli/runHere.ts';

let folder: string;
let file: string;
beforeEach(() => {
  folder = temporaryFolder();
  file = join(folder, 'sweep.yaml');
});

const inFolder = (name: string) => join(folder, name);
const write = (text: string) => writeFileSync(file, `format: elbowroom-experiment/1\n${text}`);
const recordsIn = (name: string) => readRecords(inFolder(name)).records;
const linesIn = (path: string) => (existsSync(path) ? readFileSync(path, 'utf8').trimEnd().split('\n') : []);

/** What must not depend on who made it, in the order of the ids. */
const answers = (records: readonly RunRecord[]) =>
  records
    .map(({ id, status, hash, pair_checks, seed, checker }) => ({ id, status, hash, pair_checks, seed, checker }))
    .sort((a, b) => (a.id < b.id ? -1 : 1));

describe('runs', () => {
  test('are the same whatever the number of threads, and each is made once', async () => {
    write(`scenes: ${posts}\ncheckers: [growth-distance, gjk]\nseeds: 6\nrepetitions: 2`);
    for (const jobs of ['1', '3']) {
      const { code, stdout } = await elbowroom(['experiment', file, '-o', inFolder(jobs), '--jobs', jobs]);
      expect({ code, stdout }).toEqual({ code: 0, stdout: '' });
    }
    const records = recordsIn('1');
    expect(answers(records)).toEqual(answers(recordsIn('3')));
    expect(new Set(records.map(({ id }) => id)).size).toBe(24);
    // Repetitions give equal results, and so do growth distance and GJK: equal verdicts give equal paths.
    for (const seed of [1, 2, 3, 4, 5, 6]) {
      const hashes = new Set(records.filter((record) => record.seed === seed).map(({ hash }) => hash));
      expect(hashes.size).toBe(1);
    }
  });

  test.runIf(isLong)('of all shards are the runs of the whole, none in two', async () => {
    write(`scenes: ${posts}\nseeds: 8`);
    await elbowroom(['experiment', file, '-o', inFolder('whole')]);
    for (const shard of ['1/3', '2/3', '3/3']) {
      await elbowroom(['experiment', file, '-o', inFolder('parts'), '--shard', shard]);
    }
    const lines = readdirSync(inFolder('parts'))
      .filter((name) => name.endsWith('.jsonl'))
      .map((name) => linesIn(join(inFolder('parts'), name)).length);
    expect(lines).toHaveLength(3);
    expect(lines.reduce((sum, one) => sum + one)).toBe(8);
    expect(answers(recordsIn('parts'))).toEqual(answers(recordsIn('whole')));
  });

  test('killed again and again, with lines torn besides, are all made, each once', async () => {
    write(`scenes: ${posts}\nseeds: 60`);
    const path = join(inFolder('killed'), 'runs.jsonl');
    const whole = run(['experiment', file, '-o', inFolder('whole')]);
    for (let kill = 0; kill < 2; kill++) {
      await killedAfter(path, statSize(path) + 2000);
      if (kill % 2 === 1) appendFileSync(path, '{"id":"half of a li');
    }
    const { code } = await elbowroom(['experiment', file, '-o', inFolder('killed')]);
    expect(code).toBe(0);
    await whole;
    expect(linesIn(path)).toHaveLength(60);
    expect(answers(recordsIn('killed'))).toEqual(answers(recordsIn('whole')));
  });

  test('an interrupted run prints how to continue, exit 130', async () => {
    write(`scenes: ${posts}\nseeds: 100000`);
    const child = spawn(process.execPath, [bin, 'experiment', file, '-o', inFolder('a')]);
    let stderr = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr += text;
    });
    const closed = once(child, 'close'); // after the last output, unlike exit
    await grown(join(inFolder('a'), 'runs.jsonl'), 1);
    child.kill('SIGINT');
    expect((await closed)[0]).toBe(130);
    expect(stderr).toMatch(/interrupted: \d+ of 100000 runs are completed; run the same command again to resume\n$/);
  });

  test('a folder that another process works in is refused', async () => {
    write(`scenes: ${posts}\nseeds: 100000`);
    const child = spawn(process.execPath, [bin, 'experiment', file, '-o', inFolder('a')]);
    await grown(join(inFolder('a'), 'runs.jsonl'), 1);
    const { code, stderr } = await elbowroom(['experiment', file, '-o', inFolder('a')]);
    child.kill('SIGKILL');
    await exitOf(child);
    expect(code).toBe(2);
    expect(stderr).toContain(`runs.jsonl: process ${child.pid} on `);
  });

  test.runIf(isLong)('of planner library are plans of RRT-Connect where a scene has no library', async () => {
    const q = '[0, -1.57, 1.57, -1.57, -1.57, 0]';
    const scene = `format: elbowroom-scene/1\nname: tilt\nrobot: ur5e\nstart: ${q}\ngoals: [${q.replace('0', '0.5')}]`;
    writeFileSync(
      inFolder('tilt.yaml'),
      `${scene}\nconstraints: [{type: orientation, rpy: [0, 0, 0], within: [3, 3, 3]}]\n`,
    );
    write(`scenes: [${posts}, tilt.yaml]\nplanners: library\nedges: [certified, sampled]\nseeds: 1`);
    const { code, stderr } = await elbowroom(['experiment', file, '-o', inFolder('a'), '--jobs', '1']);
    expect(code, stderr).toBe(0);
    expect(recordsIn('a').map(({ status }) => status)).toEqual(['solved', 'solved', 'solved', 'solved']);
  });

  test('as CSV equal the JSON lines', async () => {
    write(
      `scenes: ${posts}\nplanners: [rrt-connect, {planner: rrt, iterations: 1, options: {stepSize: 0.1}}]\nseeds: 3`,
    );
    const { code } = await elbowroom(['experiment', file, '-o', inFolder('a'), '--format', 'csv']);
    expect(code).toBe(0);
    const records = recordsIn('a');
    expect(new Set(records.map(({ status }) => status))).toEqual(new Set(['solved', 'no-path']));
    const [names, ...rows] = readFileSync(join(inFolder('a'), 'runs.csv'), 'utf8')
      .trimEnd()
      .split('\r\n');
    expect(names.split(',')).toEqual(Object.keys(records[0]));
    expect(rows).toHaveLength(6);
    for (const [i, { id, hash, total_ms }] of records.entries()) {
      expect(rows[i].startsWith(`${id},`)).toBe(true);
      expect(rows[i].endsWith(`,${hash ?? ''}`)).toBe(true);
      expect(rows[i].split(',')).toContain(String(total_ms));
    }
  });
});

test.runIf(isLong)('programs are planned as the command plan plans them', async () => {
  write('scenes: [pick-and-place]\nseeds: 2');
  const { code, stderr } = await elbowroom(['experiment', file, '-o', inFolder('a')]);
  expect({ code, stderr }).toMatchObject({ code: 0 });
  const records = recordsIn('a');
  expect(records.map(({ status }) => status)).toEqual(['solved', 'solved']);
  for (const { seed, hash } of records) {
    const plan = await elbowroom(['plan', 'pick-and-place', '--seed', String(seed)]);
    expect(hash).toBe(JSON.parse(plan.stdout).hash);
  }
});

describe('scripts make scenes', () => {
  const body = `({ random, load }) {
  const base = await load(${JSON.stringify(posts)});
  for (let i = 0; i < 3; i++) {
    yield { ...base, robot: ${JSON.stringify(join(posts, '../arm.urdf'))}, name: \`gap-\${i}\`, padding: random.between(0, 0.001) };
  }
}`;

  test.each([
    ['sweep.mjs', `export default async function* ${body}`],
    [
      'sweep.ts',
      `interface Unused { readonly a: number }\nexport default async function* ${body.replace('{ random, load }', '{ random, load }: any')}`,
    ],
  ])('%s', async (name, text) => {
    writeFileSync(inFolder(name), text);
    write(`script: ./${name}\nseeds: 2`);
    const { code, stderr } = await elbowroom(['experiment', file, '-o', inFolder('a')]);
    expect({ code, stderr }).toMatchObject({ code: 0 });
    const records = recordsIn('a');
    expect([...new Set(records.map(({ scene }) => scene))].sort()).toEqual(['gap-0', 'gap-1', 'gap-2']);
    // Chance is handed in: another run of the script makes the same scenes.
    await elbowroom(['experiment', file, '-o', inFolder('b')]);
    expect(answers(recordsIn('b'))).toEqual(answers(records));
    expect(readdirSync(folder).filter((one) => one.startsWith('.'))).toEqual([]);
  });

  test.each([
    ['export default 3', 'it has no default export to call'],
    ['export default () => 3', 'its default export does not return a list of scenes'],
    ['export default () => {\n  throw new Error("no more");\n}', ':2: Error: no more'],
    ['export default () => [{ format: "elbowroom-scene/1", name: "odd", robott: "ur5e" }]', 'odd: robott: unknown key'],
    ['export default () => [', ': SyntaxError: '],
  ])('%s is refused with its place', async (text, message) => {
    writeFileSync(inFolder('sweep.mjs'), text);
    write('script: ./sweep.mjs');
    const { code, stderr } = await elbowroom(['experiment', file, '-o', inFolder('a')]);
    expect(code).toBe(2);
    expect(stderr).toContain('sweep.mjs');
    expect(stderr).toContain(message);
    expect(existsSync(inFolder('a'))).toBe(false);
  });
});

describe('errors are reported before the first run, exit 2', () => {
  test.each<[string, readonly string[], string]>([
    ['scenes: no-such.yaml', [], 'sweep.yaml:2: scenes: '],
    ['scenes: shef', [], 'shef: there is no such file\n  note: Did you mean "shelf"?'],
    ['scenes: "*.scene"', [], 'sweep.yaml:2: scenes: no file matches "*.scene"'],
    [`scenes: ${posts}\nchekers: gjk`, [], 'sweep.yaml:3: chekers: unknown key\n  note: Did you mean "checkers"?'],
    [`scenes: ${posts}`, ['--shard', '3/2'], '--shard is "3/2"\n  note: Write I/N'],
    [`scenes: ${posts}`, ['--format', 'cvs'], 'unknown --format "cvs"\n  note: Did you mean "csv"?'],
  ])('%s %s', async (text, more, message) => {
    write(text);
    const { code, stdout, stderr } = await elbowroom(['experiment', file, '-o', inFolder('a'), ...more]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(message);
    expect(existsSync(inFolder('a'))).toBe(false);
  });
});

const statSize = (path: string) => statSync(path, { throwIfNoEntry: false })?.size ?? 0;

async function grown(path: string, size: number): Promise<void> {
  while (statSize(path) < size) await new Promise((resolve) => setTimeout(resolve, 5));
}

const exitOf = (child: ChildProcess) =>
  child.exitCode !== null || child.signalCode !== null
    ? child.exitCode
    : new Promise<number | null>((resolve) => child.on('exit', resolve));

async function killedAfter(path: string, size: number): Promise<void> {
  const child = spawn(process.execPath, [bin, 'experiment', file, '-o', inFolder('killed')], { stdio: 'ignore' });
  await Promise.race([grown(path, size), exitOf(child)]);
  child.kill('SIGKILL');
  await exitOf(child);
}
