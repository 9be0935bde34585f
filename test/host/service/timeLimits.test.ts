import { performance } from 'node:perf_hooks';
import { PassThrough } from 'node:stream';
import { afterAll, expect, test } from 'vitest';
import { LineClient } from '../../../src/host/service/lineClient.ts';
import { Arrivals } from '../../../src/host/service/notifications/arrivals.ts';
import { free, serviceWith } from './shelf.ts';

const service = serviceWith({ time: 0.2 });
afterAll(() => service.close());

const TIME = -32002;
const motions = Array(20_000).fill([free, free.map((x) => x + 1)]);
const request = (id: number, method: string, params: object) => JSON.stringify({ jsonrpc: '2.0', id, method, params });
const slow = request(1, 'validate_motion', { motions, details: true });
const quick = request(2, 'validate', { q: free });

test('the time limit of a message that waited counts from its arrival, and the error has its id', async () => {
  const session = service.openSession()!;
  for (const text of [quick, quick.padEnd(100_000)]) {
    const late = JSON.parse(await session.answer(text, performance.now() - 60_000));
    expect(late).toMatchObject({ id: 2, error: { code: TIME } });
  }
  expect(JSON.parse(await session.answer(quick))).toMatchObject({ id: 2, result: { valid: true } });
  session.close();
});

test('a quick request behind one that needs all the time is refused at the same time limit', async () => {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const client = new LineClient(service, input, output, service.openSession()!);
  const served = client.serve();
  input.end(`${slow}\n${quick}\n`);
  const chunks: Buffer[] = [];
  output.on('data', (chunk: Buffer) => chunks.push(chunk));
  await served;
  const answers = Buffer.concat(chunks)
    .toString()
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(answers).toMatchObject([
    { id: 1, error: { code: TIME } },
    { id: 2, error: { code: TIME } },
  ]);
});

test('bytes are assigned the time at which the last of them arrived', () => {
  const arrivals = new Arrivals();
  arrivals.add(10);
  const first = arrivals.take(4);
  arrivals.add(5);
  expect(arrivals.take(6)).toBe(first);
  expect(arrivals.take(2)).toBeGreaterThanOrEqual(first);
  arrivals.take(3);
  const before = performance.now();
  expect(arrivals.take(1)).toBeGreaterThanOrEqual(before); // nothing is left
});
