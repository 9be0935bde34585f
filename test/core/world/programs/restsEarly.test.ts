import { assert, describe, test } from 'vitest';
import { CERTIFICATE_FORMAT, type Certificate } from '../../../../src/core/certificate/certificate.ts';
import { certifiedParts, checkedPairs } from '../../../../src/core/certificate/convexParts.ts';
import { motionPieces } from '../../../../src/core/certificate/motionPieces.ts';
import { PlaneProver } from '../../../../src/core/certificate/planeProver.ts';
import { verifyProgram } from '../../../../src/core/certificate/verifyProgram.ts';
import { createRobotModel } from '../../../../src/core/kinematics/createRobotModel.ts';
import type { EventStep, Step } from '../../../../src/core/scene/program.ts';
import { eventOf } from '../../../../src/core/scene/programEvents.ts';
import type { Obstacle, Scene } from '../../../../src/core/scene/scene.ts';
import type { Trajectory } from '../../../../src/core/trajectory/trajectory.ts';
import { trajectoryHash } from '../../../../src/core/trajectory/trajectoryHash.ts';
import { planScene } from '../../../../src/tasks/planScene.ts';
import { certifyProgram } from '../../../../src/tasks/programs/certifyProgram.ts';
import { checkProgram } from '../../../../src/tasks/programs/checks/checkProgram.ts';
import { armDescription } from '../oracle.ts';

const description = armDescription();
const reference = {
  packages: {},
  fixed: {},
  limits: Object.fromEntries(description.joints.map(({ name }) => [name, { velocity: 2, acceleration: 8 }])),
  pose: { xyz: [0, 0, 0], quat_wxyz: [1, 0, 0, 0] },
  parts: 'hull',
} as const;
const robot = createRobotModel(description, reference);

const at = (x: number, y: number, z: number) => ({ xyz: [x, y, z], quat_wxyz: [1, 0, 0, 0] }) as const;

const move = (index: number, joints: number[]): Step => ({
  kind: 'move',
  index,
  goals: [{ kind: 'joints', joints }],
  speed: 1,
  acceleration: 1,
  blend: 0,
  tolerance: { position: 1e-4, angle: 1e-3 },
  constraints: [],
});
const wait = (index: number, duration: number): Step => ({ kind: 'wait', index, duration });
const grasp = (index: number): EventStep => ({ kind: 'attach', index, object: 'part', link: 'link2', touches: [] });

/** The only object that moves: at rest from 1 s on, although its motion states its pose until 20 s. */
const part: Obstacle = {
  name: 'part',
  parts: [{ shape: { type: 'sphere', radius: 0.03 } }],
  pose: at(1.2, -2, 0),
  motion: { times: [0, 1, 20], poses: [at(1.2, -2, 0), at(1.2, 0, 0), at(1.2, 0, 0)] },
};
const wall: Obstacle = {
  name: 'wall',
  parts: [{ shape: { type: 'box', size: [0.1, 0.1, 0.1] } }],
  pose: at(1.2, 0, 0),
};

const sceneOf = (steps: Step[], obstacles: Obstacle[]): Scene => ({
  name: 'rests-early',
  robot: reference,
  start: [1, 0, 0],
  goals: [],
  equivalent: false,
  obstacles,
  attached: [],
  allow: [],
  padding: 0,
  steps,
});

/** Moves for 2 s, then an event happens at the very end. */
function movedTo(last: EventStep): Trajectory {
  const points = [
    [0, 1],
    [2, 0],
  ].map(([time, angle]) => ({ time_from_start: time, positions: [angle, 0, 0], velocities: [0, 0, 0] }));
  return {
    jointNames: robot.variables.map(({ name }) => name),
    interpolation: 'cubic',
    points,
    segments: [{ step: 0, kind: 'move', from: 0, to: 2 }],
    events: [eventOf(last, 2, 'link2')],
  };
}

describe('a program that attaches all that moves, and ends before the motion that is stated for it', () => {
  test('is planned and certified until then', () => {
    const arrive = [move(0, [0.5, 0, 0]), wait(1, 1), move(2, [0, 0, 0]), grasp(3)];
    for (const steps of [arrive, [...arrive, move(4, [0.4, 0, 0])]]) {
      const scene = sceneOf(steps, [part]);
      const { trajectory, certificate } = planScene({ scene, robot: description }, { certificate: true });
      assert.equal(certificate!.segments!.at(-1)!.to, 20);
      assert.isTrue(verifyProgram(certificate!, robot, scene, trajectory!).proved);
    }
  });

  test('is not proved if the object then collides, whatever the certificate states', () => {
    // an event that changes nothing in its place: the certificate of this program covers the same times
    const nothing: EventStep = { kind: 'allow', index: 1, pairs: [] };
    const harmless = sceneOf([move(0, [0, 0, 0]), nothing], [part, wall]);
    const { intervals, valid } = checkProgram(robot, harmless, movedTo(nothing), { checker: 'gjk' });
    assert.isTrue(valid);
    const honest = certifyProgram(movedTo(nothing), intervals, robot, harmless)!;

    const scene = sceneOf([move(0, [0, 0, 0]), grasp(1)], [part, wall]);
    const { collision } = checkProgram(robot, scene, movedTo(grasp(1)), { checker: 'gjk' });
    assert.deepEqual(collision?.pair, ['part', 'wall']);
    assert.equal(collision?.from, 2);
    const [first, second] = honest.segments!;
    const invented = [...first.pairs, { a: 'part', partA: 0, b: 'wall', partB: 0, spans: [] }].map((pair) => ({
      ...pair,
      spans: [[2, 20, 1, 0, 0] as const],
    }));
    const forged: Certificate = { ...honest, segments: [first, { ...second, pairs: invented }] };
    assert.isFalse(verifyProgram(forged, robot, scene, movedTo(grasp(1))).proved);
  });
});

