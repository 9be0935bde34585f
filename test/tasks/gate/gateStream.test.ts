import { expect, test } from 'vitest';
import { attackStream } from './gateStream.ts';

test('recordings of broken streams replay to the byte, and the oracle finds no contact and no limit exceeded in them', async () => {
  const verdicts: { [verdict: string]: number } = {};
  let errors = 0;
  for (let seed = 1; seed <= 4; seed++) {
    const attack = await attackStream(seed);
    expect(attack.faults, `seed ${seed}`).toEqual([]);
    errors += attack.errors;
    for (const [verdict, n] of Object.entries(attack.verdicts)) verdicts[verdict] = (verdicts[verdict] ?? 0) + n;
  }
  expect(errors).toBeGreaterThan(15);
  expect(Object.keys(verdicts).length).toBeGreaterThan(4);
});
