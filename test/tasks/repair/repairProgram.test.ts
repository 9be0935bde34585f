import { assert, beforeAll, expect, test } from 'vitest';
import type { MotionStep } from '../../../src/core/scene/program.ts';
import type { Scene } from '../../../src/core/scene/scene.ts';
import type { Trajectory } from '../../../src/core/trajectory/trajectory.ts';
import { withQuery } from '../../../src/formats/scenes/sceneQuery.ts';
import { planProgram } from '../../../src/tasks/programs/planProgram.ts';
import { repairTrajectory } from '../../../src/tasks/repair/repairTrajectory.ts';
import { motionLimitsOf } from '../../../src/tasks/sceneRobot.ts';
import { check, type Draft, drafted, type PlannedProgram, pickAndPlace } from '../programs/plannedProgram.ts';
import { linkPose, motionAt, OracleWorld } from '../programs/programOracle.ts';

let planned: PlannedProgram;
beforeAll(async () => {
  planned = await pickAndPlace();
});

const segmentOf = (motion: Trajectory, step: number) => motion.segments!.find((one) => one.step === step)!;

/** What is wrong with a repaired program, by samples of an independent oracle: collisions, limits, ends, events. */
function faultsOf(scene: Scene, given: Trajectory, motion: Trajectory, samples = 24): string[] {
  const { model } = planned;
  const wrong: string[] = [];
  const world = new OracleWorld(model, scene);
  const { velocity, acceleration } = motionLimitsOf(model, scene);
  let end = motion.points[0].time_from_start!;
  for (const step of scene.steps!) {
    const segment = motion.segments!.find((one) => one.step === step.index);
    const event = motion.events!.find((one) => one.step === step.index);
    if (event) {
      if (event.time !== end) wrong.push(`event ${step.index} at ${event.time} instead of ${end}`);
      world.apply(step, motionAt(motion, end));
      continue;
    }
    if (!segment || segment.from !== end) wrong.push(`segment ${step.index} does not begin at ${end}`);
    end = segment!.to;
    const [now, before] = [motionAt(motion, end), motionAt(given, segmentOf(given, step.index).to)];
    if (now.some((x, j) => Math.abs(x - before[j]) > 1e-9)) wrong.push(`the end of step ${step.index} has moved`);
    if (motionAt(motion, end, 1).some((v) => Math.abs(v) > 1e-6)) wrong.push(`step ${step.index} does not end at rest`);
    if (step.kind === 'wait' && Math.abs(end - segment!.from - step.duration) > 1e-6) wrong.push('a wait');
    const { speed = 1, acceleration: share = 1 } = step as MotionStep;
    for (let i = 0; i <= samples; i++) {
      const t = segment!.from + (i / samples) * (end - segment!.from);
      const q = motionAt(motion, t);
      const hit = world.collision(q);
      if (hit) wrong.push(`${hit} collide at ${t}`);
      const isTooFast = motionAt(motion, t, 1).some((v, j) => Math.abs(v) > speed * velocity[j] * (1 + 1e-6));
      const isTooHard = motionAt(motion, t, 2).some((a, j) => Math.abs(a) > share * acceleration[j] * (1 + 1e-6));
      if (isTooFast || (isTooHard && i > 0 && i < samples)) wrong.push(`step ${step.index} is too fast at ${t}`);
    }
  }
  return wrong;
}

/** Multiplies the pace of one segment: the times of all later points, segments and events are shifted. */
function faster(motion: Trajectory, step: number, factor: number): Trajectory {
  const { from, to } = segmentOf(motion, step);
  const at = (t: number) => (t <= from ? t : t >= to ? t - (to - from) * (1 - 1 / factor) : from + (t - from) / factor);
  return drafted(motion, (draft) => {
    for (const point of draft.points as Draft<Trajectory['points'][number]>[]) {
      const t = point.time_from_start!;
      if (t > from && t < to) point.velocities = point.velocities!.map((v) => v * factor);
      point.time_from_start = at(t);
    }
    for (const one of draft.segments!) [one.from, one.to] = [at(one.from), at(one.to)];
    for (const one of draft.events!) one.time = at(one.time);
  });
}

