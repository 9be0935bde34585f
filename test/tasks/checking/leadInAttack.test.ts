import { expect, test } from 'vitest';
import { cases } from '../../cases.ts';
import { leadInAttacks } from './leadInAttack.ts';

test.each(Object.entries(leadInAttacks))('%s: what an independent controller executes is judged', (_, attack) => {
  for (let seed = 1; seed <= cases(12); seed++) expect(attack(seed).trouble, `seed ${seed}`).toEqual([]);
});
