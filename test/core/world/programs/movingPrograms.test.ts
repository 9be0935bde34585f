import { assert, describe, test } from 'vitest';
import { verifyProgram } from '../../../../src/core/certificate/verifyProgram.ts';
import { createRobotModel } from '../../../../src/core/kinematics/createRobotModel.ts';
import { Random } from '../../../../src/core/math/random.ts';
import { hasSegment, type Step } from '../../../../src/core/scene/program.ts';
import { eventOf } from '../../../../src/core/scene/programEvents.ts';
import type { Obstacle, Scene } from '../../../../src/core/scene/scene.ts';
import type { Trajectory, TrajectoryEvent, TrajectorySegment } from '../../../../src/core/trajectory/trajectory.ts';
import { planScene } from '../../../../src/tasks/planScene.ts';
import { certifyProgram } from '../../../../src/tasks/programs/certifyProgram.ts';
import { checkProgram } from '../../../../src/tasks/programs/checks/checkProgram.ts';
import { cases } from '../../../cases.ts';
import { sampledProgram } from './carryingOracle.ts';
import { at, description, jointNames, move, moving, randomProgram, reference, robot } from './randomPrograms.ts';

/** Carries the steps out without any planning: every move is one cubic, with random waits before it. */
function carriedOut({ start, steps = [] }: Scene, random: Random): Trajectory {
  const points = [{ time_from_start: 0, positions: [...(start as number[])], velocities: [0, 0, 0] }];
  const segments: TrajectorySegment[] = [];
  const events: TrajectoryEvent[] = [];
  let time = 0;
  const goTo = (positions: number[], duration: number) => {
    time = Math.round((time + duration) * 1e9) / 1e9;
    points.push({ time_from_start: time, positions, velocities: [0, 0, 0] });
  };
  for (const step of steps) {
    const from = time;
    if (step.kind === 'move') {
      if (random.below(3) === 0) goTo(points.at(-1)!.positions, random.between(0.1, 1));
      const [goal] = step.goals;
      goTo(goal.kind === 'joints' ? [...(goal.joints as number[])] : [], random.between(0.3, 1.5));
      if (random.below(3) === 0) goTo(points.at(-1)!.positions, random.between(0.1, 1));
    } else if (step.kind === 'wait') goTo(points.at(-1)!.positions, step.duration);
    else if (!hasSegment(step)) {
      events.push(eventOf(step, time, 'link2'));
      continue;
    }
    segments.push({ step: step.index, kind: step.kind, from, to: time });
  }
  return { jointNames, points, interpolation: 'cubic', segments, events };
}

const judge = (scene: Scene, trajectory: Trajectory) =>
  checkProgram(robot, scene, trajectory, { checker: 'growth-distance' });

/** Self-collisions of the arm are not the oracle's. */
const isSelf = (pair: readonly [string, string] | undefined) => pair?.every((name) => /^link\d$/.test(name)) === true;

test('a program is proved if and only if sampling finds no contact, no attachment of what moves', () => {
  const counts = { free: 0, hit: 0, early: 0, refused: 0 };
  for (let seed = 1; seed <= cases(40, 1 / 4); seed++) {
    const random = new Random(seed);
    const scene = randomProgram(random, random.between(0, 3));
    const trajectory = carriedOut(scene, random);
    const result = judge(scene, trajectory);
    if (isSelf((result.collision ?? result.unresolved)?.pair)) continue;
    const { least, time, trouble } = sampledProgram(scene, trajectory, 100);
    const isProved = result.stepFaults.length === 0 && !result.collision && !result.unresolved;
    if (isProved) {
      assert.isAbove(least, -1e-9, `seed ${seed}: proved, sampling finds ${least} at ${time}`);
      assert.deepEqual(trouble, [], `seed ${seed}`);
    } else if (trouble.length === 0) assert.isBelow(least, 5e-3, `seed ${seed}: ${JSON.stringify(result.collision)}`);
    if (trouble.length > 0) assert.match(result.stepFaults[0].what, /still moves at/, `seed ${seed}`);
    counts[isProved ? 'free' : trouble.length > 0 ? 'early' : 'hit']++;
    if (!isProved) continue;

    const certificate = certifyProgram(trajectory, result.intervals, robot, scene)!;
    assert.isTrue(verifyProgram(certificate, robot, scene, trajectory).proved, `seed ${seed}`);
    const ends = [
      ...scene.obstacles.map(({ motion }) => motion!.times.at(-1)!),
      trajectory.points.at(-1)!.time_from_start!,
    ];
    assert.isAtLeast(certificate.duration, Math.max(...ends), `seed ${seed}`);
    // the same certificate among obstacles that move otherwise
    const shift = random.between(-0.4, 0.4);
    const obstacles = scene.obstacles.map((one) => ({
      ...one,
      motion: {
        ...one.motion!,
        poses: one.motion!.poses.map((pose) => ({
          ...pose,
          xyz: [pose.xyz[0] + shift, pose.xyz[1], pose.xyz[2]] as const,
        })),
      },
    }));
    const other = { ...scene, obstacles };
    const verdict = verifyProgram(certificate, robot, other, trajectory);
    const sampled = sampledProgram(other, trajectory, 100);
    if (verdict.proved) assert.isAbove(sampled.least, -1e-9, `seed ${seed}: proved elsewhere`);
    else counts.refused++;
  }
  assert.isAbove(counts.free, cases(4, 1 / 4) - 1);
  assert.isAbove(counts.hit, cases(5, 1 / 4));
  assert.isAbove(counts.early, cases(2, 1 / 4) - 1);
  assert.isAbove(counts.refused, cases(2, 1 / 4) - 1);
});

