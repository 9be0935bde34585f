import { expect, test } from 'vitest';
import { type Certificate, certificateText, readCertificate } from '../../../src/core/certificate/certificate.ts';
import { verifyCertificate } from '../../../src/core/certificate/verify.ts';
import type { Scene } from '../../../src/core/scene/scene.ts';
import type { TrajectoryPoint } from '../../../src/core/trajectory/trajectory.ts';
import { checkReport } from '../../../src/tasks/reports/checkReport.ts';
import { cases } from '../../cases.ts';
import { at, joint, link, motionOf, robotOf } from '../../core/certificate/worlds.ts';
import { attackMovingStops } from './movingStopAttack.ts';

/** STOP_CASES=300 STOP_SEED=1000 runs more. */
const CASES = Number(process.env.STOP_CASES ?? cases(16));
const SEED = Number(process.env.STOP_SEED ?? 1);
/** Seconds for one attack at most. */
const TIME = 60;

const CHECK = { checker: 'growth-distance', place: 'm' } as const;

for (const isSmooth of [false, true])
  test(
    `no stop is proved or verified that touches a moving ball, limits of jerk ${isSmooth}`,
    () => {
      const seeds = Array.from({ length: isSmooth ? CASES / 2 : CASES }, (_, i) => SEED + i);
      const all = seeds.map((seed) => attackMovingStops(seed, isSmooth)).filter((one) => one !== undefined);
      const count = (holds: (one: (typeof all)[number]) => boolean) => all.filter(holds).length;
      const sum = (key: 'changes' | 'falsified') => all.reduce((total, one) => total + one[key], 0);
      if (CASES > 20)
        console.log({
          motions: all.length,
          proved: count(({ isProved }) => isProved),
          hit: count(({ isHit }) => isHit),
          provedAlthoughHit: count(({ isHit, isProved }) => isHit && isProved),
          free: count(({ isFree }) => isFree),
          notProved: count(({ isFree, isProved }) => isFree && !isProved),
          changes: sum('changes'),
          falsified: sum('falsified'),
        });
      expect(all.flatMap(({ wrong }) => wrong)).toEqual([]);
      expect(all.filter(({ isProved, isVerified }) => isProved !== isVerified)).toEqual([]);
      expect(all.filter(({ isFree, isProved }) => isFree && !isProved)).toEqual([]);
      expect(sum('falsified')).toBeGreaterThan(all.length);
    },
    1000 * TIME * CASES,
  );

/** A carriage that moves along x from 0 to 1 m in 2 s, and a ball 3 cm behind it. */
function followedCarriage(most: number) {
  const robot = robotOf(
    [link('rail'), link('carriage', [{ type: 'sphere', radius: 0.1 }])],
    [joint('prismatic', ['rail', 'carriage'], [1, 0, 0], { velocity: 2, acceleration: 2, lower: -2, upper: 2 })],
  );
  const motion = motionOf(robot, [
    { time_from_start: 0, positions: [0], velocities: [0] },
    { time_from_start: 2, positions: [1], velocities: [0] },
  ]);
  const times = Array.from({ length: 21 }, (_, i) => i / 10);
  const behind = (t: number) => at(0.75 * t * t - 0.25 * t ** 3 - 0.23, 0, 0); // 3 cm of air
  const follower = {
    name: 'follower',
    pose: behind(0),
    parts: [{ shape: { type: 'sphere', radius: 0.1 } }],
    motion: { times, poses: times.map(behind) },
  };
  const constraints = [{ type: 'stopping_time', most }] as const;
  const scene = {
    ...{ robot: {}, obstacles: [follower], attached: [], allow: [], padding: 0, constraints },
    tcp: { link: 'carriage', pose: at(0, 0, 0) },
  } as unknown as Scene;
  return { robot, motion, scene };
}