type Vec = readonly [number, number, number];
const withBall = (scene: Scene, xyz: Vec, radius = 0.03): Scene => {
  const pose = { xyz, quat_wxyz: [1, 0, 0, 0] as const };
  return {
    ...scene,
    obstacles: [...scene.obstacles, { name: 'ball', parts: [{ shape: { type: 'sphere', radius } }], pose }],
  };
};

/** The scene with a small ball next to a link, where that is at a share of the segment of a step. */
function besides(step: number, share: number, link: string, [dx, dy, dz]: Vec): Scene {
  const { scene, trajectory, model } = planned;
  const { from, to } = segmentOf(trajectory, step);
  const T = linkPose(model, link, motionAt(trajectory, from + share * (to - from)));
  return withBall(scene, [T[3] + dx, T[7] + dy, T[11] + dz]);
}

test('a valid program is returned as it is; one with other segments, events or times is refused by name', () => {
  const { scene, model, trajectory } = planned;
  const good = repairTrajectory(trajectory, model, scene);
  expect([good.status, good.trajectory]).toEqual(['good', trajectory]);
  const last = trajectory.segments!.length - 1;
  for (const [change, reason] of [
    [(draft: Draft<Trajectory>) => void draft.segments!.pop(), `the trajectory has ${last} segments`],
    [(draft: Draft<Trajectory>) => void draft.events!.pop(), 'the trajectory has'],
    [(draft: Draft<Trajectory>) => void delete draft.segments, 'the trajectory has 0 segments'],
    [(draft: Draft<Trajectory>) => Object.assign(draft.segments![1], { step: 3 }), 'segments[1] is of step 3'],
    [(draft: Draft<Trajectory>) => Object.assign(draft.events![1], { attach: 'tray' }), 'events[1] is'],
    [(draft: Draft<Trajectory>) => Object.assign(draft.points[3], { time_from_start: 0 }), 'its times do not increase'],
  ] as const) {
    const result = repairTrajectory(drafted(trajectory, change), model, scene);
    expect(result.status).toBe('failed');
    expect(result.reason).toContain(reason);
  }
});

test('segments of any kind that are too fast are slowed down; all others keep their points', () => {
  const { scene, model, trajectory } = planned;
  const wrong: string[] = [];
  for (const step of [1, 7, 8]) {
    const given = faster(trajectory, step, 1.7);
    const { status, reason, trajectory: repaired, changed } = repairTrajectory(given, model, scene);
    if (!repaired) {
      wrong.push(`step ${step}: ${reason}`);
      continue;
    }
    if (status !== 'repaired' || !check(planned, repaired).valid) wrong.push(`step ${step}: ${status}`);
    wrong.push(...faultsOf(scene, given, repaired, 16).map((fault) => `step ${step}: ${fault}`));
    const { from, to } = segmentOf(given, step);
    if (changed.some(([a, b]) => a < from - 1e-9 || b > to + 1e-9)) wrong.push(`step ${step}: changed ${changed}`);
    const [one, other] = [segmentOf(given, 5), segmentOf(repaired, 5)];
    if (Math.abs(one.to - one.from - (other.to - other.from)) > 1e-9) wrong.push(`step ${step}: another segment`);
  }
  expect(wrong).toEqual([]);
});

/** Faults of a repair whose result should differ from the given motion in the segment of one step only. */
function faultsOfRepair(scene: Scene, given: Trajectory, found: Trajectory, step: number): string[] {
  const wrong = faultsOf(scene, given, found);
  if (!check({ model: planned.model, scene }, found).valid) wrong.push('not valid');
  for (const { step: index } of given.segments!.filter((one) => one.step !== step)) {
    const [a, b] = [segmentOf(given, index), segmentOf(found, index)];
    for (const part of [0.25, 0.5, 0.75]) {
      const [p, q] = [a, b].map(({ from, to }, i) => motionAt([given, found][i], from + part * (to - from)));
      if (p.some((x, j) => Math.abs(x - q[j]) > 1e-6)) wrong.push(`step ${index} has changed`);
    }
  }
  return wrong.map((fault) => `step ${step}: ${fault}`);
}

