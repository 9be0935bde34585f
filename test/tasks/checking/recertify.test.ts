import { describe, expect, test } from 'vitest';
import type { Certificate } from '../../../src/core/certificate/certificate.ts';
import type { CertifiedScene } from '../../../src/core/certificate/convexParts.ts';
import type { Room } from '../../../src/core/certificate/obstacleRoom.ts';
import { verifyCertificate } from '../../../src/core/certificate/verify.ts';
import { CollisionModel } from '../../../src/core/collision/model/collisionModel.ts';
import { CollisionManager } from '../../../src/core/collision/states/collisionManager.ts';
import { createRobotModel } from '../../../src/core/kinematics/createRobotModel.ts';
import { Random } from '../../../src/core/math/random.ts';
import type { Trajectory, TrajectoryPoint } from '../../../src/core/trajectory/trajectory.ts';
import { TrajectoryCurve } from '../../../src/core/trajectory/trajectoryCurve.ts';
import { Recertifier } from '../../../src/tasks/checking/recertify.ts';
import { at, body, joint, link, motionOf, robotOf, slidingBox } from '../../core/certificate/worlds.ts';
import { randomObstacles, randomRobot, randomShape, sceneOf } from '../../helpers/robots.ts';

/** The scene with obstacle `name` moved by (x, y, z). */
function moved(scene: CertifiedScene, name: string, by: readonly number[]): CertifiedScene {
  const obstacles = scene.obstacles.map((obstacle) => {
    if (obstacle.name !== name) return obstacle;
    const [x, y, z] = obstacle.pose.xyz;
    return { ...obstacle, pose: { ...obstacle.pose, xyz: [x + by[0], y + by[1], z + by[2]] as const } };
  });
  return { ...scene, obstacles };
}

/** A cube that slides past a wall (5 cm away), with a post far off and a second cube that stands on the rail's end. */
function slidingWorld() {
  const robot = robotOf(
    [link('rail'), link('slider', [{ type: 'box', size: [0.2, 0.2, 0.2] }])],
    [joint('prismatic', ['rail', 'slider'], [1, 0, 0], { lower: -1, upper: 2, velocity: 1, acceleration: 4 })],
  );
  const wall = body('wall', at(0.5, 0.2, 0), { type: 'box', size: [4, 0.1, 1] });
  const post = body('post', at(0.5, -1, 0), { type: 'cylinder', radius: 0.1, length: 1 });
  const scene: CertifiedScene = { obstacles: [wall, post], attached: [], allow: [], padding: 0 };
  const trajectory = motionOf(robot, [
    { time_from_start: 0, positions: [0], velocities: [0] },
    { time_from_start: 2, positions: [1], velocities: [0] },
  ]);
  const first = new Recertifier({ robot, scene }).recertify(trajectory);
  return { robot, scene, trajectory, certificate: first.certificate! };
}

/**
 * Robots of 2–9 joints among obstacles of two parts, with motions that are proved free, as points with velocities or
 * without.
 */
function* provedWorlds(seed: number, count: number, padding = 0) {
  const random = new Random(seed);
  for (let made = 0; made < count; ) {
    const described = randomRobot(random, 2 + random.below(8));
    const empty = described.links.filter(({ collisions }) => collisions.length === 0).map(({ name }) => name);
    const robot = createRobotModel(described, { empty }); // some random robots have no collision geometry
    if (robot.dof === 0) continue;
    const obstacles = randomObstacles(random, 4, 1.2).map((one) => {
      return { ...one, parts: [...one.parts, { shape: randomShape(random, 0.2), at: at(0.1, 0, 0.1) }] };
    });
    const scene = sceneOf(obstacles, { padding });
    const positions = robot.variables.map(() => random.between(-1, 1));
    const timed = random.below(2) === 0;
    const points: TrajectoryPoint[] = [0, 1, 2].map((i) => ({
      ...(timed && { time_from_start: 0.5 + i * 0.7 }),
      positions: positions.map((x) => x + random.between(-0.3, 0.3)),
      ...(timed && { velocities: positions.map(() => random.between(-0.3, 0.3)) }),
    }));
    const trajectory = motionOf(robot, points);
    const answer = new Recertifier({ robot, scene }).recertify(trajectory);
    if (!answer.certificate || answer.pairs.renewed === 0) continue;
    made++;
    yield { random, robot, scene, trajectory, answer, label: `seed ${seed}, world ${made}` };
  }
}

