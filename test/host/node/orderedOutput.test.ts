import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { OrderedOutput } from '../../../src/host/node/orderedOutput.ts';

test('results keep the order of their promises, and no more than the limit are pending', async () => {
  const handed: number[] = [];
  let underWay = 0;
  let most = 0;
  const inOrder = new OrderedOutput<number>(4, async (value) => {
    await sleep(1);
    underWay--;
    handed.push(value);
  });
  for (let i = 0; i < 30; i++) {
    underWay++;
    most = Math.max(most, underWay);
    await inOrder.add(sleep(i % 3 === 0 ? 10 : 1, i));
  }
  await inOrder.end();
  expect(handed).toEqual(Array.from({ length: 30 }, (_, i) => i));
  expect(most).toBe(4);
});

test('the first result is passed on before the second is available', async () => {
  const handed: string[] = [];
  const inOrder = new OrderedOutput<string>(9, async (value) => void handed.push(value));
  await inOrder.add(Promise.resolve('first'));
  await inOrder.add(new Promise(() => {}));
  await sleep(0);
  expect(handed).toEqual(['first']);
});

test('a failure reaches whoever adds, or waits for the end', async () => {
  const inOrder = new OrderedOutput<number>(3, async () => {});
  await inOrder.add(Promise.reject(new Error('lost')));
  await expect(inOrder.end()).rejects.toThrow('lost');
  await inOrder.add(Promise.resolve(1));
  await expect(inOrder.add(Promise.resolve(2))).rejects.toThrow('lost');
});
