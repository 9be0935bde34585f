import { assert, describe, expect, test } from 'vitest';
import { arcLeg, type CartesianLeg, lineLeg } from '../../../src/core/cartesian/cartesianLeg.ts';
import { FrameSpeed } from '../../../src/core/cartesian/frameSpeed.ts';
import { LegProver } from '../../../src/core/cartesian/legProver.ts';
import { jointPathOf, timedLeg } from '../../../src/core/cartesian/planLeg.ts';
import { ToolTracker } from '../../../src/core/cartesian/toolTracker.ts';
import type { RobotModel } from '../../../src/core/kinematics/robotModel.ts';
import { linkNamed } from '../../../src/core/kinematics/toolCenterPoint.ts';
import { Random } from '../../../src/core/math/random.ts';
import { compose, create } from '../../../src/core/math/transform.ts';
import type { Trajectory } from '../../../src/core/trajectory/trajectory.ts';
import { TrajectoryCurve } from '../../../src/core/trajectory/trajectoryCurve.ts';
import { examineMotion } from '../../../src/core/trajectory/trajectoryLimits.ts';
import { loadScene } from '../../../src/host/node/files.ts';
import { createSceneRobot, motionLimitsOf } from '../../../src/tasks/sceneRobot.ts';
import { cases } from '../../cases.ts';
import { deviation, legDeviation, legPose, toolPose } from './legOracle.ts';

const TOLERANCE = { position: 1e-4, angle: 1e-3 };
const T_link_frame = Float64Array.of(1, 0, 0, 0.02, 0, 1, 0, -0.01, 0, 0, 1, 0.14);

interface Arm {
  readonly model: RobotModel;
  readonly frame: { readonly link: number; readonly T_link_frame: Float64Array };
  readonly tracker: ToolTracker;
  readonly prover: LegProver;
  readonly speed: FrameSpeed;
}

async function armOf(scene: string, link: string): Promise<Arm> {
  const model = createSceneRobot(await loadScene(`scenes/${scene}.yaml`));
  const frame = { link: linkNamed(model, link), T_link_frame };
  const tools = { tracker: new ToolTracker(model, frame), prover: new LegProver(model, frame) };
  return { model, frame, ...tools, speed: new FrameSpeed(model, frame) };
}

/** A line, an arc, a pure rotation or a screw from the pose at a random configuration. */
function randomLeg({ model, tracker }: Arm, random: Random): { q: Float64Array; leg: CartesianLeg } {
  const q = Float64Array.from(model.variables, ({ limits }) =>
    random.between(Math.max(-2.5, 0.9 * limits.lower), Math.min(2.5, 0.9 * limits.upper)),
  );
  const start = tracker.pose(q).slice();
  const turned = tracker.pose(q.map((value) => value + random.between(-0.3, 0.3))).slice();
  const kind = random.below(4);
  const end = kind === 0 ? start.slice() : turned.slice();
  for (const k of [3, 7, 11]) end[k] = start[k] + (kind === 2 ? 0 : random.between(-0.2, 0.2));
  const via = Float64Array.from([3, 7, 11], (k) => (start[k] + end[k]) / 2 + random.between(-0.05, 0.05));
  return { q, leg: (kind === 3 ? arcLeg(start, via, end) : undefined) ?? lineLeg(start, end) };
}

function planned(arm: Arm, q: Float64Array, leg: CartesianLeg, tcpSpeed = Number.POSITIVE_INFINITY) {
  const { knots, fault } = jointPathOf(arm, q, leg, TOLERANCE);
  if (fault) return undefined;
  return timedLeg(arm, leg, knots, { limits: motionLimitsOf(arm.model, {}), tolerance: TOLERANCE, tcpSpeed });
}

