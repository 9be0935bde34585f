import { describe, expect, test } from 'vitest';
import { verifyCertificate } from '../../../src/core/certificate/verify.ts';
import { CollisionModel } from '../../../src/core/collision/model/collisionModel.ts';
import { StraightMotion } from '../../../src/core/collision/motions/motion.ts';
import { MotionProver } from '../../../src/core/collision/motions/motionProver.ts';
import { proveUnlessInterrupted } from '../../../src/core/collision/proofs/proverPool.ts';
import { CollisionManager } from '../../../src/core/collision/states/collisionManager.ts';
import { never, PacedInterrupt, unlessInterrupted } from '../../../src/core/math/interrupt.ts';
import { lazyPrm } from '../../../src/core/planning/lazyPrm.ts';
import type { RoadmapData } from '../../../src/core/planning/planner.ts';
import type { PoseGoal, Scene } from '../../../src/core/scene/scene.ts';
import { loadScene } from '../../../src/host/node/files.ts';
import { certifyTrajectory } from '../../../src/tasks/checking/certifyTrajectory.ts';
import { createTrajectoryChecker } from '../../../src/tasks/checking/checkTrajectory.ts';
import { describeFaults } from '../../../src/tasks/checking/describeFaults.ts';
import { explainFailure } from '../../../src/tasks/planning/explanation/explainFailure.ts';
import { nearestValidState } from '../../../src/tasks/planning/nearestFree.ts';
import { optimizeMotion } from '../../../src/tasks/planning/optimizeMotion.ts';
import { type PlanOptions, planMotion } from '../../../src/tasks/planning/planMotion.ts';
import { resolveStartAndGoals } from '../../../src/tasks/planning/startAndGoals.ts';
import { TimeLimit } from '../../../src/tasks/planning/stopwatch.ts';
import { createSceneRobot } from '../../../src/tasks/sceneRobot.ts';
import { cases, few } from '../../cases.ts';
import { at, joint, link, robotOf } from '../../core/certificate/worlds.ts';
import { sceneOf } from '../../helpers/robots.ts';

/** A clock that advances by one millisecond whenever it is read, so that every reading is an instant to stop at. */
function tickingClock() {
  let ticks = 0;
  return { clock: () => ticks++, ticks: () => ticks };
}

/** An interrupt that is raised from its n-th call on. */
function raisedAfter(calls: number) {
  let count = 0;
  return () => ++count > calls;
}

const loaded = await loadScene('scenes/table-top.yaml');
const robot = createSceneRobot(loaded);
const problem = { ...loaded, model: robot };
const model = new CollisionModel(robot, loaded.scene);

/** A chain of boxes in a row, with slides across it: so many pairs that one proof takes many slices. */
function longChain(count: number) {
  const links = Array.from({ length: count + 1 }, (_, i) =>
    link(`l${i}`, [{ type: 'box', size: [0.02, 0.02, 0.02] }, at(0.05, 0, 0)]),
  );
  const joints = Array.from({ length: count }, (_, i) =>
    joint('revolute', [`l${i}`, `l${i + 1}`], [0, 0, 1], { origin: at(0.1, 0, 0), lower: -1, upper: 1, velocity: 1 }),
  );
  return robotOf(links, joints);
}

