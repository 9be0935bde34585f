import { assert, beforeAll, describe, expect, test } from 'vitest';
import { verifyProgram } from '../../../src/core/certificate/verifyProgram.ts';
import type { RobotModel } from '../../../src/core/kinematics/robotModel.ts';
import type { LineStep, MotionStep } from '../../../src/core/scene/program.ts';
import type { Scene } from '../../../src/core/scene/scene.ts';
import type { Trajectory } from '../../../src/core/trajectory/trajectory.ts';
import { trajectoryHash } from '../../../src/core/trajectory/trajectoryHash.ts';
import { certifyProgram } from '../../../src/tasks/programs/certifyProgram.ts';
import { motionLimitsOf } from '../../../src/tasks/sceneRobot.ts';
import { toolPose } from '../../core/cartesian/legOracle.ts';
import { check, type PlannedProgram, pickAndPlace } from './plannedProgram.ts';
import { angleBetween, distance, type Matrix, matrixOf, motionAt, multiply, OracleWorld } from './programOracle.ts';

let planned: PlannedProgram;
let scene: Scene;
let model: RobotModel;
let trajectory: Trajectory;

beforeAll(async () => {
  planned = await pickAndPlace();
  ({ scene, model, trajectory } = planned);
});

const steps = () => scene.steps!;
const segmentOf = (step: number, motion = trajectory) => motion.segments!.find((one) => one.step === step)!;
const tcpAt = (t: number): Matrix => {
  const T_link_frame = matrixOf(scene.tcp!.pose);
  const link = model.links.findIndex(({ name }) => name === scene.tcp!.link);
  return toolPose(model, { link, T_link_frame }, motionAt(trajectory, t));
};
/** Times in a segment, both ends included. */
const samples = ({ from, to }: { from: number; to: number }, count: number) =>
  Array.from({ length: count + 1 }, (_, i) => from + (i / count) * (to - from));

describe('the trajectory of a pick-and-place program, by an independent program', () => {
  test('has segments and events of all steps, in order and without gaps, at rest in between', () => {
    const { segments, events, points } = trajectory;
    expect(segments!.length + events!.length).toBe(steps().length);
    let end = 0;
    for (const step of steps()) {
      const segment = segments!.find((one) => one.step === step.index);
      const event = events!.find((one) => one.step === step.index);
      expect(segment === undefined).toBe(event !== undefined);
      if (segment) expect([segment.from, segment.kind, segment.name]).toEqual([end, step.kind, step.name]);
      end = segment?.to ?? end;
      if (event) expect(event.time).toBe(end);
      for (const rate of motionAt(trajectory, end, 1)) expect(Math.abs(rate)).toBeLessThan(1e-9);
    }
    expect(end).toBe(points.at(-1)!.time_from_start);
  });

  test('is free of collisions in the scene as it is at each moment', () => {
    const world = new OracleWorld(model, scene);
    for (const step of steps()) {
      const segment = segmentOf(step.index);
      if (!segment) {
        const { time } = trajectory.events!.find((one) => one.step === step.index)!;
        world.apply(step, motionAt(trajectory, time));
        expect(world.collision(motionAt(trajectory, time))).toBeUndefined();
      } else {
        for (const t of samples(segment, 60)) expect(world.collision(motionAt(trajectory, t))).toBeUndefined();
      }
    }
  });

  test('keeps the limits of each step', () => {
    const { velocity, acceleration } = motionLimitsOf(model, scene);
    for (const segment of trajectory.segments!) {
      const step = steps()[segment.step] as MotionStep;
      if (segment.kind === 'wait') continue;
      const times = samples(segment, 400);
      for (const [i, t] of times.entries()) {
        for (const [j, rate] of motionAt(trajectory, t, 1).entries())
          expect(Math.abs(rate)).toBeLessThanOrEqual(step.speed * velocity[j] * (1 + 1e-6));
        if (i > 0 && i < 400)
          for (const [j, rate] of motionAt(trajectory, t, 2).entries())
            expect(Math.abs(rate)).toBeLessThanOrEqual(step.acceleration * acceleration[j] * (1 + 1e-6));
        if (i > 0)
          expect(distance(tcpAt(t), tcpAt(times[i - 1]))).toBeLessThanOrEqual(
            (step.tcpSpeed ?? Number.POSITIVE_INFINITY) * (t - times[i - 1]) * 1.00001,
          );
      }
    }
  });

  test('follows its lines, corners and arc', () => {
    for (const index of [2, 5, 8, 10, 14]) {
      const segment = segmentOf(index);
      const step = steps()[index] as LineStep;
      const corners = cornersOf(step, tcpAt(segment.from));
      let leg = 0;
      let before = 0;
      for (const t of samples(segment, 500)) {
        const T = tcpAt(t);
        const [A, B] = [corners[leg], corners[leg + 1]];
        const s = fractionOf(T, A, B);
        expect(s).toBeGreaterThan(before - 1e-3);
        before = s;
        const wanted = A.map((x, k) => (k % 4 === 3 ? x + s * (B[k] - x) : T[k]));
        expect(distance(T, wanted)).toBeLessThanOrEqual(step.tolerance.position);
        const turn = angleBetween(A, B);
        expect(Math.abs(angleBetween(A, T) - s * turn)).toBeLessThanOrEqual(step.tolerance.angle);
        expect(Math.abs(angleBetween(T, B) - (1 - s) * turn)).toBeLessThanOrEqual(step.tolerance.angle);
        if (distance(T, B) > 2e-5 || leg + 2 >= corners.length) continue;
        leg++;
        before = 0;
      }
      expect(leg).toBe(corners.length - 2);
      expect(distance(tcpAt(segment.to), corners.at(-1)!)).toBeLessThan(step.tolerance.position);
    }
    const { from, to } = segmentOf(7);
    const [first, last] = [tcpAt(from), tcpAt(to)];
    const [x, y, r] = circleThrough([first[3], first[7]], [0.28, -0.05], [last[3], last[7]]);
    let passed = 0;
    for (const t of samples({ from, to }, 400)) {
      const T = tcpAt(t);
      expect(Math.abs(Math.hypot(T[3] - x, T[7] - y) - r)).toBeLessThanOrEqual(1e-4);
      expect(
        Math.abs(T[11] - (first[11] + fractionOf(T, first, last) * (last[11] - first[11]))).valueOf(),
      ).toBeLessThan(0.05);
      expect(angleBetween(T, first)).toBeLessThanOrEqual(0.1 * (Math.PI / 180));
      if (Math.hypot(T[3] - 0.28, T[7] + 0.05) < 0.01) passed++;
    }
    expect(passed).toBeGreaterThan(0);
  });

  test('reaches its goals', () => {
    const above = tcpAt(segmentOf(1).to);
    const down = matrixOf({ xyz: [0.47, -0.28, 0.2], quat_wxyz: [0, 1, 0, 0] });
    expect(distance(above, down)).toBeLessThan(1.01e-4);
    expect(angleBetween(above, down)).toBeLessThan(1.01e-3);
    const world = new OracleWorld(model, scene);
    for (const index of [3, 11]) {
      const { time } = trajectory.events!.find(({ step }) => step === index)!;
      world.apply(steps()[index], motionAt(trajectory, time));
    }
    const { to } = segmentOf(15);
    const block = world.poseOf('block', motionAt(trajectory, to));
    const goal = multiply(block, matrixOf({ xyz: [0, 0, 0.2], quat_wxyz: [0, 1, 0, 0] }));
    expect(distance(tcpAt(to), goal)).toBeLessThan(5e-3 + 1e-6);
    expect(Math.acos(Math.min(1, -tcpAt(to)[10]))).toBeLessThan(1.5 * (Math.PI / 180));
    const end = trajectory.points.at(-1)!.positions;
    const miss = (pan: number) =>
      Math.max(...[pan, -1.5, 1.6, -1.7, -Math.PI / 2, 0].map((x, j) => Math.abs(x - end[j])));
    expect(Math.min(miss(0), miss(0.2))).toBeLessThan(1e-6);
  });

  test('is valid, and proved in any order of joints', () => {
    expect(check(planned, trajectory)).toMatchObject({ valid: true, stepFaults: [], faults: [] });
    expect(verifyProgram(planned.certificate, model, scene, trajectory)).toMatchObject({ proved: true, problems: [] });
    const shuffled = reversed(trajectory);
    const { valid, intervals } = check(planned, shuffled);
    expect(valid).toBe(true);
    const own = certifyProgram(shuffled, intervals, model, scene);
    assert(own, 'certified');
    expect(own.trajectory).toBe(trajectoryHash(shuffled));
    expect(verifyProgram(own, model, scene, shuffled).proved).toBe(true);
    expect(verifyProgram(planned.certificate, model, scene, shuffled).proved).toBe(false);
  });
});

