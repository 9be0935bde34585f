import { assert, expect, test } from 'vitest';
import { type Certificate, certificateText, readCertificate } from '../../../src/core/certificate/certificate.ts';
import { motionPieces } from '../../../src/core/certificate/motionPieces.ts';
import { stopProblems } from '../../../src/core/certificate/torques/verifyStops.ts';
import { verifyProgram } from '../../../src/core/certificate/verifyProgram.ts';
import type { Trajectory } from '../../../src/core/trajectory/trajectory.ts';
import { loadScene } from '../../../src/host/node/files.ts';
import { StopLimits } from '../../../src/tasks/forces/stopLimits.ts';
import { planScene } from '../../../src/tasks/planScene.ts';
import { checkReport } from '../../../src/tasks/reports/checkReport.ts';
import { createSceneRobot } from '../../../src/tasks/sceneRobot.ts';
import { few } from '../../cases.ts';
import { attackProgramStops } from './programStopAttack.ts';
import { CASES, expectNoneWrong, stopScene } from './stopAttack.ts';
import { stoppable } from './stopOracle.ts';

const SEEDS = [2, 4, 14];
const SMOOTH_SEEDS = [4, 5];

const LONG = { timeout: 120_000 * (1 + CASES) };

test('no program is proved that has a longer stop, and no certificate of one whose stops exceed a limit', LONG, () => {
  expectNoneWrong((seed) => attackProgramStops(seed), few(SEEDS, [2]));
});

test('nor under limits of jerk', LONG, () => {
  expectNoneWrong((seed) => attackProgramStops(seed, true), few(SMOOTH_SEEDS, [4]));
});

test('a program is planned with stops that keep their limit, and its certificate proves them', async () => {
  const { scene: given, robot } = await loadScene('scenes/pick-and-place.yaml');
  const steps = given.steps!.slice(0, 7); // until the part is lifted
  const scene = { ...given, steps, constraints: [{ type: 'stopping_time', most: 0.25 }] as const };
  const model = createSceneRobot({ scene, robot });
  const [free, slow] = [{ ...scene, constraints: [] }, scene].map((one) => planScene({ scene: one, robot }).trajectory);
  assert(free && slow);
  const options = { checker: 'growth-distance', place: 'm', stopping: true } as const;
  const [ofFree, ofSlow] = [free, slow].map((one) => checkReport(model, scene, one, options));
  expect(ofFree.report.constraints).toEqual(['stopping_time']);
  expect(ofSlow.report.valid).toBe(true);
  expect(ofSlow.report.stopping!.time).toBeGreaterThan(0.24);
  expect(ofSlow.report.margins!.stopping_time).toBeCloseTo(0.25 - ofSlow.report.stopping!.time, 2);
  const text = certificateText(ofSlow.certify()!);
  const read = readCertificate(text, 'c.json');
  const segments = read.segments!;
  const problems = (one: Certificate, where = scene) => verifyProgram(one, model, where, slow).problems;
  expect(problems(read)).toEqual([]);
  expect(problems({ ...read, stops: segments[0].stops! })).toEqual([
    'it states torques or stops outside of its segments',
  ]);
  expect(() => readCertificate(text.replace('"segments":', '"stops":[],"segments":'), 'c.json')).toThrow(/stops/);
  const without = segments.map(({ stops: _, ...one }, k) => (k === 1 ? one : segments[k]));
  expect(problems({ ...read, segments: without })).toEqual(['segments[1]: it states no stops, which the scene limits']);
  // the robot is at rest during the wait, and no stop may pass an event
  const passing = segments.map((one, k) =>
    k === 0
      ? {
          ...one,
          stops: [
            [
              [one.to, 1],
              [one.to + 0.1, 1],
            ],
          ] as const,
        }
      : one,
  );
  expect(problems({ ...read, segments: passing })[0]).toMatch(/^segments\[0\]: stops\[0\]: /);
  // the steps whose accelerations are lower
  const gentle = steps.map((one) => ('acceleration' in one ? { ...one, acceleration: 0.8 } : one));
  const slower = problems(read, { ...scene, steps: gentle });
  expect(slower.length).toBeGreaterThan(1);
  for (const problem of slower) expect(problem).toMatch(/stops\[\d+\]: limits are not proved/);
});

test('stops are not proved if intervals leave a gap, or end where the robot moves; standstills need none', () => {
  const { robot, motion, link } = stoppable(1, 1.2);
  const scene = stopScene(link, false, [{ type: 'stopping_time', most: 100 }]);
  const limits = StopLimits.of(robot, scene, () => false)!;
  const end = motion.points.at(-1)!.time_from_start!;
  const last = motion.points.at(-1)!;
  const waiting = { ...motion, points: [...motion.points, { ...last, time_from_start: end + 1000 }] };
  const at = (...times: readonly number[]) => times.slice(1).map((to, k) => ({ from: times[k], to, scene }) as const);
  const count = (one: Trajectory, intervals = at(0, end)) => limits.check(one, intervals).faults.length;
  expect(count(motion)).toBe(0);
  expect(count(motion, at(-1, end, end + 1))).toBe(0);
  expect(count(motion, at(0, 0.4 * end, end))).toBe(1);
  expect(count(motion, at(0, 0.9 * end))).toBe(1);
  expect(count(motion, [...at(-1, 0), ...at(0.1, end)])).toBe(1);
  expect(count(motion, [])).toBe(1);
  // a wait of 1000 s takes part in no stop, and an event may be in it
  expect(count(waiting, at(0, end + 1000))).toBe(0);
  expect(count(waiting, at(0, end + 500, end + 1000))).toBe(0);
  const short = StopLimits.of(robot, stopScene(link, false, [{ type: 'stopping_time', most: 10 }]), () => false)!;
  const stops = short.certified(waiting)!.stops!;
  const pieces = motionPieces(waiting);
  const verify = (from: number, to: number, claims = stops) =>
    stopProblems(
      claims,
      robot,
      { ...scene, constraints: [{ type: 'stopping_time', most: 10 }] },
      pieces,
      { from, to },
      true,
    );
  expect(verify(0, end + 1000)).toEqual([]);
  expect(verify(0, end + 500)).toEqual([]);
  expect(verify(end + 500, end + 1000, [])).toEqual([]);
  expect(verify(0, 0.5 * end)[0]).toMatch(/stops/);
  expect(verify(0, end + 1000, stops.slice(0, -1))[0]).toMatch(/none begins after/);
});
