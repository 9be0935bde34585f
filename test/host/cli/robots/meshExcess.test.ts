import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { temporaryFolder } from '../run.ts';
import { elbowroom } from '../runHere.ts';

const folder = temporaryFolder();

/** A U profile 0.4 m long, 0.2 m wide and 0.1 m deep, open at the top, wall by wall without thickness: an open mesh. */
const channel = `v 0 -0.1 0
v 0.4 -0.1 0
v 0.4 0.1 0
v 0 0.1 0
v 0 -0.1 0.1
v 0.4 -0.1 0.1
v 0.4 0.1 0.1
v 0 0.1 0.1
f 1 2 3 4
f 1 2 6 5
f 4 3 7 8
`;
/** A closed one: a block with a slot along y, 0.2 m wide and 0.18 m deep. */
const outline = [[0, 0], [0.3, 0], [0.3, 0.2], [0.25, 0.2], [0.25, 0.02], [0.05, 0.02], [0.05, 0.2], [0, 0.2]]; // biome-ignore format: an outline
const slot = [
  ...[-0.1, 0.1].flatMap((y) => outline.map(([x, z]) => `v ${x} ${y} ${z}`)),
  ...['1 2 5 6', '2 3 4 5', '1 6 7 8'].map((face) => `f ${face}`),
  ...['13 10 9 14', '12 11 10 13', '15 14 9 16'].map((face) => `f ${face.split(' ').join(' ')}`),
  ...outline.map((_, i) => {
    const j = (i + 1) % 8;
    return `f ${j + 1} ${i + 1} ${i + 9} ${j + 9}`;
  }),
].join('\n');
const slab = 'v 0 0 0\nv 0.1 0 0\nv 0 0.1 0\nv 0 0 0.1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n';

/** A ball, or that collision mesh, on a slide along z: up the ball, down the mesh. */
const urdf = (mesh: string) => `<robot name="probe">
  <link name="base"/>
  <link name="tool"><collision><geometry>${mesh === '' ? '<sphere radius="0.02"/>' : `<mesh filename="${mesh}"/>`}</geometry></collision></link>
  <joint name="slide" type="prismatic"><parent link="base"/><child link="tool"/>
    <axis xyz="0 0 ${mesh === '' ? 1 : -1}"/><limit lower="0" upper="1" velocity="1" effort="1"/></joint>
</robot>
`;

const ball = { name: 'ball', type: 'sphere', radius: 0.02, pose: { xyz: [0.2, 0, 0.06] } };

beforeAll(() => {
  writeFileSync(join(folder, 'channel.obj'), channel);
  writeFileSync(join(folder, 'slot.obj'), slot);
  writeFileSync(join(folder, 'slab.obj'), slab);
  for (const mesh of ['', 'channel.obj', 'slot.obj', 'slab.obj'])
    writeFileSync(join(folder, `${mesh || 'bare'}.urdf`), urdf(mesh));
});

async function plan(scene: object, ...args: string[]) {
  const file = join(folder, 'scene.json');
  writeFileSync(file, JSON.stringify({ format: 'elbowroom-scene/1', name: 's', goal: [0.9], ...scene }));
  return elbowroom(['plan', file, '--no-timing', ...args]);
}

const obstacle = (file: string, xyz: readonly number[], more = {}) => ({
  obstacles: [{ name: 'crate', type: 'mesh', file, pose: { xyz }, ...more }],
});

describe('a collision with a convex hull that exceeds its mesh by more than 5 mm', () => {
  const excess = (mesh: string, body: string) =>
    new RegExp(
      `; the convex hull of ${mesh} \\(${body}\\) exceeds the mesh by \\d+ mm or more \\(over 5 mm\\): "parts: decompose" may cover`,
    );

  test('of an open mesh of a link is named at the start, and decomposing it clears the start', async () => {
    const { code, stderr } = await plan({ robot: 'channel.obj.urdf', start: [0], obstacles: [ball] });
    expect(code).toBe(1);
    expect(stderr).toMatch(/the start is in collision: tool and ball overlap/);
    expect(stderr).toMatch(excess('channel.obj', 'tool'));
    const robot = { urdf: 'channel.obj.urdf', parts: 'decompose' };
    const decomposed = await plan({ robot, start: [0], obstacles: [ball] });
    expect(decomposed.stderr).toMatch(/solved/);
  });

  test('of a closed mesh of an obstacle is named at the goal, in the details, and alike with threads', async () => {
    const scene = { robot: 'bare.urdf', start: [0.9], goal: [0.1], ...obstacle('slot.obj', [-0.15, 0, 0]) };
    const { stderr, stdout } = await plan(scene, '--explain', '--stats', '-');
    expect(stderr).toMatch(excess('slot.obj', 'crate'));
    const [{ hulls }] = JSON.parse(stdout).explanation.ends;
    expect(hulls).toEqual([{ body: 'crate', mesh: 'slot.obj', parts: 1, excess: expect.closeTo(0.1, 2) }]);
    const [reason] = stderr.split('\n');
    expect((await plan(scene, '--jobs', '2')).stderr).toContain(reason);
    const decomposed = await plan({ ...scene, ...obstacle('slot.obj', [-0.15, 0, 0], { parts: 'decompose' }) });
    expect(decomposed.stderr).toMatch(/solved/);
  });

  test('is not named if the hull fits, or if the mesh is not in contact', async () => {
    const fits = await plan({ robot: 'bare.urdf', start: [0], ...obstacle('slab.obj', [-0.01, -0.01, 0]) });
    expect(fits.stderr).toMatch(/the start is in collision/);
    const post = { name: 'post', type: 'box', size: [0.1, 0.1, 0.1], pose: { xyz: [0, 0, 0] } };
    const scene = { robot: 'bare.urdf', start: [0], ...obstacle('slot.obj', [0.1, 0, 0]) };
    const apart = await plan({ ...scene, obstacles: [post, ...scene.obstacles] });
    expect(apart.stderr).toMatch(/the start is in collision: tool and post/);
    for (const { stderr } of [fits, apart]) expect(stderr).not.toMatch(/exceeds|decompose/);
  });
});

test('robot --doctor advises parts: decompose for open and for closed meshes, not for hulls that fit', async () => {
  const doctor = async (mesh: string) =>
    (await elbowroom(['robot', join(folder, `${mesh}.urdf`), '--doctor', '--samples', '20'])).stdout;
  expect(await doctor('channel.obj')).toMatch(
    /the hull of channel\.obj, an open mesh, exceeds it by \d+ mm or more \(over 5 mm\)[\s\S]*parts: decompose/,
  );
  expect(await doctor('slot.obj')).toMatch(
    /the volume of the hull of slot\.obj is [\d.]+ times that of the mesh[\s\S]*parts: decompose/,
  );
  expect(await doctor('slab.obj')).not.toMatch(/decompose/);
});