/** Poses of the TCP at the corners of a line of the program. */
function cornersOf({ targets }: LineStep, start: Matrix): Matrix[] {
  const out = [start];
  for (const target of targets) {
    const at = out[out.length - 1];
    const offset = target.kind === 'by' ? target.by : [0, 0, 0];
    const isWorld = target.kind === 'by' && target.frame === 'world';
    const [x, y, z] = [0, 4, 8].map((row, i) =>
      isWorld ? offset[i] : offset[0] * at[row] + offset[1] * at[row + 1] + offset[2] * at[row + 2],
    );
    const xyz = target.kind === 'to' ? target.xyz : [at[3] + x, at[7] + y, at[11] + z];
    const R = target.kind === 'to' && target.quat_wxyz ? matrixOf({ xyz, quat_wxyz: target.quat_wxyz }) : at;
    out.push(R.map((value, k) => (k % 4 === 3 ? xyz[(k - 3) / 4] : value)));
  }
  return out;
}

/** Fraction of the way from A to B of the nearest point of their segment. */
function fractionOf(T: Matrix, A: Matrix, B: Matrix): number {
  const along = [3, 7, 11].reduce((sum, k) => sum + (T[k] - A[k]) * (B[k] - A[k]), 0);
  return Math.min(1, Math.max(0, along / distance(A, B) ** 2));
}

/** Centre and radius of the circle through three points of a plane. */
function circleThrough([ax, ay]: number[], [bx, by]: number[], [cx, cy]: number[]): [number, number, number] {
  const [ux, uy, vx, vy] = [bx - ax, by - ay, cx - ax, cy - ay];
  const [u, v, d] = [ux * ux + uy * uy, vx * vx + vy * vy, 2 * (ux * vy - uy * vx)];
  const [x, y] = [(vy * u - uy * v) / d, (ux * v - vx * u) / d];
  return [ax + x, ay + y, Math.hypot(x, y)];
}

const reversed = (motion: Trajectory): Trajectory => ({
  ...motion,
  jointNames: motion.jointNames.toReversed(),
  points: motion.points.map((point) => ({
    ...point,
    positions: point.positions.toReversed(),
    velocities: point.velocities!.toReversed(),
  })),
});