describe('the time limit of a plan', () => {
  const settings: Partial<PlanOptions>[] = [
    {},
    { edges: 'sampled' },
    { planner: 'rrt-star', iterations: 60 },
    { planner: 'bit-star', iterations: 60 },
    { planner: 'prm', timing: false },
    { planner: 'lazy-prm', corners: 'stop' },
    { certificate: true },
  ];
  test.each(settings)('%j: whenever it ends the plan, the result is proved or absent, and marked', (options) => {
    const whole = tickingClock();
    const best = planMotion(problem, options, whole);
    expect(best.status).toBe('solved');
    expect(best.cutShort).toBe(false);
    const without = planMotion(problem, options);
    expect(without.trajectory).toEqual(best.trajectory);

    const check = createTrajectoryChecker(robot, new CollisionManager(model));
    const seen = new Set<string>();
    const stride = Math.max(1, Math.floor(whole.ticks() / cases(60)));
    const enough = 40 * whole.ticks(); // no improvement ends for the sake of the proof
    for (let limit = 1; limit <= enough; limit = limit <= whole.ticks() ? limit + stride : limit + enough / 4) {
      const { clock, ticks } = tickingClock();
      const answer = planMotion(problem, { ...options, timeLimit: limit / 1000 }, { clock });
      const { status, cutShort, trajectory, certificate } = answer;
      seen.add(`${status} ${cutShort}`);
      expect(ticks() - limit, `limit ${limit}`).toBeLessThan(300); // readings while everything ends
      if (status !== 'solved') {
        expect({ status, cutShort, trajectory, certificate }, `limit ${limit}`).toMatchObject({
          status: expect.stringMatching(/^(no-path|unresolved)$/),
          cutShort: true,
        });
        expect(trajectory ?? certificate).toBeUndefined();
        expect(answer.reason).toMatch(/within|the time limit of/);
        continue;
      }
      expect(trajectory!.cutShort ?? false).toBe(cutShort);
      if (!cutShort) expect(trajectory).toEqual(best.trajectory);
      expect(check(trajectory!).valid, `limit ${limit}`).toBe(true);
      if (certificate) expect(verifyCertificate(certificate, robot, loaded.scene, trajectory!).problems).toEqual([]);
      expect(answer.isCertificateCut).toBe(options.certificate === true && certificate === undefined);
    }
    expect(seen).toContain('solved false');
    expect(seen).toContain('no-path true');
    expect([...seen].some((one) => one === 'solved true' || one === 'unresolved true')).toBe(true);
  });

  test('an anytime planner that uses all of its time still has time for the proof', () => {
    const { clock } = tickingClock();
    const options = { planner: 'rrt-star', iterations: 1_000_000, timeLimit: 5, edges: 'sampled' } as const;
    const { status, cutShort, stats } = planMotion(problem, options, { clock });
    expect({ status, cutShort }).toEqual({ status: 'solved', cutShort: true });
    expect(stats.iterations).toBeGreaterThan(500);
  });

  test('the reserve begins with the first path, and is at most half of the limit', () => {
    let now = 0;
    const limit = new TimeLimit(() => now, 1);
    now = 900;
    expect(limit.isImprovementOver()).toBe(false);
    now = 20;
    limit.keepReserve();
    now = 799;
    expect(limit.isImprovementOver()).toBe(false);
    now = 801;
    expect([limit.isImprovementOver(), limit.isOver()]).toEqual([true, false]);
    limit.startSearch();
    now = 980;
    expect(limit.isImprovementOver()).toBe(false);
    limit.keepReserve();
    now = 499;
    expect(limit.isImprovementOver()).toBe(false);
    now = 501;
    expect(limit.isImprovementOver()).toBe(true);
    expect(new TimeLimit(undefined, 0).isOver()).toBe(false);
  });
});

test('an interrupted proof has no verdict, and one that is not interrupted has that of the whole proof', () => {
  const chain = longChain(200);
  const post = { name: 'post', parts: [{ shape: { type: 'sphere', radius: 0.2 } }], pose: at(3, 1.4, 0) } as const;
  const manager = new CollisionManager(new CollisionModel(chain, sceneOf([post])));
  const motion = new StraightMotion(chain.dof);
  motion.qFrom = new Float64Array(chain.dof);
  motion.qTo = Float64Array.from({ length: chain.dof }, (_, i) => 0.02 * Math.sin(i));
  const expected = new MotionProver(manager.posed).prove(motion);
  expect(expected).toBe('certified');
  let interrupted = 0;
  for (let calls = 0; ; calls++) {
    const verdict = proveUnlessInterrupted(new MotionProver(manager.posed), motion, raisedAfter(calls));
    if (verdict !== undefined) {
      expect(verdict).toBe(expected);
      break;
    }
    interrupted++;
  }
  expect(interrupted).toBeGreaterThan(1);
});