const axes = ['x', 'y', 'z'] as const;

/** Each way that an obstacle can go, as a unit vector, with how far it may. */
function waysOf(room: Readonly<Record<string, Room>>) {
  return Object.entries(room).flatMap(([name, found]) =>
    axes.flatMap((axis, k) =>
      [-1, 1].map((sign) => {
        const metres = found[axis][sign < 0 ? 0 : 1];
        return {
          name,
          unit: [0, 1, 2].map((i) => (i === k ? sign : 0)),
          metres: metres === null ? null : sign * metres,
        };
      }),
    ),
  );
}

describe('room', () => {
  test('of a wall beside a slide is the gap towards it, and without end along it and away from it', () => {
    const { robot, scene, trajectory } = slidingBox();
    const { status, room } = new Recertifier({ robot, scene }).recertify(trajectory);
    expect(status).toBe('proved');
    const [back, forth] = room!['wall'].y;
    expect(-back!).toBeGreaterThan(0.05 * 0.98 - 1e-4);
    expect(-back!).toBeLessThan(0.05);
    expect({ ...room!['wall'], forth }).toMatchObject({ x: [null, null], z: [null, null], forth: null });
  });

  test('padding is taken off it', () => {
    const { robot, scene, trajectory } = slidingBox({ padding: 0.03 });
    const [back] = new Recertifier({ robot, scene }).recertify(trajectory).room!['wall'].y;
    expect(-back!).toBeGreaterThan(0.02 * 0.98 - 1e-4);
    expect(-back!).toBeLessThan(0.02);
  });

  test.each([
    ['without padding', 3, 0],
    ['with padding', 4, 0.01],
  ])(
    'is never too much: the same planes prove the obstacle moved by 0.99 of it, and not by 1.05, %s',
    (_, seed, padding) => {
      let seen = 0;
      for (const { robot, scene, trajectory, answer, label } of provedWorlds(seed, 8, padding)) {
        for (const { name, unit, metres } of waysOf(answer.room!)) {
          if (metres === null || metres > 5 || metres < 0.02) continue; // below, a tenth of a millimetre is much of it
          seen++;
          const at = (share: number) =>
            moved(
              scene,
              name,
              unit.map((u) => u * metres * share),
            );
          const place = `${label}: ${name} by ${unit.map((u) => u * metres)}`;
          expect(verifyCertificate(answer.certificate!, robot, at(0.99), trajectory), place).toMatchObject({
            proved: true,
          });
          expect(verifyCertificate(answer.certificate!, robot, at(1.05), trajectory).proved, place).toBe(false);
        }
      }
      expect(seen).toBeGreaterThan(40);
    },
  );

  test('is omitted if the option `room` is false', () => {
    const { robot, scene, trajectory } = slidingWorld();
    expect(new Recertifier({ robot, scene }, { room: false }).recertify(trajectory).room).toBeUndefined();
  });
});

