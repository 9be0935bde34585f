import { build } from 'esbuild';
import { describe, expect, test } from 'vitest';
import { trajectoryHash } from '../../src/core/trajectory/trajectoryHash.ts';
import { PlanThreads } from '../../src/host/node/planThreads.ts';
import { type PlanMotionResult, planDefaults, planMotion } from '../../src/tasks/planning/planMotion.ts';
import { isLong } from '../cases.ts';
import { manyPlans } from '../helpers/manyPlans.ts';
import { hasBrowser, launchBrowser } from '../viewer/browser.ts';

/**
 * Two hundred plans are what they were: here, on other threads and in a browser. The file beside this one holds their
 * hashes; a change that is meant to move motions moves it too (`npx vitest run test/regressions -u`), and says so in
 * its commit.
 */
const { problems, plans } = await manyPlans();
const stored = './manyPlans.txt';
/** Milliseconds; they take a tenth of it on a quiet machine. */
const timeout = 120_000;

/** Of all plans, once they have been made on threads. */
let lines: string[] = [];

const lineOf = (i: number, hash: string) => `${plans[i].name} ${hash}\n`;
const hashOf = ({ status, trajectory }: Pick<PlanMotionResult, 'status' | 'trajectory'>) =>
  trajectory ? trajectoryHash(trajectory).slice(0, 16) : status;

test('on two threads, in whatever order they come', { timeout }, async () => {
  const threads = await PlanThreads.start(problems, 2);
  try {
    const answers = plans.map(({ problem, options }) =>
      threads.plan(problems[problem], { ...planDefaults, timeLimit: 600, ...options }),
    );
    lines = (await Promise.all(answers)).map((answer, i) => lineOf(i, hashOf(answer)));
    expect(lines.length).toBeGreaterThanOrEqual(200);
    expect(lines.filter((line) => !line.includes('no-path')).length).toBeGreaterThan(150);
    await expect(lines.join('')).toMatchFileSnapshot(stored);
  } finally {
    await threads.end();
  }
});

/** Every tenth, or third, for the tests' own thread runs what has been made ready for tests, which takes longer. */
test('on this thread, one after the other', { timeout }, () => {
  for (let i = 0; i < plans.length; i += isLong ? 3 : 10) {
    const { problem, options } = plans[i];
    expect(lineOf(i, hashOf(planMotion(problems[problem], options)))).toBe(lines[i]);
  }
});

describe.runIf(isLong && hasBrowser)('in Chromium', () => {
  test('from the library as it is, bundled', { timeout }, async () => {
    const bundle = {
      bundle: true,
      write: false,
      format: 'iife',
      globalName: 'elbowroom',
      platform: 'browser',
    } as const;
    const { outputFiles } = await build({ ...bundle, entryPoints: ['src/index.ts'], logLevel: 'error' });
    const some = plans.map((plan, i) => ({ ...plan, i }));
    const browser = await launchBrowser();
    try {
      const page = await browser.newPage();
      await page.addScriptTag({ content: outputFiles[0].text });
      const hashes = await page.evaluate(
        ({ problems, plans }) => {
          const { planMotion, trajectoryHash } = (globalThis as unknown as { elbowroom: Library }).elbowroom;
          return plans.map(({ problem, options }) => {
            const { status, trajectory } = planMotion(problems[problem], options);
            return trajectory ? trajectoryHash(trajectory).slice(0, 16) : status;
          });
        },
        { problems, plans: some },
      );
      expect(hashes.map((hash, k) => lineOf(some[k].i, hash))).toEqual(some.map(({ i }) => lines[i]));
    } finally {
      await browser.close();
    }
  });
});

type Library = { readonly planMotion: typeof planMotion; readonly trajectoryHash: typeof trajectoryHash };
