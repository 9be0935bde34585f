import { expect, test } from 'vitest';
import type { Configuration } from '../../../src/core/math/configuration.ts';
import { Random } from '../../../src/core/math/random.ts';
import { KnownEdges, LazyPath } from '../../../src/core/planning/lazy/lazyPath.ts';
import { applyShortcuts, pathLength, shortcutPath, thoroughShortcuts } from '../../../src/core/planning/shortcut.ts';
import { DiscWorld, wallWithGap } from './discWorld.ts';

/** Its approximate check tests the two ends only, so that most of its results are wrong. */
class CarelessWorld extends DiscWorld {
  isMotionLikelyValid(qFrom: Configuration, qTo: Configuration): boolean {
    return super.isMotionValid(qFrom, qFrom) && super.isMotionValid(qTo, qTo);
  }
}

const world = new CarelessWorld(wallWithGap.discs);
const start = Float64Array.of(-0.8, -0.5);
const goal = Float64Array.of(0.8, -0.5);

/** A path through the gap, with a random number of random states on either side of the wall. */
function randomPath(random: Random): Configuration[] {
  const states = (from: number, to: number) =>
    Array.from({ length: random.below(6) }, () => Float64Array.of(random.between(from, to), random.between(-1, 1)));
  const gap = [Float64Array.of(-0.1, 0.7), Float64Array.of(0.1, 0.7)];
  return [start, ...states(-1, -0.1), ...gap, ...states(0.1, 1), goal];
}

const invalidEdges = (path: readonly Configuration[]) =>
  path.slice(1).filter((q, i) => !wallWithGap.isMotionValid(path[i], q)).length;

test('whatever the approximate check misses, all edges of a shortcut path are valid, and it is never longer', () => {
  const faults: string[] = [];
  let shorter = 0;
  for (let seed = 1; seed <= 300; seed++) {
    const random = new Random(seed);
    const path = randomPath(random);
    const found = shortcutPath(path, world, world, random, { ...thoroughShortcuts, attempts: 60 });
    if (invalidEdges(found) > 0) faults.push(`seed ${seed}: invalid edge`);
    if (pathLength(found, world) > pathLength(path, world) + 1e-12) faults.push(`seed ${seed}: longer`);
    if (found[0] !== start || found[found.length - 1] !== goal) faults.push(`seed ${seed}: other ends`);
    if (pathLength(found, world) < 0.9 * pathLength(path, world)) shorter++;
  }
  expect(faults).toEqual([]);
  expect(shorter).toBeGreaterThan(80);
});

test('of a path that is not certified, the edge that is reported is not valid, and a certified path has no such edge', () => {
  const faults: string[] = [];
  const verdicts = { certified: 0, invalid: 0, discarded: 0 };
  let undone = 0;
  for (let seed = 1; seed <= 300; seed++) {
    const random = new Random(seed);
    const given = randomPath(random);
    if (seed % 2 === 0)
      given.splice(1 + random.below(given.length - 1), 0, Float64Array.of(0.8, random.between(-1, 1)));
    const path = new LazyPath(given, world, world, false);
    if (seed % 3 > 0) path.removeStates();
    applyShortcuts(path, world, random, { ...thoroughShortcuts, attempts: 20 });
    const verdict = path.certify();
    verdicts[verdict]++;
    undone += path.undone;
    const { invalid } = path;
    if (verdict === 'certified' && invalidEdges(path.states) > 0) faults.push(`seed ${seed}: invalid edge`);
    if (verdict === 'invalid' && wallWithGap.isMotionValid(given[invalid], given[invalid + 1]))
      faults.push(`seed ${seed}: edge ${invalid} is valid`);
  }
  expect(faults).toEqual([]);
  expect(Math.min(verdicts.certified, verdicts.invalid, undone)).toBeGreaterThan(30);
});

test('if an interrupt ends all checks, the given path is left', () => {
  const given = randomPath(new Random(7));
  const interrupted = new CarelessWorld(wallWithGap.discs);
  interrupted.isMotionValid = () => false;
  interrupted.isMotionLikelyValid = () => true;
  expect(shortcutPath(given, interrupted, interrupted, new Random(1), thoroughShortcuts)).toEqual(given);
});

test('edges between the same states are checked once, in whatever paths they are', () => {
  let checks = 0;
  class CountingWorld extends CarelessWorld {
    override isMotionLikelyValid(qFrom: Configuration, qTo: Configuration): boolean {
      checks++;
      return super.isMotionLikelyValid(qFrom, qTo);
    }
    override isMotionValid(qFrom: Configuration, qTo: Configuration): boolean {
      checks++;
      return super.isMotionValid(qFrom, qTo);
    }
  }
  const counting = new CountingWorld(wallWithGap.discs);
  const faults: string[] = [];
  const verdicts = { certified: 0, invalid: 0, discarded: 0 };
  for (let seed = 1; seed <= 30; seed++) {
    const given = randomPath(new Random(seed));
    if (seed % 2 === 0) given.splice(2, 0, Float64Array.of(0.8, 0.5));
    const known = new KnownEdges();
    const [first, second] = [0, 1].map(() => new LazyPath(given, counting, counting, false, known));
    first.removeStates();
    const verdict = first.certify();
    verdicts[verdict]++;
    const before = checks;
    second.removeStates();
    if (second.certify() !== verdict || second.invalid !== first.invalid) faults.push(`seed ${seed}: other verdict`);
    if (second.states.some((q, i) => q !== first.states[i])) faults.push(`seed ${seed}: other states`);
    const refuted = first.undone + Number(verdict === 'invalid'); // these edges are proved again
    if (checks - before > refuted) faults.push(`seed ${seed}: ${checks - before} checks`);
  }
  expect(faults).toEqual([]);
  expect(verdicts.certified).toBeGreaterThan(5);
  expect(verdicts.invalid).toBeGreaterThan(5);
});
