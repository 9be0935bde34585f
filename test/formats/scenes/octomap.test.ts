import { expect, test } from 'vitest';
import { readPlanningScene } from '../../../src/formats/scenes/moveit/planningScene.ts';

const reading = (octomap: unknown) => readPlanningScene(JSON.stringify({ world: { octomap } }), 's.yaml');

test.each([undefined, {}, { header: {}, origin: {}, octomap: { id: '', data: [] } }])(
  'a planning scene whose octomap is empty is read: %j',
  async (octomap) => {
    expect((await reading(octomap)).obstacles).toEqual([]);
  },
);

test.each([
  [
    { octomap: { id: 'OcTree', binary: true, resolution: 0.1, data: [2, 0] } },
    'world.octomap.octomap: octomaps are not',
  ],
  [{ id: 'OcTree', binary: true, resolution: 0.1, data: [2, 0] }, 'world.octomap.id: unknown key'],
  ['tree', 'world.octomap: it is "tree", must be a mapping'],
  [{ octomap: [2, 0] }, 'world.octomap.octomap: it is [2,0], must be a mapping'],
])('an octomap with data is refused, not left out: %j', async (octomap, message) => {
  await expect(reading(octomap)).rejects.toThrow(message);
});
