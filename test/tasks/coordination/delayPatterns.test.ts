import { expect, test } from 'vitest';
import { Random } from '../../../src/core/math/random.ts';
import { cases } from '../../cases.ts';
import { lateMeeting, latePatterns, lateRun } from './delayPatterns.ts';

/** Seeds of meetings in which one robot waits for the other. */
const SEEDS = [8, 19, 38, 51];

test('one or both robots that are late by at most the tolerance do not collide, and collide if they are later', () => {
  let [near, hits] = [0, 0];
  for (const seed of SEEDS) {
    const random = new Random(seed);
    const meeting = lateMeeting(random);
    expect(meeting, `seed ${seed}`).toBeDefined();
    for (let k = 0; k < cases(24); k++) {
      const kind = latePatterns[k % latePatterns.length];
      const distance = lateRun(meeting!, random, kind);
      expect(distance, `seed ${seed}, run ${k}, ${kind} late`).toBeGreaterThanOrEqual(0);
      if (distance < 0.02) near++;
      if (lateRun(meeting!, random, kind, 0.3) < -0.001) hits++;
    }
  }
  expect(near).toBeGreaterThan(0);
  expect(hits).toBeGreaterThan(0);
});