test('a carriage that is followed has no stop that takes as long as alone', () => {
  const { robot, motion, scene } = followedCarriage(0.4);
  const reportOf = (one: Scene) => checkReport(robot, one, motion, { ...CHECK, stopping: true }).report;
  const alone = reportOf({ ...scene, obstacles: [] });
  expect(alone.stopping!.time).toBeLessThan(0.4);
  expect(alone.valid).toBe(true);
  const followed = reportOf(scene);
  expect(followed.valid).toBe(false);
  expect(followed.constraints).toEqual(['stopping_time']);
  const { scene: patient } = followedCarriage(2);
  const { report, certify } = checkReport(robot, patient, motion, { ...CHECK, stopping: true });
  expect(report.valid).toBe(true);
  // It must first be slow: v²/2a <= 3 cm, so v <= 0.346 m/s, from 0.27 s until 1.73 s; then 0.17 s.
  expect(report.stopping!.time).toBeGreaterThan(1.55);
  expect(report.stopping!.time).toBeLessThan(1.9); // later beginnings are tried in steps of up to a quarter of the wait
  const read = readCertificate(certificateText(certify()!), 'c.json');
  const problems = (one: Certificate, own = patient) => verifyCertificate(one, robot, own, motion).problems;
  expect(problems(read)).toEqual([]);
  const { stop_pairs: planes, ...without } = read;
  expect(problems(without)[0]).toMatch(/stops\[0\]: follower \(part 0\) and carriage \(part 0\): the pair is missing/);
  expect(problems({ ...read, stop_pairs: planes!.slice(1) })[0]).toMatch(/^stop_pairs: \d+ lists for \d+ stops/);
  expect(problems({ ...read, stop_pairs: [...planes!, planes![0]] })[0]).toMatch(/^stop_pairs: \d+ lists/);
  const empty = { ...patient, obstacles: [] };
  const ofAlone = checkReport(robot, empty, motion, CHECK).certify()!;
  expect(problems(ofAlone, empty)).toEqual([]);
  expect(problems({ ...ofAlone, stop_pairs: ofAlone.stops!.map(() => planes![0]) }, empty)[0]).toMatch(/nothing moves/);
});

test('planes of stops that are no lists of pairs are refused with their places', () => {
  const file = { format: 'elbowroom-certificate/1', trajectory: 'h', duration: 1, pairs: [], stops: [] };
  const read = (planes: unknown, more = {}) =>
    readCertificate(JSON.stringify({ ...file, stop_pairs: planes, ...more }), 'c.json');
  expect(() => read({})).toThrow(/stop_pairs: /);
  expect(() => read([[], 1])).toThrow(/stop_pairs\[1\]: /);
  expect(() => read([[{ a: 'l', b: 'o', partA: 0, partB: 0, spans: [[0, 1]] }]])).toThrow(
    /stop_pairs\[0\]\[0\].spans\[0\]/,
  );
  expect(() => read([], { segments: [], pairs: undefined, stops: undefined })).toThrow(/stop_pairs: .*segments/);
});

test.each([0, 1e3, 1e6, 1e9, 1e14])('no stop is proved from a time of %d s whose rounding hides what follows', (t0) => {
  const { robot, motion, scene } = followedCarriage(1.2);
  const later = (points: readonly TrajectoryPoint[]) =>
    points.map((point) => ({ ...point, time_from_start: point.time_from_start! + t0 }));
  const [{ motion: follower }] = scene.obstacles;
  const times = follower!.times.map((time) => time + t0);
  const shifted = { ...scene, obstacles: [{ ...scene.obstacles[0], motion: { ...follower!, times } }] } as Scene;
  const { report } = checkReport(robot, shifted, { ...motion, points: later(motion.points) }, CHECK);
  expect(report.valid, 'the worst stop takes 1.6 s').toBe(false);
});

test('an obstacle with a motion that does not move needs no planes', () => {
  const { robot, motion, scene } = followedCarriage(2);
  const [follower] = scene.obstacles;
  const still = { times: [0, 2], poses: [at(-0.35, 0, 0), at(-0.35, 0, 0)] };
  const standing = { ...scene, obstacles: [{ ...follower, motion: still }] } as Scene;
  const { report, certify } = checkReport(robot, standing, motion, CHECK);
  expect(report.valid).toBe(true);
  const certificate = certify()!;
  expect(certificate).not.toHaveProperty('stop_pairs');
  expect(verifyCertificate(certificate, robot, standing, motion).problems).toEqual([]);
});
