import { assert, test } from 'vitest';
import { verify } from '../../../src/host/service/threadMethods/judge.ts';
import { proveInfeasible } from '../../../src/tasks/planning/infeasibility/proveInfeasible.ts';
import { planarArm, post, sceneOf } from '../../tasks/planning/infeasibility/planarScenes.ts';

const arm = planarArm([0.4, 0.35], 0.05, [3.1, 1.95]);
const scene = sceneOf([-1.2, 0.4], [1.2, -0.5], [post('left', 1.7, 0.2), post('right', 0.75, 0.25)]);
const certificate = proveInfeasible(arm, scene, () => false)!;
const contextOf = (own: typeof scene, interrupt = () => false) =>
  ({ robot: arm, scene: own, checker: 'growth-distance', interrupt, progress: () => undefined }) as never;
const resultOf = async (given: object, context = contextOf(scene)) => JSON.parse(await verify(given, context));

test('verify of a session proves that no motion exists, and refuses it for other scenes, cells and trajectories', async () => {
  const result = await resultOf({ certificate });
  assert.isTrue(result.proved);
  assert.isAbove(result.cells, 0);
  assert.equal(result.reason, certificate.reason);
  const { obstacles } = scene;
  assert.isFalse((await resultOf({ certificate }, contextOf({ ...scene, obstacles: [obstacles[0]] }))).proved);
  const walls = certificate.walls.map((wall) => ({
    ...wall,
    tree: wall.tree.map((one) => (Array.isArray(one) ? null : one)),
  }));
  assert.isFalse((await resultOf({ certificate: { ...certificate, walls } })).proved);
  assert.isFalse(
    (
      await resultOf(
        { certificate },
        contextOf(scene, () => true),
      )
    ).proved,
  );
  for (const given of [{ trajectory: {} }, { any_start: true }])
    await resultOf({ certificate, ...given }).then(
      () => assert.fail(),
      ({ message }) => assert.match(message, /^params\.(trajectory|any_start): a proof that no motion exists has none/),
    );
  await resultOf({ certificate: { format: 'elbowroom-certificate/1' } }).then(
    () => assert.fail(),
    ({ message }) => assert.match(message, /^params\.trajectory: it is missing/),
  );
});
