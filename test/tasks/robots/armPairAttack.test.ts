import { expect, test } from 'vitest';
import { armPairAttacks } from './armPairAttack.ts';

test('a motion through a contact of two links is not valid with the pairs that sampling and proofs allow', () => {
  for (let seed = 1; seed <= 2; seed++) expect(armPairAttacks.made(seed).trouble, `seed ${seed}`).toEqual([]);
});

test('of random pairs that are not checked, exactly those on two arms are named', () => {
  for (let seed = 1; seed <= 100; seed++) expect(armPairAttacks.warnings(seed).trouble, `seed ${seed}`).toEqual([]);
});