describe('of the pairs', () => {
  test('unchanged pairs are not checked again; for the others, the old planes are tried first', () => {
    const { robot, scene, trajectory, certificate } = slidingWorld();
    const now = moved(scene, 'post', [0, -0.1, 0]);
    const before = { robot, scene };
    const answer = new Recertifier({ robot, scene: now }, { before }).recertify(trajectory, certificate);
    expect(answer).toMatchObject({ status: 'proved', pairs: { unchanged: 1, kept: 1, renewed: 0, lost: 0 } });
    expect(answer.certificate).toEqual(certificate);

    // A plane that proves nothing: passed unseen for the wall, which is as before, and seen through for the post.
    const planes = certificate.pairs.map((pair) => ({ ...pair, spans: [[0, 2, 0, 0, 1] as const] }));
    const forged: Certificate = { ...certificate, pairs: planes };
    const trusting = new Recertifier({ robot, scene: now }, { before, room: false }).recertify(trajectory, forged);
    expect(trusting.pairs).toEqual({ unchanged: 1, kept: 0, renewed: 1, lost: 0 });
    const doubting = new Recertifier({ robot, scene: now }, { room: false }).recertify(trajectory, forged);
    expect(doubting.pairs).toEqual({ unchanged: 0, kept: 0, renewed: 2, lost: 0 });
    expect(verifyCertificate(doubting.certificate!, robot, now, trajectory).proved).toBe(true);
  });

  test('no pair counts as unchanged if the padding grows or the robot moves differently', () => {
    const { robot, scene, trajectory, certificate } = slidingWorld();
    const padded = { ...scene, padding: 0.01 };
    const elsewhere = createRobotModel(robot.description, { pose: at(0, -0.001, 0) });
    const recertify = (world: { robot: typeof robot; scene: CertifiedScene }) =>
      new Recertifier(world, { before: { robot, scene } }).recertify(trajectory, certificate).pairs;
    expect(recertify({ robot, scene: padded })).toMatchObject({ unchanged: 0, kept: 2 });
    expect(recertify({ robot: elsewhere, scene })).toMatchObject({ unchanged: 0, kept: 2 });
    expect(recertify({ robot, scene: { ...scene, padding: 0 } })).toMatchObject({ unchanged: 2 });
  });

  test('a pair whose old planes fail is proved anew where it can be', () => {
    const { robot, scene, trajectory, certificate } = slidingWorld();
    const now = moved(scene, 'wall', [0, -0.6, 0]); // to the other side of the slide
    const answer = new Recertifier({ robot, scene: now }).recertify(trajectory, certificate);
    expect(answer).toMatchObject({ status: 'proved', pairs: { unchanged: 0, kept: 1, renewed: 1, lost: 0 } });
    expect(verifyCertificate(answer.certificate!, robot, now, trajectory).proved).toBe(true);
    expect(verifyCertificate(certificate, robot, now, trajectory).proved).toBe(false);
  });

  test('lost pairs are reported with a time at which they collide, and the counts of the other pairs are still reported', () => {
    const { robot, scene, trajectory, certificate } = slidingWorld();
    const now = moved(scene, 'wall', [0, -0.1, 0]);
    const answer = new Recertifier({ robot, scene: now }).recertify(trajectory, certificate);
    expect(answer).toMatchObject({
      status: 'collision',
      pairs: { unchanged: 0, kept: 1, renewed: 0, lost: 1 },
      lost: [{ pair: ['slider', 'wall'], status: 'collision' }],
      certificate: undefined,
      room: undefined,
    });
    const q = new Float64Array(1);
    new TrajectoryCurve(trajectory).position(q, answer.lost[0].time);
    expect(new CollisionManager(new CollisionModel(robot, now)).isCollisionFree(q)).toBe(false);
  });

  test('that of the straight way between points is none of the curve through them, though the hash is the same', () => {
    const { robot, scene } = slidingWorld();
    const post = body('post', at(0.5, 0, 0), { type: 'sphere', radius: 0.1 });
    const world = { robot, scene: { ...scene, obstacles: [post] } };
    const bent = motionOf(robot, [
      { time_from_start: 0, positions: [-0.5], velocities: [4] },
      { time_from_start: 2, positions: [-0.5], velocities: [-4] },
    ]);
    const straight = new Recertifier(world).recertify({ ...bent, interpolation: 'linear' });
    expect(straight.pairs.lost).toBe(0);
    const again = new Recertifier(world, { before: world }).recertify(bent, straight.certificate);
    expect(again.status).toBe('collision');
    expect(again.certificate).toBeUndefined();
  });

  test('the certificate of another motion, or one that is broken, is as good as none', () => {
    const { robot, scene, trajectory, certificate } = slidingWorld();
    const broken: Certificate[] = [
      { ...certificate, trajectory: 'another' },
      { ...certificate, duration: 1 },
      { ...certificate, pairs: [] },
      { ...certificate, pairs: certificate.pairs.map((pair) => ({ ...pair, spans: [[0, 1, 0, 1, 0] as const] })) },
      { ...certificate, pairs: certificate.pairs.map((pair) => ({ ...pair, a: pair.b, b: pair.a })) },
    ];
    for (const old of broken) {
      const { pairs, status } = new Recertifier({ robot, scene }, { room: false }).recertify(trajectory, old);
      expect({ pairs, status }).toEqual({
        pairs: { unchanged: 0, kept: 0, renewed: 2, lost: 0 },
        status: 'proved',
      });
    }
  });
});