describe.each([
  ['shelf', 'tool0'],
  ['arm7-alcove', 'flange'],
])('legs of %s', (scene, link) => {
  test('are followed within the tolerance, the limits and the TCP speed at every sample of an independent program', async () => {
    const arm = await armOf(scene, link);
    const random = new Random(5, 1);
    let proved = 0;
    for (let round = 0; round < cases(24, 1 / 4); round++) {
      const { q, leg } = randomLeg(arm, random);
      const limit = random.next() < 0.5 ? random.between(0.05, 0.5) : Number.POSITIVE_INFINITY;
      const motion = planned(arm, q, leg, limit);
      if (!motion) continue;
      proved++;
      const { faults } = examineMotion(motion, motionLimitsOf(arm.model, {}));
      expect(faults).toEqual([]);
      const { position, angle, speed } = legDeviation(arm, motion, leg, 500);
      expect(position).toBeLessThanOrEqual(TOLERANCE.position);
      expect(angle).toBeLessThanOrEqual(TOLERANCE.angle);
      expect(speed).toBeLessThanOrEqual(limit * (1 + 1e-5));
      const last = toolPose(arm.model, arm.frame, motion.points.at(-1)!.positions);
      for (let k = 0; k < 12; k++) expect(Math.abs(last[k] - leg.end[k])).toBeLessThan(1e-6);
    }
    expect(proved).toBeGreaterThan(cases(7, 1 / 4));
  }, 120_000);

  test('are not proved for a motion that leaves them', async () => {
    const arm = await armOf(scene, link);
    const random = new Random(6, 1);
    let refuted = 0;
    let agreed = 0;
    for (let round = 0; round < cases(30, 1 / 4); round++) {
      const { q, leg } = randomLeg(arm, random);
      const motion = planned(arm, q, leg);
      if (!motion || motion.points.length < 5) continue;
      for (let k = 0; k < 2; k++) {
        const changed = mutated(motion, random);
        const curve = new TrajectoryCurve(changed);
        const verdict = arm.prover.prove(curve, { leg, from: curve.start, to: curve.end }, TOLERANCE);
        const { position, angle } = legDeviation(arm, changed, leg, 500);
        const isOff = position > TOLERANCE.position * 1.001 || angle > TOLERANCE.angle * 1.001;
        if (isOff) {
          assert.notEqual(verdict.kind, 'proved', `round ${round}: off by ${position} m, ${angle} rad`);
          refuted++;
        } else agreed++;
      }
    }
    expect(refuted).toBeGreaterThan(cases(2, 1 / 4));
    expect(agreed).toBeGreaterThan(0);
  }, 120_000);
});

test('an instant on a leg covers its middle, too: with a free z axis, the axis may leave the tolerance between its ends', async () => {
  const { model, frame, prover, tracker } = await armOf('shelf', 'tool0');
  const q = Array.from(model.variables, (_, j) => 0.3 * j - 1);
  const T = tracker.pose(Float64Array.from(q)).slice();
  const still = { jointNames: model.variables.map(({ name }) => name), points: [0, 1].map((time_from_start) => ({ time_from_start, positions: q, velocities: q.map(() => 0) })) }; // biome-ignore format: one motion
  const curve = new TrajectoryCurve(still);
  const tilt = 0.9 * TOLERANCE.angle;
  // About an axis between both ends, by nearly half a turn: to one side past the tool axis, to the other away from it.
  const verdicts = [Math.PI - 0.01, 0.01 - Math.PI].map((turn) => {
    const start = turned(T, [0, tilt, 0]);
    const axis = [tilt / 2, tilt / 2, 1].map((x) => x * turn);
    const leg = lineLeg(start, product(turned(T, axis), product(inverseOf(T), start)));
    let worst = 0;
    const pose = create();
    for (let k = 0; k <= 100; k++) {
      leg.poseAt(pose, k / 100);
      const cosine = pose[2] * T[2] + pose[6] * T[6] + pose[10] * T[10];
      worst = Math.max(worst, Math.acos(Math.min(1, cosine)));
    }
    const { kind } = prover.prove(curve, { leg, from: 0.5, to: 0.5 }, { ...TOLERANCE, isYawFree: true });
    expect(kind === 'proved', `${turn}: ${worst} of ${TOLERANCE.angle}, ${frame.link}`).toBe(worst <= TOLERANCE.angle);
    return kind;
  });
  expect(new Set(verdicts)).toEqual(new Set(['proved', 'deviates']));
});

test('whatever is proved of an instant holds at every fraction that it covers', async () => {
  const { model, prover, tracker, frame } = await armOf('shelf', 'tool0');
  const random = new Random(12);
  const verdicts: Record<string, number> = { proved: 0, deviates: 0, undecided: 0 };
  for (let round = 0; round < cases(400); round++) {
    const [position, angle] = [10 ** random.between(-5, -2), 10 ** random.between(-4, -1)];
    const isYawFree = random.below(2) === 0;
    const tilt = isYawFree && random.below(2) === 0 ? angle * random.between(0, 3) : 0;
    const tolerance = { position, angle, ...(isYawFree && { isYawFree }), ...(tilt > 0 && { tilt }) };
    const q = Float64Array.from(model.variables, () => random.between(-1.5, 1.5));
    const T = tracker.pose(q).slice();
    const near = (size: number) => {
      const vector = [0, 1, 2].map(() => size * (angle + tilt) * random.between(-1, 1));
      if (isYawFree) vector[2] = random.between(-2, 2); // a turn of its own axis is no deviation
      const pose = turned(T, vector);
      for (const k of [3, 7, 11]) pose[k] += size * position * random.between(-1, 1);
      return pose;
    };
    const size = random.between(0.2, 1.2);
    const [start, end] = [near(size), near(size)];
    const via = Float64Array.from([3, 7, 11], (k) => T[k] + size * position * random.between(-1, 1));
    const leg = (random.below(3) === 0 ? arcLeg(start, via, end) : undefined) ?? lineLeg(start, end);
    const velocities = model.variables.map(() => (round % 2 === 0 ? 0 : random.between(-1, 1)));
    const points = [-0.5, 0.5].map((t) => ({
      time_from_start: t + 0.5,
      positions: Array.from(q, (value, j) => value + t * velocities[j]),
      velocities,
    }));
    const curve = new TrajectoryCurve({ jointNames: model.variables.map(({ name }) => name), points });
    const [isStartFree, isEndFree] = [random.below(3) === 0, random.below(3) === 0];
    const verdict = prover.prove(curve, { leg, from: 0.5, to: 0.5, isStartFree, isEndFree }, tolerance);
    verdicts[verdict.kind]++;
    if (verdict.kind !== 'proved') continue;
    const { first, last } = verdict;
    const label = `round ${round}: ${leg.kind}, ${JSON.stringify(tolerance)}`;
    assert.ok(first <= last && (isStartFree || first === 0) && (isEndFree || last === 1), label);
    const pose = toolPose(model, frame, q);
    for (let k = 0; k <= 100; k++) {
      const off = deviation(pose, legPose(leg, first + (last - first) * (k / 100)), isYawFree);
      assert.ok(off.position <= position + 1e-9 && off.angle <= angle + tilt + 1e-7, `${label} ${JSON.stringify(off)}`);
    }
  }
  expect(Math.min(verdicts.proved, verdicts.deviates)).toBeGreaterThan(cases(40));
});

