import { assert, test } from 'vitest';
import { insideDepth } from '../../../../src/core/certificate/cells/jointCells.ts';
import { cases } from '../../../cases.ts';
import { attackBehind, attackCells, attackDepths, attackGoals, attackReach, type CellCounts } from './cellAttack.ts';

const noCounts = (): CellCounts => ({ overlaps: 0, gaps: 0, states: 0, wrong: [] });

test('a sphere of the claimed depth about a point lies in the shape', () => {
  let inside = 0;
  for (let seed = 1; seed <= cases(150); seed++) {
    const found = attackDepths(seed, insideDepth);
    inside += found.inside;
    assert.deepEqual(found.wrong, []);
  }
  assert.isAbove(inside, cases(300));
});

test('random states of cells are as the cells are certified: in collision, or apart by the gap', () => {
  const counts = noCounts();
  for (let seed = 1; seed <= cases(150); seed++) attackCells(seed, counts);
  assert.deepEqual(counts.wrong, []);
  assert.isAbove(counts.overlaps, cases(25));
  assert.isAbove(counts.gaps, cases(75));
});

test('random states within the tolerance of a goal pose are in collision as certified', () => {
  const counts = noCounts();
  for (let seed = 1; seed <= cases(200); seed++) attackGoals(seed, counts);
  assert.deepEqual(counts.wrong, []);
  assert.isAbove(counts.overlaps, cases(20));
});

test('no cell with a state at the pose of a goal is certified out of its reach', () => {
  const counts = noCounts();
  for (let seed = 1; seed <= cases(200); seed++) attackReach(seed, counts);
  assert.deepEqual(counts.wrong, []);
  assert.isAbove(counts.overlaps, cases(200));
});

test('no cell with a state that the start reaches is behind a wall, full turns of the state included', () => {
  const counts = noCounts();
  for (let seed = 1; seed <= cases(300); seed++) attackBehind(seed, counts);
  assert.deepEqual(counts.wrong, []);
  assert.isAbove(counts.overlaps, cases(500));
});