test('what is proved in a scene with one obstacle moved is accepted by verify, and what is lost collides', () => {
  const seen = { kept: 0, renewed: 0, unchanged: 0, lost: 0 };
  for (const { random, robot, scene, trajectory, answer, label } of provedWorlds(5, 30)) {
    const obstacle = scene.obstacles[random.below(4)];
    const share = random.between(0, 1); // of the way to the robot's base
    const now = moved(
      scene,
      obstacle.name,
      obstacle.pose.xyz.map((x) => -share * x),
    );
    const recertifier = new Recertifier({ robot, scene: now }, { before: { robot, scene }, room: false });
    const again = recertifier.recertify(trajectory, answer.certificate);
    for (const key of ['kept', 'renewed', 'unchanged', 'lost'] as const) seen[key] += again.pairs[key];
    if (again.certificate) {
      const verdict = verifyCertificate(again.certificate, robot, now, trajectory);
      expect(verdict, label).toMatchObject({ proved: true, problems: [] });
    }
    const q = new Float64Array(robot.dof);
    for (const { time, status } of again.lost) {
      if (status !== 'collision') continue;
      new TrajectoryCurve(trajectory).position(q, time);
      expect(new CollisionManager(new CollisionModel(robot, now)).isCollisionFree(q), label).toBe(false);
    }
  }
  expect(seen.kept).toBeGreaterThan(100);
  expect(seen.renewed).toBeGreaterThan(5);
  expect(seen.unchanged).toBeGreaterThan(500);
  expect(seen.lost).toBeGreaterThan(5);
});

describe('motions of others', () => {
  const robot = createRobotModel({
    ...robotOf(
      [link('rail'), link('slider'), link('cup', [{ type: 'sphere', radius: 0.1 }])],
      [
        joint('prismatic', ['rail', 'slider'], [1, 0, 0], { lower: -1, upper: 2, velocity: 1 }),
        joint('revolute', ['slider', 'cup'], [0, 0, 1], { lower: -2, upper: 2, velocity: 1 }),
      ],
    ).description,
  });
  const scene = sceneOf([body('wall', at(0.5, 0.2, 0), { type: 'box', size: [4, 0.1, 1] })]);
  /** Begins late, and has its joints in another order. */
  const late: Trajectory = {
    jointNames: ['to_cup', 'to_slider'],
    points: [
      { time_from_start: 0.7, positions: [0, 0], velocities: [0, 0] },
      { time_from_start: 2.7, positions: [0.1, 1], velocities: [0, 0] },
    ],
  };

  test('may begin late and name their joints in any order: the proof is of the points as they stand, from 0 on', () => {
    const { certificate, status } = new Recertifier({ robot, scene }).recertify(late);
    expect(status).toBe('proved');
    expect(certificate).toMatchObject({ duration: 2.7 });
    expect(certificate!.pairs[0].spans[0][0]).toBe(0);
    expect(verifyCertificate(certificate!, robot, scene, late)).toMatchObject({ proved: true, problems: [] });
  });

  test('that begin before 0 are refused by name', () => {
    const early = {
      ...late,
      points: late.points.map((point) => ({ ...point, time_from_start: point.time_from_start! - 1 })),
    };
    expect(() => new Recertifier({ robot, scene }).recertify(early, undefined, 'early.csv')).toThrow(
      'early.csv: the motion begins at t = -0.30000000000000004, before 0',
    );
  });

  test('that break a limit are proved free all the same, but not to be run', () => {
    const fast = {
      ...late,
      points: late.points.map((point) => ({ ...point, time_from_start: point.time_from_start! / 3 })),
    };
    const answer = new Recertifier({ robot, scene }).recertify(fast);
    expect(answer).toMatchObject({ status: 'out-of-limits', pairs: { renewed: 1, lost: 0 } });
    expect(answer.faults.map(({ kind }) => kind)).toEqual(['velocity', 'acceleration']);
    expect(answer.certificate).toBeDefined();
  });
});

