import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { Random } from '../../../../src/core/math/random.ts';
import type { Obstacle, Scene } from '../../../../src/core/scene/scene.ts';
import { editableParts, editSceneText, type SceneEdit } from '../../../../src/formats/scenes/editing/sceneEdits.ts';
import { loadProblemsIn } from '../../../../src/host/node/scenes.ts';
import { cases } from '../../../cases.ts';

const bundled = readdirSync('scenes').filter((file) => file.endsWith('.yaml'));
const comments = (text: string) => [...text.matchAll(/(?<=^|\s)#.*$/gm)].map(([comment]) => comment).sort();
const sceneOf = async (text: string, file = 'scenes/edited.yaml') => (await loadProblemsIn(text, file))[0].scene;
const edited = (text: string, ...edits: SceneEdit[]) => editSceneText(text, 'scenes/edited.yaml', edits);

const HEAD = 'format: elbowroom-scene/1\nname: edited\nrobot: scara4\n';
/** One scene in the ways in which people write YAML. */
const styles: Readonly<Record<string, string>> = {
  flow: `${HEAD}obstacles:
  # two of them
  - {name: box, type: box, size: [0.1, 20 mm, 0.3], pose: {xyz: [1, 2, 3]}} # first
  - {type: sphere, radius: 50 mm, pose: {xyz: [3, 0, 0]}}
  - {type: sphere, radius: 0.1} # no pose
allow: [[box, sphere-2], [sphere-3, box]]
`,
  block: `${HEAD}allow:
- - box
  - sphere-2 # it rests on it
- [sphere-3, box]
obstacles:
- name: box
  type: box # a crate
  size:
  - 0.1 # along x
  - 20 mm
  - 0.3
  pose:
    xyz: [1, 2, 3]
# the ball
- type: sphere
  radius: 50 mm
  pose: {xyz: [3, 0, 0]}

- type: sphere
  radius: 0.1`,
  brackets: `{format: elbowroom-scene/1, name: edited, robot: scara4, obstacles: [
  {name: box, type: box, size: [0.1, 20 mm, 0.3], pose: {xyz: [1, 2, 3]}}, # first
  {type: sphere, radius: 50 mm, pose: {xyz: [3, 0, 0]}},
  # the last one
  {type: sphere, radius: 0.1},
], allow: [[box, sphere-2], [sphere-3, box]]}
`,
  json: JSON.stringify(
    {
      format: 'elbowroom-scene/1',
      name: 'edited',
      robot: 'scara4',
      obstacles: [
        { name: 'box', type: 'box', size: [0.1, '20 mm', 0.3], pose: { xyz: [1, 2, 3] } },
        { type: 'sphere', radius: '50 mm', pose: { xyz: [3, 0, 0] } },
        { type: 'sphere', radius: 0.1 },
      ],
      allow: [
        ['box', 'sphere-2'],
        ['sphere-3', 'box'],
      ],
    },
    null,
    2,
  ),
};
const written = { ...styles, 'Windows line ends': styles['block'].replaceAll('\n', '\r\n') };

/** The edit of a loaded scene, written without the code that edits texts. */
function expectedScene(scene: Scene, edit: SceneEdit): Scene {
  const { obstacles, allow } = scene;
  const change = (name: string, more: (obstacle: Obstacle) => object) =>
    obstacles.map((one) => (one.name === name ? { ...one, ...more(one) } : one));
  switch (edit.kind) {
    case 'add': {
      const { name, ...shape } = edit.obstacle;
      const pose = { xyz: edit.xyz, quat_wxyz: [1, 0, 0, 0] };
      return { ...scene, obstacles: [...obstacles, { name, pose, parts: [{ shape }] } as unknown as Obstacle] };
    }
    case 'duplicate': {
      const at = obstacles.findIndex(({ name }) => name === edit.name);
      const copy = { ...obstacles[at], name: edit.to, pose: { ...obstacles[at].pose, xyz: edit.xyz } } as Obstacle;
      return { ...scene, obstacles: obstacles.toSpliced(at + 1, 0, copy) };
    }
    case 'delete':
      return {
        ...scene,
        obstacles: obstacles.filter(({ name }) => name !== edit.name),
        allow: allow.filter((pair) => !pair.includes(edit.name)),
      };
    case 'rename': {
      const called = (name: string) => (name === edit.name ? edit.to : name);
      return {
        ...scene,
        obstacles: change(edit.name, () => ({ name: edit.to })),
        allow: allow.map(([a, b]) => [called(a), called(b)]),
      };
    }
    case 'place':
      return { ...scene, obstacles: change(edit.name, ({ pose }) => ({ pose: { ...pose, xyz: edit.xyz } })) };
    case 'resize':
      return {
        ...scene,
        obstacles: change(edit.name, ({ parts }) => ({ parts: [{ shape: { ...parts[0].shape, ...edit.fields } }] })),
      };
    default:
      throw new Error(edit.kind);
  }
}

const SEEDS = cases(10);

test.each(Object.entries(written))('random edits of a scene written as %s equal those of its data', async (_, text) => {
  let count = 0;
  for (let seed = 1; seed <= SEEDS; seed++) {
    const source = new Random(seed);
    const random = () => source.next();
    const pick = <T>(list: readonly T[]) => list[Math.floor(random() * list.length)];
    const xyz = () => [random() - 0.5, 1e-7 * random(), 100 * random()];
    let now = text;
    for (let k = 0; k < 8; k++) {
      const before = await sceneOf(now);
      const name = pick(before.obstacles)?.name ?? '';
      const to = pick([`new ${seed} ${k}`, `n-${k}_${seed}`, `#${k}: ${seed}`, `${k}`, `é "${k}"`, `- ${k}`]);
      const own = before.obstacles.find((one) => one.name === name)?.parts[0].shape;
      const fields = own?.type === 'box' ? { size: [random() + 0.01, 0.02, 0.3] } : { radius: random() + 0.01 };
      const edit = pick<SceneEdit>([
        { kind: 'add', obstacle: { name: to, type: 'capsule', radius: 0.1, length: random() }, xyz: xyz() },
        ...(name === ''
          ? []
          : ([
              { kind: 'duplicate', name, to, xyz: xyz() },
              { kind: 'delete', name },
              { kind: 'rename', name, to },
              { kind: 'place', name, xyz: xyz() },
              { kind: 'place', name, xyz: before.obstacles.find((one) => one.name === name)!.pose.xyz },
              { kind: 'resize', name, fields },
            ] as const)),
      ]);
      const next = await edited(now, edit);
      count++;
      const label = `seed ${seed}, edit ${k}: ${JSON.stringify(edit)}\n${now}\n=>\n${next}`;
      expect(await sceneOf(next), label).toEqual(expectedScene(before, edit));
      const kept = comments(next);
      // comments within a deleted object go with it
      if (edit.kind !== 'delete' && edit.kind !== 'duplicate') expect(kept, label).toEqual(comments(now));
      now = next;
    }
  }
  expect(count).toBe(8 * SEEDS);
});

test.each(bundled)('obstacles of %s are moved, added and deleted, and all else keeps its bytes', async (file) => {
  const text = readFileSync(`scenes/${file}`, 'utf8');
  const { obstacles } = await editableParts(text, `scenes/${file}`);
  const before = await sceneOf(text, `scenes/${file}`);
  for (const name of obstacles.slice(0, 3)) {
    const known = before.obstacles.find((one) => one.name === name)!;
    if (known.motion) continue;
    const { xyz } = known.pose;
    const edit = { kind: 'place', name, xyz: [xyz[0] + 0.125, xyz[1], xyz[2]] } as const;
    const next = await editSceneText(text, `scenes/${file}`, [edit]);
    expect(await sceneOf(next, `scenes/${file}`)).toEqual(expectedScene(before, edit));
    const [now, then] = [next.split('\n'), text.split('\n')];
    expect(now.length).toBe(then.length);
    expect(now.filter((line, i) => line !== then[i]).length).toBe(1);
    const back = await editSceneText(next, `scenes/${file}`, [{ kind: 'place', name, xyz }]);
    expect(await sceneOf(back, `scenes/${file}`)).toEqual(before);
  }
  const add = { kind: 'add', obstacle: { name: 'new', type: 'sphere', radius: 0.1 }, xyz: [9, 9, 9] } as const;
  const added = await editSceneText(text, `scenes/${file}`, [add]);
  const own = [...before.obstacles];
  own.splice(obstacles.length, 0, expectedScene(before, add).obstacles.at(-1)!);
  expect((await sceneOf(added, `scenes/${file}`)).obstacles).toEqual(own);
  const lines = new Set(added.split('\n'));
  expect(text.split('\n').filter((line) => !lines.has(line))).toEqual([]);
  expect(await sceneOf(await editSceneText(added, `scenes/${file}`, [{ kind: 'delete', name: 'new' }]))).toMatchObject({
    allow: before.allow,
  });
});

test('a move changes only the coordinates that differ; units and comments stay', async () => {
  expect(await edited(styles['block'], { kind: 'resize', name: 'box', fields: { size: [0.1, 0.02, 0.5] } })).toBe(
    styles['block'].replace('  - 0.3\n', '  - 0.5\n'),
  );
  expect(await edited(styles['flow'], { kind: 'place', name: 'box', xyz: [1, 2.5, 3] })).toBe(
    styles['flow'].replace('[1, 2, 3]', '[1, 2.5, 3]'),
  );
});

test('names by place are written out before a deletion would change them, so that pairs keep their meaning', async () => {
  const next = await edited(styles['flow'], { kind: 'delete', name: 'sphere-2' });
  const { obstacles, allow } = await sceneOf(next);
  expect(obstacles.map(({ name }) => name)).toEqual(['box', 'sphere-3']);
  expect(allow).toEqual([['sphere-3', 'box']]);
});

test.each([
  [
    'an anchor that another obstacle uses',
    '  - {name: a, type: sphere, radius: &r 0.1}\n  - {name: b, type: sphere, radius: *r}\n',
    { radius: 0.2 },
  ],
  [
    'an anchor of a whole obstacle',
    '  - &o {name: a, type: sphere, radius: 0.1}\n  - {<<: *o, name: b}\n',
    { radius: 0.2 },
  ],
])('%s is refused: the edit would change both', async (_, list, fields) => {
  const text = `${HEAD}obstacles:\n${list}`;
  await sceneOf(text);
  await expect(edited(text, { kind: 'resize', name: 'a', fields })).rejects.toThrow(/cannot be edited here/);
});

test('an obstacle of an included file, a taken name and a suite are refused', async () => {
  const text = styles['flow'];
  await expect(edited(text, { kind: 'delete', name: 'elsewhere' })).rejects.toThrow(/states no obstacle "elsewhere"/);
  await expect(edited(text, { kind: 'rename', name: 'box', to: 'sphere-2' })).rejects.toThrow(/already/);
  await expect(edited(text.replace('elbowroom-scene/1', 'elbowroom-suite/1'))).rejects.toThrow(/not a scene/);
});

test('references of steps and touches follow a new name', async () => {
  const file = 'scenes/pick-and-place.yaml';
  const text = readFileSync(file, 'utf8');
  const next = await editSceneText(text, file, [{ kind: 'rename', name: 'part', to: 'work piece' }]);
  expect(next.split('\n').filter((line, i) => line !== text.split('\n')[i]).length).toBe(5);
  const renamed = JSON.parse(JSON.stringify(await sceneOf(text, file)).replaceAll('"part"', '"work piece"'));
  expect(await sceneOf(next, file)).toEqual(renamed);
});

test('steps are moved with their comments, replaced, inserted and removed', async () => {
  const file = 'scenes/pick-and-place.yaml';
  const text = readFileSync(file, 'utf8');
  const before = (await editableParts(text, file)).steps;
  const moved = await editSceneText(text, file, [{ kind: 'move-step', index: 2, to: 0 }]);
  expect(moved).toContain('steps:\n  - {allow: [[part, table]]} # it rests on the table\n  - {move:');
  const back = await editSceneText(moved, file, [{ kind: 'move-step', index: 0, to: 2 }]);
  expect(back).toBe(text);
  const changed = await editSceneText(text, file, [
    { kind: 'set-step', index: 5, text: '{wait: 0.5}' },
    { kind: 'insert-step', index: 6, text: 'wait: 1\nname: pause' },
    { kind: 'remove-step', index: 0 },
  ]);
  const { steps } = await editableParts(changed, file);
  expect(steps).toEqual(
    ['{wait: 0.5}', 'wait: 1\nname: pause'].reduce(
      (list, one, i) => list.toSpliced(i === 0 ? 4 : 5, i === 0 ? 1 : 0, one),
      before.slice(1),
    ),
  );
  expect(comments(changed)).toEqual(comments(text));
  await expect(editSceneText(text, file, [{ kind: 'set-step', index: 0, text: '[1' }])).rejects.toThrow(/step:1/);
});

test('start and goal are written as joint values', async () => {
  const text = readFileSync('scenes/shelf.yaml', 'utf8');
  const joints = [0.1, -1, 1, 0.2, 0.3, 0.4];
  const next = await edited(text, { kind: 'start', joints }, { kind: 'goal', joints: joints.map((q) => q / 3) });
  const { start, goals } = await sceneOf(next);
  expect(start).toEqual(joints);
  expect(goals).toEqual([{ kind: 'joints', joints: joints.map((q) => q / 3) }]);
  expect(comments(next)).toEqual(comments(text));
});

test.each(Object.entries(written))(
  'a turned obstacle has one orientation, in the place of another one: %s',
  async (_, text) => {
    const name = 'box';
    const turned = await edited(text, { kind: 'place', name, xyz: [1, 2, 3], quat_wxyz: [0.6, 0, 0, 0.8] });
    const again = await edited(turned, { kind: 'place', name, xyz: [1, 2, 4], rpy: [0, 0, 0.5] });
    expect(again).toContain('rpy');
    expect(again).not.toContain('quat_wxyz');
    const { pose } = (await sceneOf(again)).obstacles.find((one) => one.name === name)!;
    expect(pose.xyz).toEqual([1, 2, 4]);
    expect(pose.quat_wxyz[3]).toBeCloseTo(Math.sin(0.25), 15);
  },
);

test('goal poses and constraints are placed in their own notation; what has no frame is refused', async () => {
  const goal = '{link: tool0, xyz: [1, 20 mm, 3], quat_wxyz: [1, 0, 0, 0], tolerance: {angle: 1 deg}}';
  const text = `${HEAD}goals:
  - [0, 0, 0, 0] # joints
  - ${goal} # pose
constraints:
  - {type: orientation, rpy: [180 deg, 0, 0], within: [0.1, 0.1, 180 deg]} # down
  - {type: region, shape: {type: box, size: [1, 1, 1]}} # here
  - {type: tilt, axis: [0, 0, 1], towards: [0, 0, 1], within: 10 deg}
  - {type: joint, joint: z, range: [0, 1]}
`;
  const placed = await edited(
    text,
    { kind: 'place-goal', index: 1, xyz: [1, 0.02, 4] },
    { kind: 'place-constraint', index: 0, rpy: [Math.PI, 0, 0.5] },
    { kind: 'place-constraint', index: 1, xyz: [0, 0, 0.5], rpy: [0, 0, 1] },
    { kind: 'place-constraint', index: 2, towards: [0, 1, 0] },
  );
  const lines = text.split('\n');
  expect(placed.split('\n')).toEqual([
    ...lines.slice(0, 5),
    lines[5].replace('3]', '4]'),
    lines[6],
    lines[7].replace('[180 deg, 0, 0]', '[180 deg, 0, 0.5]'),
    expect.stringMatching(/size: \[1, 1, 1\]\}, pose: \{ ?xyz: \[0, 0, 0\.5\], rpy: \[0, 0, 1\] ?\}\} # here$/),
    lines[9].replace('[0, 0, 1], within', '[0, 1, 0], within'),
    ...lines.slice(10),
  ]);
  const turned = await edited(text, { kind: 'place-goal', index: 1, rpy: [0, 0, 1] });
  expect(turned).toMatch(/link: tool0.*xyz: \[1, 20 mm, 3\].*rpy: \[0, 0, 1\]/);
  expect(turned).not.toContain('quat_wxyz');
  expect((await editableParts(text, 'edited.yaml')).constraints).toBe(4);
  for (const edit of [
    { kind: 'place-goal', index: 0, xyz: [0, 0, 0] },
    { kind: 'place-goal', index: 2, xyz: [0, 0, 0] },
    { kind: 'place-constraint', index: 3, xyz: [0, 0, 0] },
    { kind: 'place-constraint', index: 4, rpy: [0, 0, 0] },
    { kind: 'place-constraint', index: 2, rpy: [0, 0, 0] },
  ] as const)
    await expect(edited(text, edit), JSON.stringify(edit)).rejects.toThrow('states no');
  const one = `${HEAD}goal: {xyz: [1, 2, 3]}\n`;
  expect(await edited(one, { kind: 'place-goal', index: 0, xyz: [1, 2, 4], rpy: [0, 0, 1] })).toMatch(
    /goal: \{ ?xyz: \[1, 2, 4\], rpy: \[0, 0, 1\] ?\}/,
  );
});