test('an interrupted check is not valid, and reports that the time limit ended it', () => {
  const { trajectory } = planMotion(problem);
  const check = createTrajectoryChecker(robot, new CollisionManager(model), raisedAfter(2));
  const result = check(trajectory!);
  expect(result).toMatchObject({ valid: false, faults: [] });
  expect(result.interrupted!.time).toBeGreaterThan(0);
  expect(describeFaults(result)).toEqual([expect.stringMatching(/^the time limit ended the proof at [\d.]+ s$/)]);
});

test('an interrupted certificate is no certificate, and an interrupted verification proves nothing', () => {
  const { trajectory, certificate } = planMotion(problem, { certificate: true });
  const { posed } = new CollisionManager(model);
  let interrupted = 0;
  for (let calls = 0; calls < 500; calls++) {
    const found = certifyTrajectory(posed, trajectory!, undefined, raisedAfter(calls));
    if (found !== undefined) {
      expect(found).toEqual(certificate);
      break;
    }
    interrupted++;
  }
  expect(interrupted).toBeGreaterThan(certificate!.pairs.length);
  const { proved, problems } = verifyCertificate(certificate!, robot, loaded.scene, trajectory!, raisedAfter(3));
  expect({ proved, problems }).toEqual({ proved: false, problems: ['the time limit ended the verification'] });
});

describe('optimization', () => {
  test('whenever it is interrupted, the result is the input or a proved faster motion, and marked', () => {
    const stopping = planMotion(problem, { corners: 'stop' }).trajectory!;
    const manager = new CollisionManager(model);
    const check = createTrajectoryChecker(robot, manager);
    const seen = new Set<string>();
    for (const calls of few([0, 1, 5, 50, 450, 900, 1500, 3000, 6000, 12_000, 1e9], [0, 50, 900, 3000, 1e9])) {
      const result = optimizeMotion(stopping, robot, manager, { steps: 6, interrupt: raisedAfter(calls) });
      seen.add(`${result.status} ${result.cutShort}`);
      expect(check(result.trajectory).valid).toBe(true);
      if (result.status === 'kept') expect(result.trajectory).toBe(stopping);
      if (result.status === 'kept') expect(result.reason).toBe('the time limit ended the optimization');
    }
    expect(seen).toContain('kept true');
    expect(seen).toContain('improved false');
  });

  test('a program that does not fit into memory is not set up: the motion is kept', () => {
    const chain = longChain(300);
    const manager = new CollisionManager(new CollisionModel(chain, sceneOf([])));
    const points = [0, 0.001, 0].map((q, i) => ({
      time_from_start: i,
      positions: Array.from(chain.variables, () => q),
      velocities: Array.from(chain.variables, () => 0),
    }));
    const motion = { jointNames: chain.variables.map(({ name }) => name), points };
    const { status, reason } = optimizeMotion(motion, chain, manager);
    expect({ status, reason }).toEqual({
      status: 'kept',
      reason: 'a program of 300 joints and 28 pieces is too large',
    });
  });
});

