import { assert, expect, test } from 'vitest';
import { type Certificate, certificateText, readCertificate } from '../../../src/core/certificate/certificate.ts';
import { motionPieces } from '../../../src/core/certificate/motionPieces.ts';
import { stopProblems } from '../../../src/core/certificate/torques/verifyStops.ts';
import { verifyCertificate } from '../../../src/core/certificate/verify.ts';
import { loadScene } from '../../../src/host/node/files.ts';
import { StopLimits } from '../../../src/tasks/forces/stopLimits.ts';
import { stoppingReport } from '../../../src/tasks/forces/stopping.ts';
import { planScene } from '../../../src/tasks/planScene.ts';
import { checkReport } from '../../../src/tasks/reports/checkReport.ts';
import { createSceneRobot } from '../../../src/tasks/sceneRobot.ts';
import { few } from '../../cases.ts';
import { attackStops, expectNoneWrong, stopScene } from './stopAttack.ts';
import { stoppable } from './stopOracle.ts';

/** Quick ones, most of which are proved, so that certificates are changed. */
const SEEDS = [16, 26, 46, 55, 59];

test('no motion is proved that has a longer stop, and no certificate whose stops exceed a limit', () => {
  expectNoneWrong(attackStops, few(SEEDS, [16, 46]));
});

test('a plan is slowed down until its stops keep their limits, and its certificate proves them', async () => {
  const { scene: given, robot } = await loadScene('scenes/table-top.yaml');
  const constraints = [
    { type: 'stopping_time', most: 0.25 },
    { type: 'stopping_distance', most: 0.1 },
  ] as const;
  const scene = { ...given, constraints };
  const model = createSceneRobot({ scene, robot });
  const [free, slow] = [given, scene].map((one) => planScene({ scene: one, robot }).trajectory);
  assert(free && slow);
  expect(stoppingReport(model, given, free)!.time).toBeGreaterThan(0.3);
  const { time, tcp_distance } = stoppingReport(model, given, slow)!;
  expect(time).toBeLessThanOrEqual(0.25);
  expect(time).toBeGreaterThan(0.24);
  expect(tcp_distance).toBeLessThanOrEqual(0.1);
  const [ofFree, ofSlow] = [free, slow].map((one) =>
    checkReport(model, scene, one, { checker: 'growth-distance', place: 'm' }),
  );
  expect(ofFree.report.constraints).toEqual(['stopping_time', 'stopping_distance']);
  expect(ofFree.report.valid).toBe(false);
  expect(ofSlow.report.margins!.stopping_time).toBeCloseTo(0.25 - time, 2);
  const certificate = ofSlow.certify()!;
  const read = readCertificate(certificateText(certificate), 'c.json');
  const problems = (one: Certificate) => verifyCertificate(one, model, scene, slow).problems;
  expect(problems(read)).toEqual([]);
  const { stops: _, ...without } = read;
  expect(problems(without)).toEqual(['it states no stops, which the scene limits']);
  expect(problems({ ...read, stops: read.stops!.slice(0, -1) })[0]).toMatch(/none begins after/);
  expect(verifyCertificate(read, model, given, slow).problems).toEqual([
    'it states stops, which the scene does not limit',
  ]);
});

test('a limit of stops that is no number of at least 0 is refused by both provers, whatever the stops', () => {
  const { robot, motion, link } = stoppable(1, 1.2);
  for (const most of [Number.NaN, -1]) {
    const limits = [
      { type: 'stopping_time', most: 1e3 },
      { type: 'stopping_distance', most },
    ] as const;
    const scene = stopScene(link, false, limits);
    const stops = StopLimits.of(robot, stopScene(link, false, [limits[0]]), () => false)!.certified(motion)!.stops;
    expect(() => stopProblems(stops, robot, scene, motionPieces(motion), { from: 0, to: 1 }, true)).toThrow(
      /stopping_distance/,
    );
    expect(() => StopLimits.of(robot, scene, () => false)).toThrow(/stopping_distance/);
  }
});

test('stops of a certificate that are not lists of two numbers are refused with their places', () => {
  const file = { format: 'elbowroom-certificate/1', trajectory: 'h', duration: 1, pairs: [] };
  const read = (stops: unknown) => readCertificate(JSON.stringify({ ...file, stops }), 'c.json');
  expect(() => read([[[0.1, 1]], []])).toThrow(/stops\[1\]/);
  expect(() => read([[[0.1, null]]])).toThrow(/stops\[0\]/);
  expect(() => read({})).toThrow(/stops: /);
});
