import { assert, beforeAll, describe, expect, test } from 'vitest';
import { verifyProgram } from '../../../src/core/certificate/verifyProgram.ts';
import { Random } from '../../../src/core/math/random.ts';
import type { Step } from '../../../src/core/scene/program.ts';
import { hasEvent, hasSegment } from '../../../src/core/scene/program.ts';
import { eventOf } from '../../../src/core/scene/programEvents.ts';
import type { Obstacle } from '../../../src/core/scene/scene.ts';
import type { Trajectory, TrajectoryPoint, TrajectorySegment } from '../../../src/core/trajectory/trajectory.ts';
import { binaryFormats, writers } from '../../../src/formats/trajectories/index.ts';
import { faultAsWritten } from '../../../src/host/cli/plan/verifyOutput.ts';
import { loadScene } from '../../../src/host/node/files.ts';
import { certifyProgram } from '../../../src/tasks/programs/certifyProgram.ts';
import { completeMotion } from '../../../src/tasks/programs/completeProgram.ts';
import { planProgram } from '../../../src/tasks/programs/planProgram.ts';
import { createSceneRobot, type Problem } from '../../../src/tasks/sceneRobot.ts';
import { type Box, leastGap } from './pickerOracle.ts';
import { check } from './plannedProgram.ts';

let given: Problem;
beforeAll(async () => {
  given = await loadScene('test/tasks/programs/robots/picker.yaml');
});

const CASES = Number(process.env.CASES ?? 16);
/** Gaps that sampling and rounding may confuse with contact, metres. */
const UNSURE = 2e-4;

const source = new Random(7);
const random = () => source.next();
const between = (low: number, high: number) => low + (high - low) * random();
const rules = { speed: 1, acceleration: 1, blend: 0, tolerance: { position: 1e-4, angle: 1e-3 }, constraints: [] };

function randomSteps(): Step[] {
  const steps: Step[] = [];
  let q = [0, 0];
  let isHeld = false;
  for (let index = 0; index < 6; index++) {
    const choice = random();
    if (choice < 0.5) {
      const joints = { grip: between(0.001, 0.04) };
      const duration = between(0.5, 1);
      steps.push({ kind: 'wait', index, duration, moves: { joints, values: { joints, time: duration } } });
    } else if (choice < 0.7) {
      q = [between(-0.3, 0.3), between(0, 0.1)];
      steps.push({ kind: 'move', index, ...rules, goals: [{ kind: 'joints', joints: q }] });
    } else if (!isHeld) {
      const touches = ['left', 'right'].filter(() => random() < 0.7);
      steps.push({ kind: 'attach', index, object: 'part', touches });
      isHeld = true;
    } else {
      steps.push({ kind: 'detach', index, object: 'part' });
      isHeld = false;
    }
  }
  return steps;
}

/** Returns a motion that carries out steps, from rest to rest in 2 s each. */
function motionOf(steps: readonly Step[]): Trajectory {
  const points: TrajectoryPoint[] = [{ time_from_start: 0, positions: [0, 0], velocities: [0, 0] }];
  const segments: TrajectorySegment[] = [];
  let time = 0;
  const events = steps.flatMap((step) => {
    const event = hasEvent(step) ? [eventOf(step, time, 'tool0')] : [];
    if (!hasSegment(step)) return event;
    const to = time + (step.kind === 'wait' ? step.duration : 2);
    const goal = step.kind === 'move' && step.goals[0].kind === 'joints' ? step.goals[0].joints : undefined;
    const positions = (goal as number[] | undefined) ?? points.at(-1)!.positions;
    segments.push({ step: step.index, kind: step.kind, from: time, to });
    points.push({ time_from_start: to, positions, velocities: [0, 0] });
    time = to;
    return event;
  });
  if (points.length === 1) points.push({ ...points[0], time_from_start: 1 });
  return { jointNames: ['turn', 'slide'], interpolation: 'cubic', points, segments, events };
}

function randomBoxes(): Map<string, Box> {
  const box = (): Box => ({
    at: [between(0.44, 0.64), between(-0.07, 0.07), between(-0.03, 0.03)],
    half: [between(0.001, 0.01), between(0.001, 0.01), between(0.001, 0.01)],
    angle: between(-1, 1),
  });
  return new Map(['part', 'post', 'pin'].map((name) => [name, box()]));
}

const obstacleOf = ([name, { at, half, angle }]: readonly [string, Box]): Obstacle => ({
  name,
  parts: [{ shape: { type: 'box', size: half.map((h) => 2 * h) as [number, number, number] } }],
  pose: { xyz: at, quat_wxyz: [Math.cos(angle / 2), 0, 0, Math.sin(angle / 2)] },
});

function problemOf(steps: readonly Step[], boxes: ReadonlyMap<string, Box>, grip: number) {
  const { scene } = given;
  const robot = { ...scene.robot, fixed: { grip } };
  const changed = { ...scene, robot, steps, obstacles: [...boxes].map(obstacleOf) };
  return { scene: changed, model: createSceneRobot({ scene: changed, robot: given.robot }) };
}

