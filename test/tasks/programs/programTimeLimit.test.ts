import { expect, test } from 'vitest';
import { verifyProgram } from '../../../src/core/certificate/verifyProgram.ts';
import { configurationOf } from '../../../src/core/scene/configurationOf.ts';
import type { Step, StepRules } from '../../../src/core/scene/program.ts';
import type { Goal } from '../../../src/core/scene/scene.ts';
import { loadScene } from '../../../src/host/node/files.ts';
import { certifyProgram } from '../../../src/tasks/programs/certifyProgram.ts';
import { checkProgram } from '../../../src/tasks/programs/checks/checkProgram.ts';
import { planProgram } from '../../../src/tasks/programs/planProgram.ts';
import { createSceneRobot } from '../../../src/tasks/sceneRobot.ts';
import { cases } from '../../cases.ts';
import { scratchFolder } from '../../host/node/scratch.ts';

const { put } = scratchFolder();

/** A clock that advances by one millisecond whenever it is read, so that every reading is an instant to stop at. */
function tickingClock() {
  let ticks = 0;
  return { clock: () => ticks++, ticks: () => ticks };
}

/** An interrupt that is raised from its n-th call on. */
function raisedAfter(calls: number) {
  let count = 0;
  return { interrupt: () => ++count > calls, calls: () => count };
}

const loaded = await loadScene('scenes/table-top.yaml');
const robot = createSceneRobot(loaded);
const rules: StepRules = {
  speed: 1,
  acceleration: 1,
  tcpSpeed: 0.5,
  blend: 0,
  tolerance: { position: 1e-3, angle: 0.01 },
  constraints: [],
};
const up = { kind: 'by', by: [0, 0, 0.05], quat_wxyz: [1, 0, 0, 0], frame: 'world' } as const;
const home: Goal = { kind: 'joints', joints: Array.from(configurationOf(robot, loaded.scene.start!, 'start')) };
const steps: readonly Step[] = [
  { kind: 'line', index: 0, name: 'lift', ...rules, targets: [up] },
  { kind: 'move', index: 1, ...rules, goals: loaded.scene.goals },
  { kind: 'set', index: 2, values: { gripper: 1 } },
  { kind: 'line', index: 3, ...rules, targets: [up] },
  { kind: 'wait', index: 4, duration: 0.25 },
  { kind: 'move', index: 5, ...rules, goals: [home] },
];
const scene = { ...loaded.scene, steps };
const problem = { ...loaded, scene, model: robot };
const checker = 'growth-distance';

const LIMITS = cases(24);

test('whenever the time limit ends the plan of a program, the result is proved or names the step, and is marked', () => {
  const whole = tickingClock();
  const best = planProgram(problem, { certificate: true, timeLimit: 1e6 }, whole);
  expect({ status: best.status, cutShort: best.cutShort }).toEqual({ status: 'solved', cutShort: false });
  expect(planProgram(problem, { certificate: true }).trajectory).toEqual(best.trajectory);

  const seen = new Set<string>();
  const failedSteps = new Set<number>();
  const total = whole.ticks();
  const limits = Array.from({ length: LIMITS }, (_, i) => Math.ceil(((i + 1) * total) / LIMITS));
  for (const limit of [1, ...limits, 30 * total]) {
    const { clock, ticks } = tickingClock();
    const answer = planProgram(problem, { certificate: true, timeLimit: limit / 1000 }, { clock });
    const { status, cutShort, trajectory, certificate, isCertificateCut, stats } = answer;
    seen.add(`${status} ${cutShort}`);
    expect(ticks() - limit, `limit ${limit}`).toBeLessThan(600); // readings while everything ends
    if (status !== 'solved') {
      expect({ status, cutShort }, `limit ${limit}`).toEqual({ status: 'step-failed', cutShort: true });
      expect(trajectory ?? certificate).toBeUndefined();
      const { failed_step } = stats;
      failedSteps.add(failed_step!);
      expect(answer.reason).toMatch(new RegExp(`^step ${failed_step} .*time limit of ${limit / 1000} s; increase`));
      continue;
    }
    expect(trajectory!.cutShort ?? false).toBe(cutShort);
    expect(checkProgram(robot, scene, trajectory!, { checker }).valid, `limit ${limit}`).toBe(true);
    expect(isCertificateCut).toBe(certificate === undefined);
    if (certificate) expect(verifyProgram(certificate, robot, scene, trajectory!).problems).toEqual([]);
    if (!cutShort) expect(trajectory).toEqual(best.trajectory);
  }
  expect(seen).toContain('solved false');
  expect(seen).toContain('step-failed true');
  expect(failedSteps.size).toBeGreaterThan(1);
});

