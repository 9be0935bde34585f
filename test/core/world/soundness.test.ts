import { assert, describe, test } from 'vitest';
import { verifyCertificate } from '../../../src/core/certificate/verify.ts';
import { CollisionModel } from '../../../src/core/collision/model/collisionModel.ts';
import { CollisionManager } from '../../../src/core/collision/states/collisionManager.ts';
import { never } from '../../../src/core/math/interrupt.ts';
import { Random } from '../../../src/core/math/random.ts';
import type { Scene } from '../../../src/core/scene/scene.ts';
import type { Trajectory } from '../../../src/core/trajectory/trajectory.ts';
import { createSceneWorld } from '../../../src/core/world/sceneWorld.ts';
import { certifyTrajectory } from '../../../src/tasks/checking/certifyTrajectory.ts';
import { createTrajectoryChecker } from '../../../src/tasks/checking/checkTrajectory.ts';
import { createStateValidator } from '../../../src/tasks/validation/validateStates.ts';
import { cases } from '../../cases.ts';
import { arm, distanceAt, hermite, minimumOver } from './oracle.ts';
import { box, jointNames, randomScene, randomTrajectory, robot, sceneOf } from './randomScenes.ts';

function judge(scene: Scene, trajectory: Trajectory) {
  const world = createSceneWorld(robot, scene);
  const manager = new CollisionManager(new CollisionModel(world.robot, world.scene));
  const result = createTrajectoryChecker(robot, manager, never, world)(trajectory);
  const certificate = certifyTrajectory(manager.posed, trajectory, undefined, never, world);
  return { world, free: !result.collision && !result.unresolved, result, certificate };
}

/** Self-collisions are not the oracle's: only pairs with what moves count. */
const isSelf = (pair: readonly [string, string] | undefined) => pair?.every((name) => /^link\d$/.test(name)) === true;

test('a motion is proved if and only if the oracle finds no contact at any time, until all is at rest', () => {
  const counts = { free: 0, hit: 0, close: 0 };
  for (let seed = 1; seed <= cases(120); seed++) {
    const random = new Random(seed);
    const given = randomScene(random);
    const scene = sceneOf(given);
    const trajectory = randomTrajectory(random, 2);
    const { world, free, result, certificate } = judge(scene, trajectory);
    if (isSelf((result.collision ?? result.unresolved)?.pair)) continue;
    const end = Math.max(world.end, trajectory.points.at(-1)!.time_from_start!);
    const least = minimumOver(given, trajectory, end, 200);
    if (free) assert.isAbove(least, -1e-9, `seed ${seed}: proved, the oracle finds ${least}`);
    if (least > 1e-4) assert.isTrue(free, `seed ${seed}: free by ${least}, but ${JSON.stringify(result)}`);
    assert.equal(certificate !== undefined, free, `seed ${seed}: certificate`);
    if (certificate) assert.equal(certificate.duration, end);
    counts[free ? 'free' : least < 0 ? 'hit' : 'close']++;
  }
  assert.isAbove(counts.free, cases(15));
  assert.isAbove(counts.hit, cases(30));
});

test('a certificate does not prove the motion among objects that move otherwise', () => {
  let [refused, kept] = [0, 0];
  for (let seed = 1000; refused < 4; seed++) {
    const random = new Random(seed);
    const given = randomScene(random);
    const trajectory = randomTrajectory(random, 2);
    const { certificate, world } = judge(sceneOf(given), trajectory);
    if (!certificate) continue;
    const end = Math.max(world.end, trajectory.points.at(-1)!.time_from_start!);
    const shift = random.between(-0.3, 0.3);
    const [first, ...others] = given.boxes;
    const { times, poses } = first.motion;
    const motion =
      random.below(2) === 0
        ? { times: times.map((t, i) => (i === times.length - 1 ? t : t + shift * 0.1)), poses }
        : {
            times,
            poses: poses.map((pose) => ({ ...pose, xyz: [pose.xyz[0] + shift, pose.xyz[1], pose.xyz[2]] as const })),
          };
    if (motion.times.some((t, i) => i > 0 && !(t > motion.times[i - 1]))) continue;
    const changed = { ...given, boxes: [{ ...first, motion }, ...others] };
    const least = minimumOver(changed, trajectory, end, 150);
    const { proved } = verifyCertificate(certificate, robot, sceneOf(changed), trajectory);
    if (proved) {
      assert.isAbove(least, -1e-9, `seed ${seed}`);
      kept++;
    }
    if (least < -1e-6) {
      assert.isFalse(proved, `seed ${seed}`);
      refused++;
    }
  }
  assert.isAbove(kept, 0);
});