test('a free motion in collision is repaired within its segment, whatever comes after it', () => {
  const { model, trajectory } = planned;
  const wrong: string[] = [];
  for (const [share, link, offset] of [
    [0.35, 'wrist_3_link', [0, 0, 0.12]],
    [0.6, 'wrist_1_link', [0.09, 0, 0]],
  ] as const) {
    const scene = besides(1, share, link, offset);
    expect(check({ model, scene }, trajectory).valid).toBe(false);
    const { trajectory: found, reason } = repairTrajectory(trajectory, model, scene);
    wrong.push(...(found ? faultsOfRepair(scene, trajectory, found, 1) : [reason]));
  }
  expect(wrong).toEqual([]);
});

test('a motion with an attached object is repaired in the scene of its time, also next to a blend', async () => {
  const { scene, model } = planned;
  const home = [0, -1.5, 1.6, -1.7, -Math.PI / 2, 0];
  const steps = [
    { move: { xyz: [0.47, -0.28, 0.2], rpy: [Math.PI, 0, 0] } },
    { line: { by: [0, 0, 0.144], frame: 'tcp' }, speed: 0.3 },
    { attach: 'block', touches: ['gripper'] },
    { line: { by: [0, 0, 0.2] } },
    { forbid: [['block', 'table']] },
    { move: home, blend: 0.03 },
    { move: [0.7, -1.3, 1.5, -1.7, -Math.PI / 2, 0], speed: 0.5 },
  ];
  const program = await withQuery(scene, model.description, { steps }, ['params']);
  const { trajectory: given, reason } = planProgram({ scene: program, robot: model.description, model });
  assert(given, reason);
  const { to } = segmentOf(given, 5);
  expect(motionAt(given, to, 1).some((v) => Math.abs(v) > 0.01)).toBe(true);
  const wrong: string[] = [];
  for (const share of [0.4, 0.6]) {
    const world = new OracleWorld(model, program);
    for (const step of program.steps!)
      if (step.index < 5 && 'object' in step) world.apply(step, motionAt(given, segmentOf(given, 3).from));
    const { from } = segmentOf(given, 5);
    const T = world.poseOf('block', motionAt(given, from + share * (to - from)));
    const blocked = withBall(program, [T[3], T[7], T[11] - 0.04], 0.02);
    const before = check({ model, scene: blocked }, given);
    expect(before.collision?.pair).toContain('block');
    const result = repairTrajectory(given, model, blocked);
    if (result.trajectory)
      wrong.push(
        ...faultsOfRepair(blocked, given, result.trajectory, 5).filter(
          (one) => !/step 5 does not end at rest/.test(one),
        ),
      );
    else wrong.push(result.reason);
  }
  expect(wrong).toEqual([]);
});

test('a line or an arc in collision is not changed: the reason names it, the pair and the time', () => {
  const { model, trajectory } = planned;
  for (const [step, kind, link, offset] of [
    [2, 'line "approach"', 'wrist_1_link', [0.09, 0, 0]],
    [7, 'arc "round the post"', 'forearm_link', [0, 0, 0.1]],
  ] as const) {
    const { status, reason } = repairTrajectory(trajectory, model, besides(step, 0.6, link, offset));
    expect([status, reason]).toEqual([
      'failed',
      expect.stringMatching(new RegExp(`^step ${step} \\(${kind}\\): .*ball`)),
    ]);
    expect(reason).toContain('lines and arcs are not changed, since they would leave their path');
  }
});

test('a wait of another duration gets that of its step, unless times are kept', () => {
  const { scene, model, trajectory } = planned;
  const shorter = faster(trajectory, 4, 2);
  const { status, trajectory: repaired, reason } = repairTrajectory(shorter, model, scene);
  expect([status, reason]).toEqual(['repaired', expect.any(String)]);
  expect(faultsOf(scene, shorter, repaired!, 10)).toEqual([]);
  expect(repairTrajectory(shorter, model, scene, { keepTimes: true }).reason).toContain('its times are kept');
});

test('with limitsOnly a motion in collision is refused, one that is too fast is slowed down', () => {
  const { scene, model, trajectory } = planned;
  const limitsOnly = true;
  expect(
    repairTrajectory(trajectory, model, besides(1, 0.6, 'wrist_3_link', [0, 0, 0.12]), { limitsOnly }).reason,
  ).toContain('only its times may');
  expect(repairTrajectory(faster(trajectory, 16, 1.5), model, scene, { limitsOnly }).status).toBe('repaired');
  expect(repairTrajectory(faster(trajectory, 16, 1.5), model, scene, { keepTimes: true }).status).toBe('failed');
});