describe('a motion of absurd speed', () => {
  /** An arm that turns among posts outside its swept disc, but within the box about it. */
  const robot = robotOf(
    [link('base'), link('arm', [{ type: 'capsule', radius: 0.05, length: 0.8 }])],
    [joint('revolute', ['base', 'arm'], [1, 0, 0], { lower: -1e6, upper: 1e6, velocity: 1e9, acceleration: 1e12 })],
  );
  const obstacles = Array.from({ length: 24 }, (_, i) =>
    body(`post ${i}`, at(0, i % 2 ? 0.42 : -0.42, i % 4 < 2 ? 0.42 : -0.42), { type: 'sphere', radius: 0.06 }),
  );
  const scene: CertifiedScene = { obstacles, attached: [], allow: [], padding: 0 };
  const motion = (speed: number) =>
    motionOf(robot, [
      { time_from_start: 0, positions: [0], velocities: [speed] },
      { time_from_start: 1, positions: [1], velocities: [-speed] },
    ]);

  test('uses the limit of intervals for the first pairs only; all others are unresolved without a proof', () => {
    const limit = 500;
    const { status, pairs, lost, certificate } = new Recertifier({ robot, scene }, { intervals: limit }).recertify(
      motion(1e7),
    );
    expect([status, pairs['lost'], certificate]).toEqual(['unresolved', 24, undefined]);
    expect(lost.every((one) => one.status === 'unresolved')).toBe(true);
    // Those that were tried stop in the middle of the motion; the others are lost from its start on.
    expect(lost.filter(({ time }) => time > 0).length).toBe(3);
    expect(lost.filter(({ time }) => time === 0).length).toBe(21);
  });

  test('does not keep a later motion from being proved', () => {
    const recertifier = new Recertifier({ robot, scene }, { intervals: 2000 });
    expect(recertifier.recertify(motion(1e7)).status).toBe('unresolved');
    expect(recertifier.recertify(motion(0)).status).toBe('proved');
  });
});

test('old planes are checked again if the motion begins at another start than in the scene before', () => {
  const { robot, scene } = slidingWorld();
  const trajectory = motionOf(robot, [
    { time_from_start: 2, positions: [0.5], velocities: [0] },
    { time_from_start: 4, positions: [1], velocities: [0] },
  ]);
  const stop = body('stop', at(0.1, 0, 0), { type: 'box', size: [0.1, 0.1, 0.1] });
  const before = { robot, scene: { ...scene, obstacles: [stop], start: [0.5] } };
  const { certificate } = new Recertifier(before).recertify(trajectory);
  const now = { ...before.scene, start: [-0.3] }; // beyond the stop
  expect(verifyCertificate(certificate!, robot, now, trajectory).proved).toBe(false);
  expect(new Recertifier({ robot, scene: now }, { before }).recertify(trajectory, certificate).status).toBe(
    'collision',
  );
  const same = new Recertifier(before, { before }).recertify(trajectory, certificate);
  expect(same).toMatchObject({ status: 'proved', pairs: { unchanged: 1 } });
});
