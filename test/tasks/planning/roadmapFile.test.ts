import { expect, test } from 'vitest';
import { trajectoryHash } from '../../../src/core/trajectory/trajectoryHash.ts';
import { loadScene } from '../../../src/host/node/files.ts';
import { planDefaults, planMotion } from '../../../src/tasks/planning/planMotion.ts';
import { readRoadmap, roadmapText } from '../../../src/tasks/planning/roadmapFile.ts';

const shelf = await loadScene('scenes/shelf.yaml');
const tableTop = await loadScene('scenes/table-top.yaml');

for (const planner of ['prm', 'lazy-prm'] as const) {
  const settings = { ...planDefaults, planner };
  const first = planMotion(shelf, settings);
  const text = roadmapText(first.roadmap!, shelf, settings);

  test(`${planner}: what was saved for this scene is trusted, spares the search and gives the same motion`, () => {
    const { roadmap, trusted } = readRoadmap(text, 'r.json', shelf, settings);
    expect(trusted).toBe(true);
    expect(roadmap).toEqual(first.roadmap);
    const again = planMotion(shelf, { ...settings, roadmap });
    expect(trajectoryHash(again.trajectory!)).toBe(trajectoryHash(first.trajectory!));
    expect(again.stats.edges_checked).toBeLessThan(first.stats.edges_checked);
    expect(roadmapText(again.roadmap!, shelf, settings)).toBe(text);
  });

  test(`${planner}: other ends of the same scene use it; another scene, other edges or a touched file make it a hint`, () => {
    const turned = {
      ...shelf,
      scene: { ...shelf.scene, start: shelf.scene.goals[0].kind === 'joints' ? [0, -1, 1, 0, 0, 0] : [] },
    };
    expect(readRoadmap(text, 'r.json', turned, settings).trusted).toBe(true);
    const sampled = { ...settings, edges: 'sampled' as const };
    expect(readRoadmap(text, 'r.json', shelf, sampled).trusted).toBe(false);
    const moved = text.replace(/"points":\[\n\[/, (found) => `${found}1e-9,`).replace(/1e-9,[-\d.e]+/, '0.001');
    expect(moved).not.toBe(text);
    expect(readRoadmap(moved, 'r.json', shelf, settings).trusted).toBe(false);

    const { roadmap, trusted } = readRoadmap(text, 'r.json', tableTop, settings);
    expect(trusted).toBe(false);
    expect(roadmap.free).toEqual([]);
    expect(roadmap.unchecked).toHaveLength(first.roadmap!.free.length + first.roadmap!.unchecked.length);
  });

  test(`${planner}: a roadmap of another scene whose motions are all blocked there is no more than points to begin with`, () => {
    // Everything that joined start and goal in the free scene goes through the shelf.
    const empty = {
      ...shelf,
      scene: { ...shelf.scene, obstacles: shelf.scene.obstacles.filter(({ name }) => name === 'floor') },
    };
    const free = planMotion(empty, settings);
    const { roadmap } = readRoadmap(roadmapText(free.roadmap!, empty, settings), 'r.json', shelf, settings);
    const answer = planMotion(shelf, { ...settings, roadmap });
    expect(answer.status).toBe('solved');
    const fresh = new Set(
      answer.roadmap!.free.map(([from, to]) =>
        JSON.stringify([answer.roadmap!.points[from], answer.roadmap!.points[to]]),
      ),
    );
    const [[from, to]] = free.roadmap!.free;
    expect(fresh.has(JSON.stringify([free.roadmap!.points[from], free.roadmap!.points[to]]))).toBe(false);
  });
}

test('sampled edges are trusted only for the weights they were validated with, certified edges for any weights', () => {
  const weighted = { ...shelf, scene: { ...shelf.scene, weights: { elbow_joint: 2 } } };
  const data = { dof: 6, points: [new Array(6).fill(0), new Array(6).fill(0.1)], free: [[0, 1]], unchecked: [] };
  const roadmap = data as unknown as Parameters<typeof roadmapText>[0];
  for (const [edges, trusted] of [
    ['certified', true],
    ['sampled', false],
  ] as const) {
    const settings = { ...planDefaults, planner: 'prm', edges };
    const text = roadmapText(roadmap, shelf, settings);
    expect(readRoadmap(text, 'r.json', shelf, settings).trusted).toBe(true);
    expect(readRoadmap(text, 'r.json', weighted, settings).trusted).toBe(trusted);
    const same = { ...settings, weights: { elbow_joint: 2 } };
    expect(readRoadmap(roadmapText(roadmap, shelf, same), 'r.json', weighted, settings).trusted).toBe(true);
  }
});

test.each([
  ['{', 'r.json: not JSON'],
  ['[]', 'r.json: this is not a roadmap'],
  ['{"format": "elbowroom-roadmap/2"}', 'r.json: this is not a roadmap'],
  [
    '{"format": "elbowroom-roadmap/1", "joint_names": ["a"]}',
    'r.json: joint_names: the roadmap is not of the joints shoulder_pan_joint',
  ],
])('%s is refused', (text, expected) => {
  expect(() => readRoadmap(text, 'r.json', shelf, planDefaults)).toThrow(expected);
});

test('a roadmap with a hole in it is refused, with its place', () => {
  const names = shelf.robot.joints.flatMap(({ name, type }) => (type === 'fixed' ? [] : [name]));
  const point = names.map(() => 0);
  const file = {
    format: 'elbowroom-roadmap/1',
    joint_names: names,
    points: [point, point],
    free: [[0, 1]],
    unchecked: [],
  };
  const read = (more: object) => () => readRoadmap(JSON.stringify({ ...file, ...more }), 'r.json', shelf, planDefaults);
  expect(read({})).not.toThrow();
  expect(read({ free: [[0, 2]] })).toThrow("r.json: the roadmap's free[0] is [0, 2]");
  expect(read({ points: [point, [1]] })).toThrow("r.json: the roadmap's points[1] is [1]");
  expect(read({ unchecked: 3 })).toThrow('r.json: unchecked: this is not a list of lists');
});