test('an object attached at the very end is proved where it is then, not only before', () => {
  const { motion: _, ...still } = part;
  const program = (x: number) => sceneOf([move(0, [0, 0, 0]), grasp(1)], [still, { ...wall, pose: at(x, 0, 0) }]);
  const trajectory = movedTo(grasp(1));
  const apart = program(4);
  const { intervals, valid } = checkProgram(robot, apart, trajectory, { checker: 'gjk' });
  assert.isTrue(valid);
  const certificate = certifyProgram(trajectory, intervals, robot, apart)!;
  assert.isTrue(verifyProgram(certificate, robot, apart, trajectory).proved);
  const [first, last] = certificate.segments!;
  assert.deepEqual([first.to, last.from, last.to], [2, 2, 2]);
  assert.isFalse(verifyProgram({ ...certificate, segments: [first] }, robot, apart, trajectory).proved);

  // the part, far from the wall until it is attached, is within it: obstacles may overlap each other
  const within = program(1.2);
  const { obstacles } = within;
  const inWall = { ...within, obstacles: [{ ...still, pose: obstacles[1].pose }, obstacles[1]] };
  assert.isFalse(checkProgram(robot, inWall, trajectory, { checker: 'gjk' }).valid);
  assert.isFalse(verifyProgram(certificate, robot, inWall, trajectory).proved);
  assert.isFalse(verifyProgram({ ...certificate, segments: [first] }, robot, inWall, trajectory).proved);
});

test('an event at the end is certified if its segment ends a rounding before or after the motion', () => {
  const scene = sceneOf([move(0, [0, 0, 0]), grasp(1)], [part]);
  for (const by of [-5e-10, 0, 5e-10]) {
    const trajectory = { ...movedTo(grasp(1)), segments: [{ step: 0, kind: 'move' as const, from: 0, to: 2 + by }] };
    const { intervals, stepFaults } = checkProgram(robot, scene, trajectory, { checker: 'gjk' });
    assert.deepEqual(stepFaults, []);
    assert.isDefined(certifyProgram(trajectory, intervals, robot, scene), `${by}`);
  }
});

test('a program that takes no time is proved where it is, not without a plane', () => {
  const [point] = movedTo(grasp(1)).points;
  const { jointNames } = movedTo(grasp(1));
  for (const time of [0, 2]) {
    const points = [{ ...point, time_from_start: time, positions: [0, 0, 0] }];
    const trajectory: Trajectory = { jointNames, points, segments: [], events: [], interpolation: 'cubic' };
    for (const x of [5, 1]) {
      const scene = { ...sceneOf([], [{ ...wall, pose: at(x, 0, 0) }]), start: [0, 0, 0] };
      const { intervals, valid } = checkProgram(robot, scene, trajectory, { checker: 'gjk' });
      assert.equal(valid, x === 5);
      const certificate = x === 5 ? certifyProgram(trajectory, intervals, robot, scene) : undefined;
      const empty: Certificate = {
        format: CERTIFICATE_FORMAT,
        trajectory: trajectoryHash(trajectory),
        duration: time,
        pairs: [],
        segments: [],
      };
      assert.isFalse(verifyProgram(empty, robot, scene, trajectory).proved);
      if (x === 5) assert.isTrue(verifyProgram(certificate!, robot, scene, trajectory).proved);
      else assert.isUndefined(certificate);
    }
  }
});

test('a plane is not proved for times outside of the motion', () => {
  const far = { ...wall, pose: at(5, 0, 0) };
  const scene = sceneOf([], [far]);
  const parts = certifiedParts(robot, scene);
  const [pair] = checkedPairs(robot, scene, parts).filter(([, b]) => b.object === 'wall');
  const prover = new PlaneProver(robot, motionPieces(movedTo(grasp(1))), scene);
  prover.setPair(...pair);
  const proves = (from: number, to: number) => prover.provesSpan(from, to, Float64Array.of(1, 0, 0));
  for (const [from, to] of [
    [0, 2],
    [2, 2],
  ])
    assert.isTrue(proves(from, to), `${from} to ${to}`);
  for (const [from, to] of [
    [2, 3],
    [3, 4],
    [-1, 0],
    [0, 2.1],
  ])
    assert.isFalse(proves(from, to), `${from} to ${to}`);
});
