import { assert, test } from 'vitest';
import { cases } from '../../cases.ts';
import { attacks, ROUNDING } from './attack.ts';

test.each([
  ['plan', cases(25), cases(15)],
  ['program', cases(8), cases(4)],
] as const)('%s: what is planned among moving objects keeps the padding at every sample', (name, count, least) => {
  const wrong: string[] = [];
  let solved = 0;
  for (let seed = 1; seed <= count; seed++) {
    const found = attacks[name](seed);
    if (found.least === undefined) continue;
    solved++;
    if (!(found.least >= -ROUNDING)) wrong.push(`seed ${seed}: nearer than the padding by ${-found.least} m`);
    for (const what of found.trouble) wrong.push(`seed ${seed}: ${what}`);
  }
  assert.deepEqual(wrong, []);
  assert.isAtLeast(solved, least);
});
