import { expect, test } from 'vitest';
import { readSceneFile } from '../../../src/formats/scenes/sceneFile.ts';
import { withQuery } from '../../../src/formats/scenes/sceneQuery.ts';
import { loadScene } from '../../../src/host/node/files.ts';

const sceneOf = (more: object) =>
  JSON.stringify({ format: 'elbowroom-scene/1', robot: 'ur5e', start: [0, 0, 0, 0, 0, 0], ...more });

test('a program with limits of torque, momentum or power whose step sets a payload is refused with its place', async () => {
  const steps = [{ wait: 1 }, { set: { payload: 2 } }];
  for (const safety of [{ momentum: 20 }, { power: '300 W' }])
    await expect(readSceneFile(sceneOf({ safety, steps }), 's.json')).rejects.toThrow(/steps\[1\]\.set\.payload/);
  await expect(readSceneFile(sceneOf({ torque: true, steps }), 's.json')).rejects.toThrow(/steps\[1\]\.set\.payload/);
  await expect(readSceneFile(sceneOf({ steps }), 's.json')).resolves.toBeDefined();
});

test('steps of a request that set a payload are refused in a scene with limits of torque or momentum', async () => {
  const { scene, robot } = await loadScene('scenes/table-top.yaml');
  const query = { steps: [{ wait: 1 }, { set: { payload: 2 } }] };
  const torque = { scale: 1 };
  await expect(withQuery({ ...scene, torque }, robot, query, ['params'])).rejects.toThrow(/params\.steps\[1\]\.set/);
  const constraints = [{ type: 'momentum', most: 20 } as const];
  await expect(withQuery({ ...scene, constraints }, robot, query, ['params'])).rejects.toThrow(/steps\[1\]\.set/);
  await expect(withQuery(scene, robot, query, ['params'])).resolves.toBeDefined();
});
