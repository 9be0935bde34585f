import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Random } from '../../../src/core/math/random.ts';
import { loadScene } from '../../../src/host/node/files.ts';
import { createSceneRobot } from '../../../src/tasks/sceneRobot.ts';
import { temporaryFolder } from '../cli/run.ts';
import { elbowroom } from '../cli/runHere.ts';
import { call, open, sessionsOf } from './shelf.ts';

const folder = temporaryFolder();

/** Writes items as JSON lines, runs a command on them, and returns the parsed lines of its output. */
async function linesOf(items: readonly object[], ...args: string[]): Promise<Record<string, unknown>[]> {
  const file = join(folder, 'items.jsonl');
  writeFileSync(file, items.map((item) => `${JSON.stringify(item)}\n`).join(''));
  const { stdout } = await elbowroom([...args, file]);
  return stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
}

test('dynamics of the service are those of the command, with the payload of the scene', async () => {
  const path = join(folder, 'cell.yaml');
  const payload = 'payload: {mass: 2, center: [0, 0, 0.1]}';
  writeFileSync(path, `format: elbowroom-scene/1\nrobot: ur5e\nstart: [0, -1, 1, 0, 0, 0]\n${payload}\n`);
  const { scene, robot: description } = await loadScene(path);
  const robot = createSceneRobot({ scene, robot: description });
  const session = sessionsOf({ robot, scene, version: '0', checker: 'growth-distance' }).open();
  const random = new Random(3);
  const row = () => Array.from({ length: 6 }, () => random.between(-2, 2));
  const states = Array.from({ length: 5 }, (_, i) => ({
    q: row(),
    ...(i > 0 && { v: row() }),
    ...(i > 1 && { a: row() }),
  }));
  const expected = await linesOf(states, 'dynamics', '--scene', path, '--mass-matrix');
  const { result } = await call(session, 'dynamics', { states, mass_matrix: true });
  const answers = (result as unknown as { answers: object[] }).answers;
  expect(answers.map((answer, i) => ({ id: i + 1, ...answer }))).toEqual(expected);
  const { id: _, mass_matrix: __, ...third } = expected[2];
  expect((await call(session, 'dynamics', states[2])).result).toEqual(third);
  const short = await call(session, 'dynamics', { states: [states[0], { q: row(), v: [1] }] });
  expect(short.error!.message).toBe('params.states[1].v: it has 1 values, the robot has 6 planned joints');
  expect((await call(session, 'dynamics', {})).error!.message).toBe('params: no state');
});

test('query of the service gives the results of the command, and errors in the place of bad pairs', async () => {
  const random = new Random(8);
  const shape = () =>
    random.below(2) === 0
      ? { type: 'box', size: [random.between(0.1, 1), 0.3, 0.5] }
      : { type: 'capsule', radius: 0.1, length: random.between(0.1, 1) };
  const body = () => ({
    shape: shape(),
    pose: { xyz: [random.between(-1, 1), random.between(-1, 1), 0], rpy: [0.3, 0, 1] },
  });
  const pairs: object[] = Array.from({ length: 12 }, (_, i) => ({
    ...(i % 2 && { id: `p${i}` }),
    a: body(),
    b: body(),
  }));
  pairs.push({ id: 'bad', a: { shape: { type: 'cube' } }, b: body() });
  const session = open();
  for (const options of [{}, { solver: 'gjk' }, { what: 'gradient' }, { solver: 'epa', gap: 0.001 }]) {
    const args = Object.entries(options).flatMap(([name, value]) => [`--${name}`, String(value)]);
    const expected = await linesOf(pairs, 'query', ...args);
    const { answers } = (await call(session, 'query', { pairs, ...options })).result as unknown as {
      answers: object[];
    };
    const { line: _, ...bad } = expected.pop()!;
    expect(answers.slice(0, -1)).toEqual(expected);
    expect(bad['error']).toContain((answers.at(-1) as { error: string }).error);
  }
  expect((await call(session, 'query', { pairs, solver: 'gjkk' })).error!.message).toBe(
    'params.solver: unknown solver "gjkk"',
  );
  expect((await call(session, 'query', { pairs, what: 'area' })).error!.message).toMatch(/unknown quantity "area"/);
  expect((await call(session, 'query', { pairs, solver: 'gjk', what: 'growth' })).error!.message).toMatch(
    /does not compute/,
  );
});