describe('start and goal', () => {
  test('a goal pose whose solutions are not found in time is neither reachable nor unreachable', () => {
    const pose: PoseGoal = {
      link: 'tool0',
      xyz: [0.4, 0.3, 0.2],
      quat_wxyz: [0, 1, 0, 0],
      tolerance: { position: 1e-3, angle: 1e-2 },
    };
    const scene: Scene = { ...loaded.scene, goals: [{ kind: 'pose', pose }] };
    const manager = new CollisionManager(model);
    expect(resolveStartAndGoals(robot, scene, manager, raisedAfter(0))).toBeUndefined();
    const answer = planMotion({ ...problem, scene }, { timeLimit: 0.001 }, tickingClock());
    expect(answer).toMatchObject({ status: 'no-path', cutShort: true });
  });

  test('the diagnosis of a colliding start keeps the limit and names a pair', () => {
    const chain = longChain(40);
    const manager = new CollisionManager(new CollisionModel(chain, sceneOf([])));
    const start = Float64Array.from({ length: 40 }, () => 0.9);
    expect(nearestValidState(chain, manager, start, undefined, raisedAfter(0))).toBeUndefined();
    const scene = { ...loaded.scene, obstacles: [], attached: [], allow: [] };
    const joints = Array.from(start);
    const given = { ...scene, start: joints, goals: [{ kind: 'joints', joints }] } as unknown as typeof scene;
    const full = resolveStartAndGoals(chain, given, manager);
    const ends = resolveStartAndGoals(chain, given, manager, raisedAfter(0));
    if (ends === undefined || !('status' in ends) || !('status' in full)) throw new Error('the start is valid');
    expect(ends.status).toBe('start-in-collision');
    expect(full.details[0].contacts!.length).toBeGreaterThan(1);
    expect(ends.details[0].contacts).toHaveLength(1);
  });
});

test('a roadmap does not store what was not checked for lack of time as invalid', () => {
  const open = (isInterrupted: boolean) => ({
    isInterrupted,
    isStateValid: () => !isInterrupted,
    isMotionValid: () => !isInterrupted,
  });
  const space = {
    dof: 1,
    lower: Float64Array.of(0),
    upper: Float64Array.of(1),
    sample: (out: Float64Array) => out.fill(0.5),
    distance: (a: Float64Array, b: Float64Array) => Math.abs(a[0] - b[0]),
    interpolate: (out: Float64Array, a: Float64Array, b: Float64Array, t: number) => out.fill(a[0] + t * (b[0] - a[0])),
  };
  const roadmap: RoadmapData = { dof: 1, points: [[0], [1]], free: [], unchecked: [[0, 1]] };
  const ends = { start: Float64Array.of(0), goals: [Float64Array.of(1)] };
  const values = Object.fromEntries(Object.entries(lazyPrm.options).map(([key, { value }]) => [key, value]));
  const planWith = (motions: ReturnType<typeof open>) => {
    const budget = { isSpent: raisedAfter(1) };
    return lazyPrm.plan({ space, motions, roadmap, ...ends }, values, undefined as never, budget);
  };
  expect(planWith(open(false)).status).toBe('solved');
  const interrupted = planWith(open(true));
  expect(interrupted.status).toBe('budget-spent');
  expect(interrupted.roadmap).toEqual(roadmap);
});

test('an explanation ends each of its searches at the time limit', async () => {
  const cage = await loadScene('scenes/cage.yaml');
  const options = { iterations: 300 };
  const answer = planMotion(cage, options);
  expect(answer.status).toBe('no-path');
  const { clock } = tickingClock();
  const { search, without } = explainFailure(cage, answer, { ...options, timeLimit: 0.05 }, { clock });
  expect(search).toMatchObject({ cut_short: true });
  expect(search!.looked_at).toBeLessThan(explainFailure(cage, answer, options).search!.looked_at);
  expect(without.every(({ status }) => status !== 'solved')).toBe(true);
});

test('interrupts are called once per period of work, and a computation ends at a check', () => {
  let calls = 0;
  const pace = new PacedInterrupt(() => ++calls === 2, 10);
  expect([4, 4, 4, 4, 4, 4, 4].map((work) => pace.before(work))).toEqual([
    false,
    false,
    false,
    false,
    false,
    true,
    true,
  ]);
  expect(calls).toBe(2);
  expect(pace.isRaised).toBe(true);
  let steps = 0;
  const work = (check: () => void): never => {
    for (;;) {
      check();
      steps++;
    }
  };
  expect(unlessInterrupted(raisedAfter(2), work)).toBeUndefined();
  expect(steps).toBe(1);
  expect(unlessInterrupted(never, () => 7)).toBe(7);
  expect(() =>
    unlessInterrupted(never, () => {
      throw new Error('other');
    }),
  ).toThrow('other');
});
