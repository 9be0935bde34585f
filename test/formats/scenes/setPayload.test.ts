import { expect, test } from 'vitest';
import { readSceneFile } from '../../../src/formats/scenes/sceneFile.ts';

const sceneOf = (more: object) =>
  JSON.stringify({ format: 'elbowroom-scene/1', robot: 'ur5e', start: [0, 0, 0, 0, 0, 0], ...more });

test('a program with limits of torque whose step sets a payload is refused with its place', async () => {
  const steps = [{ wait: 1 }, { set: { payload: 2 } }];
  await expect(readSceneFile(sceneOf({ torque: true, steps }), 's.json')).rejects.toThrow(/steps\[1\]\.set\.payload/);
  await expect(readSceneFile(sceneOf({ steps }), 's.json')).resolves.toBeDefined();
});
