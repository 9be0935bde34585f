import { describe, expect, test } from 'vitest';
import { readVisuals } from '../../../src/formats/robots/urdfVisuals.ts';
import { parseXml } from '../../../src/formats/text/xmlDocument.ts';

const urdf = (links: string) =>
  `<robot name="r"><material name="blue"><color rgba="0 0 1 1"/></material>${links}</robot>`;

describe('the appearance of a robot', () => {
  test('shapes and meshes come with pose, scale and colour, their own or that of a material by name', async () => {
    const text = urdf(`<link name="a">
      <visual><origin xyz="1 2 3"/><geometry><box size="1 1 2"/></geometry><material name="blue"/></visual>
      <visual><geometry><mesh filename="a.stl" scale="2 2 2"/></geometry><material name="own"><color rgba="1 0.5 0 1"/></material></visual>
    </link>`);
    expect(readVisuals(await parseXml(text, 'r.urdf', 'robot'))).toMatchObject([
      { link: 'a', pose: { xyz: [1, 2, 3] }, shape: { type: 'box', size: [1, 1, 2] }, color: [0, 0, 1] },
      { link: 'a', mesh: { address: 'a.stl', scale: [2, 2, 2] }, color: [1, 0.5, 0] },
    ]);
  });

  test('what cannot be read is left out, for nothing depends on it', async () => {
    const text = urdf(`<link name="a"><visual><geometry><box size="1 1"/></geometry></visual><visual/>
      <visual><geometry><sphere radius="1"/></geometry><material name="odd"><color rgba="2 0 x"/></material></visual></link>`);
    const [only, ...rest] = readVisuals(await parseXml(text, 'r.urdf', 'robot'));
    expect(rest).toEqual([]);
    expect(only.shape).toEqual({ type: 'sphere', radius: 1 });
    expect(only.color).toBeUndefined();
  });
});
