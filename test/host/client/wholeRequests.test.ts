import { expect, test } from 'vitest';
import { partsOf } from '../../../src/host/client/bulkCalls.ts';

const limits = { states: 100, body: 80_000, answer: 1e6 };
const request = (items: number) => ({
  method: 'scene.add' as const,
  params: { replace: true },
  array: 'points',
  item: [3],
  numbers: new Float64Array(3 * items),
  each: 1,
});

test('states are divided by the limits of the service, the points of a cloud are one message', () => {
  const sizes = (isWhole: boolean) =>
    partsOf({ ...request(300), isWhole }, limits).map(({ arrays }) => arrays['points']);
  expect(sizes(false)).toEqual([
    [100, 3],
    [100, 3],
    [100, 3],
  ]);
  expect(sizes(true)).toEqual([[300, 3]]);
});

test('a cloud that does not fit into one message is refused, rather than replaced by its last part', () => {
  expect(() => partsOf({ ...request(600), isWhole: true }, limits)).toThrow(
    'points: 14400 bytes do not fit into one message, the limit of which is 80000',
  );
});
