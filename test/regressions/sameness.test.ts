import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { trajectoryHash } from '../../src/core/trajectory/trajectoryHash.ts';
import { loadScene } from '../../src/host/node/files.ts';
import { planMotion } from '../../src/tasks/planning/planMotion.ts';
import { planProgram } from '../../src/tasks/programs/planProgram.ts';
import { few } from '../cases.ts';

/**
 * Equal scene, options and seed give equal bytes, on every machine and whatever was planned before. A change that is
 * meant to move motions moves these hashes, too, and says so in its commit; one that is not has broken something.
 */
const files = readdirSync('scenes').filter((file) => file.endsWith('.yaml'));
const isProgram = (file: string) => /^steps:/m.test(readFileSync(`scenes/${file}`, 'utf8'));
/** Planned by `planScene`: see test/core/world. */
const isMoving = (file: string) => /^robots:|\bmotion:/m.test(readFileSync(`scenes/${file}`, 'utf8'));
/** Scenes of several robots, for `coordinate`, have no start and no goal. */
const hasGoal = (file: string) => /^goals?:/m.test(readFileSync(`scenes/${file}`, 'utf8'));
const scenes = files.filter((file) => !isProgram(file) && !isMoving(file) && hasGoal(file));

/** Steps of a program that are planned, so that the test is short. */
const MAX_STEPS = 24;

/** In `npm test` steps with objects, and a tool path. */
const programs = few(files.filter(isProgram), ['pick-and-place.yaml', 'weld-seam.yaml']);

test.each(programs)('the program %s has the same trajectory whenever it is planned', async (file) => {
  const { scene, robot } = await loadScene(`scenes/${file}`);
  const problem = { scene: { ...scene, steps: scene.steps!.slice(0, MAX_STEPS) }, robot };
  const hashes = [1, 2, 1].map((seed) => trajectoryHash(planProgram(problem, { seed }).trajectory!));
  expect(hashes[2]).toBe(hashes[0]);
});

test.each(scenes)('the motions of %s are what they were', async (file) => {
  const problem = await loadScene(`scenes/${file}`);
  const hashes = [1, 2, 3, 1].map((seed) => trajectoryHash(planMotion(problem, { seed }).trajectory!).slice(0, 16));
  expect(hashes[3]).toBe(hashes[0]);
  expect(new Set(hashes).size).toBeGreaterThan(1);
  expect(hashes.slice(0, 3)).toMatchSnapshot();
});