const slow = Object.fromEntries(description.joints.map(({ name }) => [name, { velocity: 2, acceleration: 8 }]));

/** Plans a program, and samples the result at 1 kHz. */
function solve(given: Scene) {
  const scene: Scene = { ...given, robot: { ...reference, limits: slow } };
  const model = createRobotModel(description, scene.robot);
  const result = planScene({ scene, robot: description }, { certificate: true });
  if (result.trajectory) {
    const { least, time, trouble } = sampledProgram(scene, result.trajectory, 1000);
    assert.isAbove(least, -1e-9, `at ${time} s`);
    assert.deepEqual(trouble, []);
    assert.isTrue(checkProgram(model, scene, result.trajectory, { checker: 'gjk' }).valid);
    assert.isTrue(verifyProgram(result.certificate!, model, scene, result.trajectory).proved);
  }
  return result;
}

const segmentOf = ({ trajectory }: ReturnType<typeof solve>, step: number) =>
  trajectory!.segments!.find((segment) => segment.step === step)!;

describe('a planned program', () => {
  test('is free of contacts at 1 kHz, from the start until all is at rest, in random scenes', () => {
    let solved = 0;
    for (let seed = 1; seed <= cases(6, 1 / 4); seed++) {
      const random = new Random(seed);
      const result = solve(randomProgram(random, random.between(0, 3)));
      if (result.trajectory) solved++;
      else assert.match(result.status, /step-failed|start-in-collision/, `seed ${seed}`);
    }
    assert.isAtLeast(solved, cases(2, 1 / 4));
  });

  const out = [0, 0, 0];
  const up = [0, -1.2, 0];
  const still = (steps: Step[], obstacles: Obstacle[]): Scene => ({
    ...randomProgram(new Random(1), 1),
    robots: [],
    start: out,
    obstacles,
    steps,
  });
  /** Passes the stretched arm from `from` to `to`. */
  const passing = (from: number, to: number) =>
    moving(
      'gate',
      { type: 'box', size: [0.3, 0.1, 0.3] },
      { times: [from, to], poses: [at(0.95, -1, 0), at(0.95, 1, 0)] },
    );

  test('waits before a wait of its own, if an obstacle arrives during that', () => {
    // the gate is near the end of the arm about 1 s, when the wait would begin
    const program = still(
      [move(0, up), move(1, out), { kind: 'wait', index: 2, duration: 0.8 }, move(3, up)],
      [passing(1, 4)],
    );
    const alone = solve({ ...program, obstacles: [] });
    const found = solve(program);
    const wait = segmentOf(found, 2);
    assert.closeTo(wait.to - wait.from, 0.8, 1e-9);
    assert.isAbove(wait.from, segmentOf(alone, 2).from + 0.1);
  });

  test('fails if an obstacle arrives at its end and stays', () => {
    const stays = moving(
      'gate',
      { type: 'box', size: [0.3, 0.1, 0.3] },
      { times: [5, 9], poses: [at(0.95, -1, 0), at(0.95, 0, 0)] },
    );
    const { status, reason } = solve(still([move(0, up), move(1, out)], [stays]));
    assert.equal(status, 'step-failed');
    assert.match(reason, /step 1 \(move\): .*"gate"/);
  });

  test('attaches an object when it has come to rest, not before', () => {
    const part = moving(
      'part',
      { type: 'sphere', radius: 0.03 },
      { times: [0, 1 / 3 + 4], poses: [at(1.2, -2, 0), at(1.2, 0, 0)] },
    );
    const grasp: Step = { kind: 'attach', index: 2, object: 'part', link: 'link2', touches: [] };
    const found = solve(still([move(0, up), move(1, out), grasp, move(3, up)], [part]));
    assert.isAtLeast(found.trajectory!.events![0].time, 1 / 3 + 4);
    const early = solve(
      still(
        [grasp, move(3, up)].map((step, index) => ({ ...step, index }) as Step),
        [part],
      ),
    );
    assert.match(early.reason, /step 0 \(attach\): the object rests from 4.333 s on/);
    const turned = { ...part, motion: { ...part.motion!, times: [-5, -1] } };
    assert.equal(
      solve(
        still(
          [grasp, move(3, up)].map((step, index) => ({ ...step, index }) as Step),
          [turned],
        ),
      ).status,
      'solved',
    );
  });

  test('is the same for equal seeds', () => {
    const program = still([move(0, up), move(1, out), move(2, [2, 0, 0])], [passing(0, 2)]);
    assert.deepEqual(solve(program).trajectory, solve(program).trajectory);
  });
});
