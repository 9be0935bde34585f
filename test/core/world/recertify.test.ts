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
import { Recertifier } from '../../../src/tasks/checking/recertify.ts';
import { minimumOver, type OracleScene } from './oracle.ts';
import { box, jointNames, randomScene, randomTrajectory, robot, sceneOf } from './randomScenes.ts';

function certificateOf(scene: Scene, trajectory: Trajectory) {
  const world = createSceneWorld(robot, scene);
  const { posed } = new CollisionManager(new CollisionModel(world.robot, world.scene));
  return certifyTrajectory(posed, trajectory, undefined, never, world);
}

/** Changes one thing of a scene: a box moves elsewhere, at other times, is thicker, or the other robot starts later. */
function changed(given: OracleScene, random: Random): OracleScene {
  const { boxes, others } = given;
  const by = random.between(-0.25, 0.25);
  const [first, ...rest] = boxes;
  const { times, poses } = first.motion;
  switch (random.below(4)) {
    case 0:
      return {
        ...given,
        boxes: [
          box(first.name, first.parts[0].shape.size as number[], {
            times,
            poses: poses.map((pose) => ({ ...pose, xyz: [pose.xyz[0] + by, pose.xyz[1], pose.xyz[2]] as const })),
          }),
          ...rest,
        ],
      };
    case 1:
      return { ...given, boxes: [{ ...first, motion: { times: times.map((t) => t + by), poses } }, ...rest] };
    case 2:
      return { ...given, boxes: [box(first.name, [0.2, 0.3, 0.1], first.motion), ...rest] };
    default:
      return { ...given, others: others.map((other) => ({ ...other, startTime: other.startTime + by })) };
  }
}

describe('a certificate in a scene whose moving objects have changed', () => {
  test('is renewed if and only if the motion is proved there, and the result is verified', () => {
    const counts = { proved: 0, lost: 0, unchanged: 0 };
    for (let seed = 1; counts.lost < 5 && seed < 400; seed++) {
      const random = new Random(seed);
      const given = randomScene(random);
      const trajectory = randomTrajectory(random, 2);
      const old = certificateOf(sceneOf(given), trajectory);
      if (!old) continue;
      const now = changed(given, random);
      const [before, scene] = [sceneOf(given), sceneOf(now)];
      for (const options of [{ before: { robot, scene: before } }, {}]) {
        const result = new Recertifier({ robot, scene }, { ...options, room: false }).recertify(trajectory, old);
        const fresh = certificateOf(scene, trajectory);
        assert.equal(result.certificate !== undefined, fresh !== undefined, `seed ${seed}`);
        counts.unchanged += result.pairs.unchanged;
        if (!result.certificate) {
          counts.lost++;
          continue;
        }
        counts.proved++;
        const { proved, problems } = verifyCertificate(result.certificate, robot, scene, trajectory);
        assert.isTrue(proved, `seed ${seed}: ${problems}`);
        const end = createSceneWorld(robot, scene).end;
        const last = Math.max(end, trajectory.points.at(-1)!.time_from_start!);
        assert.isAbove(minimumOver(now, trajectory, last, 30), -1e-9, `seed ${seed}`);
      }
    }
    assert.isAtLeast(counts.lost, 5);
    assert.isAbove(counts.proved, 2);
    assert.isAbove(counts.unchanged, 2);
  });

  test('keeps pairs of the robot and of what rests unchanged, and reports no room of what moves', () => {
    const far = (x: number) => ({
      times: [0, 5],
      poses: [2, 3].map((z) => ({ xyz: [x, 0, z] as const, quat_wxyz: [1, 0, 0, 0] as const })),
    });
    const motion = far(0);
    const rest = { name: 'block', parts: [{ shape: { type: 'box', size: [0.1, 0.1, 0.1] } }], pose: far(-2).poses[0] };
    const of = (x: number): Scene => {
      const scene = sceneOf({ boxes: [box('gate', [0.2, 0.2, 0.2], x === 0 ? motion : far(x))], others: [] });
      return { ...scene, obstacles: [...scene.obstacles, rest] };
    };
    const points = [0, 1].map((t) => ({ time_from_start: t, positions: [t, 0, 0], velocities: [0, 0, 0] }));
    const trajectory: Trajectory = { jointNames, interpolation: 'cubic', points };
    const old = certificateOf(of(0), trajectory)!;
    const same = new Recertifier({ robot, scene: of(0) }, { before: { robot, scene: of(0) } });
    assert.equal(same.recertify(trajectory, old).pairs.unchanged, old.pairs.length);
    const { pairs, room, status } = new Recertifier(
      { robot, scene: of(0.1) },
      { before: { robot, scene: of(0) } },
    ).recertify(trajectory, old);
    const ofGate = old.pairs.filter(({ a, b }) => a === 'gate' || b === 'gate').length;
    assert.deepEqual(pairs, { unchanged: old.pairs.length - ofGate, kept: ofGate, renewed: 0, lost: 0 });
    assert.deepEqual(Object.keys(room!), ['block']);
    assert.equal(status, 'proved');
    const untimed = { jointNames, points: points.map(({ positions }) => ({ positions })) };
    assert.throws(() => same.recertify(untimed, old), /no times, but something else moves/);
  });

  test('proves pairs of an object that is attached to something that moves by itself again', () => {
    const of = (x: number, attached: boolean): Scene => {
      const poses = [2, 3].map((z) => ({ xyz: [x, 0, z] as const, quat_wxyz: [1, 0, 0, 0] as const }));
      const scene = sceneOf({ boxes: [box('gate', [0.2, 0.2, 0.2], { times: [0, 5], poses })], others: [] });
      const parts = [{ shape: { type: 'sphere', radius: 0.1 } }];
      const pose = { xyz: [0, 0, 0.5], quat_wxyz: [1, 0, 0, 0] } as const;
      return { ...scene, attached: attached ? [{ name: 'load', link: 'gate', parts, pose, touches: ['gate'] }] : [] };
    };
    const points = [0, 1].map((t) => ({ time_from_start: t, positions: [t, 0, 0], velocities: [0, 0, 0] }));
    const trajectory: Trajectory = { jointNames, interpolation: 'cubic', points };
    const old = certificateOf(of(0, true), trajectory)!;
    const isOf = (name: string) => old.pairs.filter(({ a, b }) => a === name || b === name).length;
    assert.isAbove(isOf('load'), 0);
    const moved = new Recertifier({ robot, scene: of(0.1, true) }, { before: { robot, scene: of(0, true) } });
    const { pairs } = moved.recertify(trajectory, old);
    assert.equal(
      pairs.unchanged,
      old.pairs.filter(({ a, b }) => ![a, b].some((n) => n === 'gate' || n === 'load')).length,
    );
  });
});