/** Returns a pose rotated about its own origin by a rotation vector in its own axes. */
function turned(T: Float64Array, vector: readonly number[]): Float64Array {
  const angle = Math.hypot(...vector);
  const [x, y, z] = vector.map((value) => value / angle);
  const [c, s] = [Math.cos(angle), Math.sin(angle)];
  const d = 1 - c;
  const R = Float64Array.of(
    ...[c + x * x * d, x * y * d - z * s, x * z * d + y * s, 0],
    ...[y * x * d + z * s, c + y * y * d, y * z * d - x * s, 0],
    ...[z * x * d - y * s, z * y * d + x * s, c + z * z * d, 0],
  );
  return product(T, R);
}

function product(A: Float64Array, B: Float64Array): Float64Array {
  const out = create();
  compose(out, A, B);
  return out;
}

/** Returns the inverse of a rigid motion. */
function inverseOf(T: Float64Array): Float64Array {
  const out = create();
  for (let i = 0; i < 3; i++) {
    for (let k = 0; k < 3; k++) out[4 * i + k] = T[4 * k + i];
    out[4 * i + 3] = -(T[i] * T[3] + T[4 + i] * T[7] + T[8 + i] * T[11]);
  }
  return out;
}

test('a half turn is about the axis whose largest component is positive, whatever the rounding errors', () => {
  const random = new Random(3);
  const middle = create();
  for (const [x, y, z] of [
    [0, 0, -1],
    [0, -0.8, 0.6],
    [0.28, 0, -0.96],
    [-1, 0, 0],
  ]) {
    // The rotation by 180° about a unit vector a: 2 a aᵀ − I, with errors of rounding size.
    const error = () => random.between(-4e-16, 4e-16);
    const end = Float64Array.of(
      ...[2 * x * x - 1 + error(), 2 * x * y + error(), 2 * x * z + error(), 0],
      ...[2 * y * x + error(), 2 * y * y - 1 + error(), 2 * y * z + error(), 0],
      ...[2 * z * x + error(), 2 * z * y + error(), 2 * z * z - 1 + error(), 0],
    );
    const [a, b, c] = [x, y, z].map((value) => (Math.max(x, y, z, 0) >= 0.7 ? value : -value));
    lineLeg(create(), end).poseAt(middle, 0.5);
    // The rotation by 90° about (a, b, c): a aᵀ + [a]×
    const quarter = [a * a, a * b - c, a * c + b, a * b + c, b * b, b * c - a, a * c - b, b * c + a, c * c];
    const found = [0, 1, 2, 4, 5, 6, 8, 9, 10].map((k) => middle[k]);
    expect(Math.max(...found.map((value, k) => Math.abs(value - quarter[k])))).toBeLessThan(1e-9);
  }
});

/** Moves a point, changes a velocity, removes a point, or ends too early. */
function mutated(motion: Trajectory, random: Random): Trajectory {
  const points = motion.points.map((point) => ({
    ...point,
    positions: [...point.positions],
    velocities: [...point.velocities!],
  }));
  const k = 1 + random.below(points.length - 2);
  const j = random.below(points[k].positions.length);
  const size = 10 ** random.between(-6, -1.5);
  switch (random.below(4)) {
    case 0:
      points[k].positions[j] += size;
      break;
    case 1:
      points[k].velocities[j] += 20 * size;
      break;
    case 2:
      points.splice(k, 1 + random.below(points.length - 1 - k));
      break;
    default:
      points.pop();
      points[points.length - 1].velocities.fill(0);
  }
  return { ...motion, points };
}