test('an interrupted check or certificate of a program proves nothing', () => {
  const { trajectory } = planProgram(problem);
  const counted = raisedAfter(Number.POSITIVE_INFINITY);
  const checked = checkProgram(robot, scene, trajectory!, { checker, interrupt: counted.interrupt });
  expect(checked.valid).toBe(true);
  expect(counted.calls()).toBeGreaterThan(100);
  for (let i = 0; i < cases(30); i++) {
    const { interrupt } = raisedAfter(Math.floor((i * counted.calls()) / 30));
    const { valid, interrupted, stepFaults, faults } = checkProgram(robot, scene, trajectory!, { checker, interrupt });
    expect({ valid, stepFaults, faults }).toEqual({ valid: false, stepFaults: [], faults: [] });
    expect(interrupted!.time).toBeLessThanOrEqual(checked.duration!);
  }
  const certifying = raisedAfter(Number.POSITIVE_INFINITY);
  const certify = (interrupt: () => boolean) => certifyProgram(trajectory!, checked.intervals, robot, scene, interrupt);
  expect(certify(certifying.interrupt)).toBeDefined();
  for (let i = 0; i < cases(30); i++)
    expect(certify(raisedAfter(Math.floor((i * certifying.calls()) / 30)).interrupt)).toBeUndefined();
});

test('blends that take long leave time for motions that stop', async () => {
  const text = `format: elbowroom-scene/1
robot: scara4
start: [0.4, 0.8, 0.1, 0]
steps:
  - {line: {by: [0, 0, -0.02]}, blend: 0.001 mm, tolerance: {position: 0.01 mm}}
  - {line: {by: [0.05, 0, 0]}, tolerance: {position: 0.01 mm}}
`;
  const loaded = await loadScene(put('short.yaml', text));
  const robot = { ...loaded.robot, joints: loaded.robot.joints.map((joint) => ({ ...joint, jerk: 3000 })) };
  const whole = tickingClock();
  const best = planProgram({ ...loaded, robot }, { timeLimit: 1e6 }, whole);
  expect([best.status, best.cutShort]).toEqual(['solved', false]);
  const cut = planProgram({ ...loaded, robot }, { timeLimit: (0.7 * whole.ticks()) / 1000 }, tickingClock());
  expect([cut.status, cut.cutShort, cut.trajectory?.cutShort]).toEqual(['solved', true, true]);
});

test('a failure is marked if the time limit left combinations that were not tried', async () => {
  const text = `format: elbowroom-scene/1
robot: ur5e
start: [-60 deg, -90 deg, 90 deg, -90 deg, -90 deg, 0]
tcp: {link: tool0, xyz: [0, 0, 0.14]}
obstacles:
  - {name: board_1, type: box, size: [2, 20 mm, 3], pose: {xyz: [1.17, 0, 0]}}
  - {name: board_2, type: box, size: [2, 20 mm, 3], pose: {xyz: [-1.17, 0, 0]}}
  - {name: lid, type: box, size: [2, 2, 20 mm], pose: {xyz: [0, 0, 0.75]}}
steps:
  - {move: {xyz: [0.45, 0.45, 0.35], rpy: [pi, 0, 0]}, name: above}
`;
  const loaded = await loadScene(put('closed.yaml', text));
  const plan = (timeLimit: number, hooks = tickingClock()) =>
    planProgram(loaded, { iterations: 100, timeLimit }, hooks);
  const whole = tickingClock();
  const all = plan(1e6, whole);
  expect([all.status, all.cutShort]).toEqual(['step-failed', false]);
  const seen = new Set<boolean>();
  for (const share of [0.3, 0.5, 0.7, 0.9, 2, 4]) {
    const { status, cutShort, stats, reason } = plan((share * whole.ticks()) / 1000);
    expect(status).toBe('step-failed');
    seen.add(cutShort);
    if (cutShort) expect(reason).toMatch(/within (its share of )?the time limit of /);
    else expect(stats.iterations, `share ${share}`).toBe(all.stats.iterations);
  }
  expect(seen).toEqual(new Set([true, false]));
});