describe('a plate that is thin and fast', () => {
  const still: Trajectory = {
    jointNames,
    interpolation: 'cubic',
    points: [0, 1].map((time) => ({ time_from_start: time, positions: [0, 0, 0], velocities: [0, 0, 0] })),
  };
  const tip = arm.lengths.reduce((sum, length) => sum + length, 0);
  const plate = (times: number[], xyz: [number, number, number][], quats?: [number, number, number, number][]) =>
    box('plate', [0.2, 0.2, 1e-4], {
      times,
      poses: xyz.map((p, i) => ({ xyz: p, quat_wxyz: quats?.[i] ?? [1, 0, 0, 0] })),
    });
  const verdictOf = (one: ReturnType<typeof plate>, trajectory = still) => {
    const { result, certificate } = judge(sceneOf({ boxes: [one], others: [] }), trajectory);
    return { ...result, certificate };
  };

  test('that passes the tip within a microsecond is found', () => {
    const { collision, certificate } = verdictOf(
      plate(
        [0.5, 0.500001],
        [
          [tip, 0, 1],
          [tip, 0, -1],
        ],
      ),
    );
    assert.deepEqual(collision?.pair, ['link2', 'plate']);
    assert.approximately(collision!.from, 0.5000005, 1e-6);
    assert.isUndefined(certificate);
  });

  test('that arrives long after the end of the trajectory is found', () => {
    const { collision } = verdictOf(
      plate(
        [50, 51],
        [
          [tip, 0, 1],
          [tip, 0, 0.0599],
        ],
      ),
    );
    assert.isAbove(collision!.from, 50.9);
    assert.isUndefined(
      verdictOf(
        plate(
          [50, 51],
          [
            [tip, 0, 1],
            [tip, 0, 0.0602],
          ],
        ),
      ).collision,
    );
  });

  test('that was at the tip before time 0 only is no contact, and is one at time 0', () => {
    assert.isTrue(
      verdictOf(
        plate(
          [-2, -1, -0.5],
          [
            [tip, 0, 0],
            [tip, 0, 0],
            [tip, 0, 1],
          ],
        ),
      ).valid,
    );
    assert.isFalse(
      verdictOf(
        plate(
          [-2, -1, 20],
          [
            [tip, 0, 0],
            [tip, 0, 0],
            [tip, 0, 1],
          ],
        ),
      ).valid,
    );
    assert.isFalse(
      verdictOf(
        plate(
          [-2, -1],
          [
            [tip, 0, 1],
            [tip, 0, 0],
          ],
        ),
      ).valid,
    );
  });

  test('that turns nearly half a turn grazes the tip by a micrometre, or does not', () => {
    // About x through a pivot beside the tip: the edge of the plate (0.1 m from the pivot) sweeps a circle.
    const half = (179 * Math.PI) / 360;
    const turned: [number, number, number, number][] = [
      [1, 0, 0, 0],
      [Math.cos(half), 0, 0, Math.sin(half)],
    ];
    const sweep = (gap: number) => {
      const reach = Math.hypot(0.1, 0.1) + arm.radius + gap;
      return plate(
        [0.2, 0.2001],
        [
          [tip, reach, 0],
          [tip, reach, 0],
        ],
        turned,
      );
    };
    assert.isTrue(verdictOf(sweep(1e-6)).valid);
    assert.isFalse(verdictOf(sweep(-1e-6)).valid);
  });

  test('that moves in the first instant of a trajectory which begins later is found', () => {
    const late = { ...still, points: still.points.map((p) => ({ ...p, time_from_start: p.time_from_start! + 3 })) };
    const passing = plate(
      [0.5, 0.6],
      [
        [tip, 0, 1],
        [tip, 0, -1],
      ],
    );
    assert.isDefined(verdictOf(passing, late).collision);
  });
});

test('states are checked at their time', () => {
  for (let seed = 1; seed <= cases(60); seed++) {
    const random = new Random(seed);
    const given = randomScene(random);
    const validate = createStateValidator(robot, sceneOf(given), { all: true, clearance: true });
    for (let k = 0; k < 30; k++) {
      const q = jointNames.map(() => random.between(-2, 2));
      const t = random.between(-2, 5);
      const { collisions, clearance } = validate(Float64Array.from(q), t);
      const least = distanceAt(given, q, t);
      const own = collisions.filter((pair) => !isSelf(pair));
      if (Math.abs(least) > 1e-9) assert.equal(own.length > 0, least < 0, `seed ${seed}: ${least}`);
      for (const [a] of own) assert.match(a, /^link\d$/);
      if (collisions.length === 0) assert.isAtMost(clearance!, least + 1e-9);
    }
  }
});

test('a trajectory without times is refused where something moves, and without a pair is left', () => {
  const given = {
    boxes: [
      box('box', [0.1, 0.1, 0.1], {
        times: [0, 1],
        poses: [0, 1].map((x) => ({ xyz: [x, 3, 0] as const, quat_wxyz: [1, 0, 0, 0] as const })),
      }),
    ],
    others: [],
  };
  const path: Trajectory = { jointNames, points: [{ positions: [0, 0, 0] }, { positions: [1, 0, 0] }] };
  assert.throws(() => judge(sceneOf(given), path), /it has no times, but something else moves/);
  const timed = { ...path, points: path.points.map((p, i) => ({ ...p, time_from_start: i, velocities: [0, 0, 0] })) };
  const { certificate } = judge(sceneOf(given), timed);
  assert.isTrue(verifyCertificate(certificate!, robot, sceneOf(given), timed).proved);
  const missing = { ...certificate!, pairs: certificate!.pairs.slice(1) };
  assert.isFalse(verifyCertificate(missing, robot, sceneOf(given), timed).proved);
  const shorter = { ...certificate!, duration: 0.5 };
  assert.isFalse(verifyCertificate(shorter, robot, sceneOf(given), timed).proved);
  assert.isFalse(verifyCertificate({ ...certificate!, duration: 1 }, robot, sceneOf(given), path).proved);
  assert.deepEqual(hermite(timed, 2), [1, 0, 0]);
});

test('a checker for the model of a world needs what else moves: otherwise all would rest where it is at time 0', () => {
  const given = {
    boxes: [
      box('box', [0.1, 0.1, 0.1], {
        times: [0, 1],
        poses: [3, 0].map((y) => ({ xyz: [0.5, y, 0] as const, quat_wxyz: [1, 0, 0, 0] as const })),
      }),
    ],
    others: [],
  };
  const world = createSceneWorld(robot, sceneOf(given));
  const manager = new CollisionManager(new CollisionModel(world.robot, world.scene));
  assert.throws(() => createTrajectoryChecker(robot, manager), /Give the world|the collision model has 4 joints/);
  assert.doesNotThrow(() => createTrajectoryChecker(robot, manager, never, world));
});