describe('fingers that move while the arm rests', () => {
  test('are never called free of collisions where an oracle finds a contact, nor in contact where it finds none', () => {
    const counts = { valid: 0, invalid: 0, unsure: 0, forged: 0 };
    const wrong: unknown[] = [];
    for (let n = 0; n < CASES; n++) {
      const [steps, boxes, grip] = [randomSteps(), randomBoxes(), between(0.001, 0.04)];
      const motion = motionOf(steps);
      if (motion.segments!.length === 0) continue;
      const { scene, model } = problemOf(steps, boxes, grip);
      const gap = leastGap(steps, motion, grip, boxes);
      const result = check({ scene, model }, motion);
      if (result.valid && gap < 0) wrong.push({ n, gap, says: 'valid' });
      if (Math.abs(gap) < UNSURE) counts.unsure++;
      else if (!result.valid && gap > 0) wrong.push({ n, gap, says: result.valid });
      else counts[result.valid ? 'valid' : 'invalid']++;
      if (!result.valid) continue;
      const certificate = certifyProgram(motion, result.intervals, model, scene);
      if (certificate === undefined) {
        if (gap > UNSURE) wrong.push({ n, gap, says: 'no certificate' });
        continue;
      }
      // the same certificate and points, but the fingers move elsewhere
      const forged = steps.map((step): Step => {
        if (step.kind !== 'wait' || step.moves === undefined) return step;
        const joints = { grip: between(0.001, 0.04) };
        return { ...step, moves: { joints, values: { joints, time: step.duration } } };
      });
      const other = motionOf(forged);
      const proof = verifyProgram(certificate, model, { ...scene, steps: forged }, other);
      if (leastGap(forged, other, grip, boxes) >= 0) continue;
      counts.forged++;
      if (proof.proved) wrong.push({ n, says: 'proved by a certificate of other fingers' });
    }
    expect(wrong).toEqual([]);
    expect(Math.min(counts.valid, counts.invalid), JSON.stringify(counts)).toBeGreaterThan(CASES / 10);
    if (process.env.COUNTS) console.log(counts);
  });

  test('are planned, proved, and carried by every format; a script is refused by name', async () => {
    const { scene, robot } = given;
    const model = createSceneRobot(given);
    const { trajectory, certificate, reason } = planProgram({ scene, robot, model }, { certificate: true });
    assert(trajectory && certificate, reason);
    expect(verifyProgram(certificate, model, scene, trajectory).problems).toEqual([]);
    expect(trajectory.segments!.map(({ step, kind }) => `${step} ${kind}`)).toContain('3 wait');
    expect(trajectory.events!.map(({ step }) => step)).toEqual([1, 3, 4, 5, 7]);
    for (const [format, writer] of Object.entries({ ...writers, ...binaryFormats })) {
      const fault = await faultAsWritten(trajectory, { scene, model }, writer).catch((error: unknown) => String(error));
      if (format === 'urscript') expect(fault).toMatch(/step 1: joints: urscript cannot carry it/);
      else expect(fault, format).toBeUndefined();
    }
  });

  test('must rest in the segment of the step, which takes the stated time', () => {
    const { scene, robot } = given;
    const model = createSceneRobot(given);
    const { trajectory, certificate, reason } = planProgram({ scene, robot, model }, { certificate: true });
    assert(trajectory && certificate, reason);
    const isProved = (motion: Trajectory) => verifyProgram(certificate, model, scene, motion).proved;
    expect(isProved(trajectory)).toBe(true);
    const [first, second] = trajectory.segments!;
    const longer = { ...trajectory, segments: [first, { ...second, to: second.to + 1e-3 }] };
    longer.segments.push({ ...trajectory.segments![2], from: second.to + 1e-3 }, ...trajectory.segments!.slice(3));
    expect(check({ scene, model }, longer).valid).toBe(false);
    expect(isProved(longer)).toBe(false);
    const elsewhere = trajectory.events!.map((event) =>
      event.step === 1 ? { ...event, set: { joints: { grip: 0.029 }, time: 0.5 } } : event,
    );
    expect(check({ scene, model }, { ...trajectory, events: elsewhere }).valid).toBe(false);
    expect(isProved({ ...trajectory, events: elsewhere })).toBe(false);
  });

  test('that would close through the held object are the reason why the plan fails', () => {
    const { scene } = given;
    const moves = { joints: { grip: 0.015 }, values: {} };
    const steps = scene.steps!.map((step): Step => {
      if (step.kind === 'attach') return { ...step, touches: ['left'] };
      return step.name === 'hold' && step.kind === 'wait' ? { ...step, moves } : step;
    });
    const { reason } = planProgram({ ...given, scene: { ...scene, steps } });
    expect(reason).toMatch(/step 5 \(set "hold"\): (right and part|part and right) collide in it/);
  });

  test('that are the elbow of a short arm are refused where its speed or its place is limited', () => {
    const { scene } = given;
    const model = createSceneRobot(given);
    const frame = { isElbow: true, pose: { xyz: [0, 0, 0], quat_wxyz: [1, 0, 0, 0] } } as const;
    const speed = { type: 'speed', name: 'elbow_speed', frame, most: 0.01 } as const;
    const limited = { ...scene, constraints: [speed] };
    expect(() => planProgram({ ...given, model, scene: limited })).toThrow(/steps move "left" against the arm/);
  });

  test.each(['grip', 'mirror'])('are not in the points of a trajectory: it is refused if it lists %s', (name) => {
    const model = createSceneRobot(given);
    const [grip] = Object.values(model.fixed);
    const points = [0, 1].map((time) => ({ time_from_start: time, positions: [0, 0, grip] }));
    const listed = { jointNames: ['turn', 'slide', name], points };
    expect(() => completeMotion(listed, model, given.scene, 'm.json')).toThrow(/it lists \w+, which steps .* move/);
    const { trajectory } = completeMotion(listed, model, { ...given.scene, steps: [] }, 'm.json');
    expect(trajectory.jointNames).toEqual(['turn', 'slide']);
  });
});
