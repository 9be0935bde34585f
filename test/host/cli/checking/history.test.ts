import { expect, test } from 'vitest';
import { Random } from '../../../../src/core/math/random.ts';
import { cases } from '../../../cases.ts';
import { elbowroom } from '../runHere.ts';

const random = new Random(12);
const drawn = () => Array.from({ length: 6 }, () => random.between(-3, 3));
const states = Array.from({ length: 1500 }, (_, id) => {
  const q = drawn();
  return { id, q, to: q.map((x) => x + random.between(-0.3, 0.3)) };
});
const shuffled = [...states];
for (let i = shuffled.length - 1; i > 0; i--) {
  const k = random.below(i + 1);
  [shuffled[i], shuffled[k]] = [shuffled[k], shuffled[i]];
}

const sorted = (text: string) => {
  const lines = text.trim().split('\n');
  return lines.sort((one, other) => JSON.parse(one).id - JSON.parse(other).id);
};

test.each([
  ['--clearance', cases(1500)],
  ['--all', cases(1500)],
  ['--gradient', cases(800)],
  ['--motions', cases(800)],
])('validate %s prints the same lines for permuted input and for 1, 2 and 4 threads', async (option, count) => {
  const lineOf = ({ id, q, to }: (typeof states)[number]) =>
    `${JSON.stringify(option === '--motions' ? { id, from: q, to } : { id, q })}\n`;
  const run = async (list: typeof states, jobs: number) => {
    const input = list.filter(({ id }) => id < count).map(lineOf);
    const { stdout, code } = await elbowroom(['validate', 'scenes/shelf.yaml', option, '--jobs', String(jobs)], {
      input: input.join(''),
    });
    expect(code).toBe(1);
    return sorted(stdout);
  };
  const expected = await run(states, 1);
  expect(expected).toHaveLength(count);
  expect(await run(shuffled, 1)).toEqual(expected);
  expect(await run(states, 2)).toEqual(expected);
  expect(await run(shuffled, 4)).toEqual(expected);
});

test('serve returns equal bytes for equal requests, whatever was requested before', async () => {
  const requests = states.slice(0, cases(250)).flatMap(({ id, q, to }) => [
    { id: 10 * id, method: 'clearance', params: { q } },
    { id: 10 * id + 1, method: 'clearance', params: { q, gradient: true } },
    { id: 10 * id + 2, method: 'validate', params: { q, details: true } },
    { id: 10 * id + 3, method: 'validate_motion', params: { from: q, to, details: true } },
    { id: 10 * id + 4, method: 'validate_motion', params: { from: q, to } },
  ]);
  const run = async (list: typeof requests) => {
    const input = list.map((one) => `${JSON.stringify({ jsonrpc: '2.0', ...one })}\n`).join('');
    const { stdout, code } = await elbowroom(['serve', 'scenes/shelf.yaml', '--stdio'], { input });
    expect(code).toBe(0);
    return sorted(stdout);
  };
  const expected = await run(requests);
  expect(expected).toHaveLength(requests.length);
  expect(expected.some((line) => line.includes('"error"'))).toBe(false);
  const byState = new Map(shuffled.map(({ id }, place) => [id, place]));
  const place = ({ id }: (typeof requests)[number]) => byState.get(Math.floor(id / 10))! + (id % 10) * 3000;
  expect(await run([...requests].sort((one, other) => place(one) - place(other)))).toEqual(expected);
});
