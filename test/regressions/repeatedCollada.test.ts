import { assert, describe, expect, test } from 'vitest';
import { boundsOf } from '../../src/core/hulls/pointCloud.ts';
import { InputError } from '../../src/errors.ts';
import { readMesh } from '../../src/formats/meshes/index.ts';

// A COLLADA reference to an id that two elements have selected the first of them, and of repeated elements the first
// was read: the other geometry was dropped without a warning, and counted as free space.

const low = '0 0 0 1 0 0 0 1 0 0 0 1';
const high = '0 0 5 1 0 5 0 1 5 0 0 6';
const mesh = (source: string, positions: string) =>
  `<mesh><source id="${source}"><float_array id="${source}-a" count="12">${positions}</float_array>
<technique_common><accessor source="#${source}-a" count="4" stride="3"/></technique_common></source>
<vertices id="${source}-v"><input semantic="POSITION" source="#${source}"/></vertices>
<triangles count="4"><input semantic="VERTEX" source="#${source}-v" offset="0"/><p>0 2 1 0 1 3 1 2 3 2 0 3</p></triangles></mesh>`;
const geometry = (id: string, ...meshes: readonly string[]) => `<geometry id="${id}">${meshes.join('')}</geometry>`;
const node = (id: string) => `<node><instance_geometry url="#${id}"/></node>`;
const visualScene = (id: string, ...nodes: readonly string[]) =>
  `<visual_scene id="${id}">${nodes.join('')}</visual_scene>`;
const instance = '<instance_visual_scene url="#s"/>';
const read = async (geometries: string, scenes: string, instances = `<scene>${instance}</scene>`) => {
  const text = `<COLLADA version="1.4.1"><library_geometries>${geometries}</library_geometries>
<library_visual_scenes>${scenes}</library_visual_scenes>${instances}</COLLADA>`;
  return readMesh(new TextEncoder().encode(text), 'm.dae');
};
const refusal = async (...given: Parameters<typeof read>) => {
  const error = await read(...given).catch((reason: unknown) => reason);
  assert.instanceOf(error, InputError);
  return error.message;
};
const both = visualScene('s', node('g'), node('h'));

describe('a COLLADA file in which one of two geometries would be dropped is refused', () => {
  test('two geometries, and vertices of two geometries, of one id', async () => {
    const twice = geometry('g', mesh('p', low)) + geometry('g', mesh('q', high));
    expect(await refusal(twice, visualScene('s', node('g')))).toContain('several <geometry> have that id');
    const vertices = /<vertices.*<\/vertices>/.exec(mesh('p', low))![0];
    const foreign = geometry('g', mesh('p', low)) + geometry('h', mesh('p', high).replace(vertices, ''));
    const sharing = foreign + geometry('i', mesh('p', high));
    expect(await refusal(sharing, both)).toContain('source of <input> is "#p-v": several <vertices> have that id');
  });

  // As the visual base of the Robotiq 2F-85 (FreeCAD): each geometry has its own positions, as assimp reads them.
  test('not vertices and positions of one id in several geometries: those of the own mesh are meant', async () => {
    const { points, triangles } = await read(geometry('g', mesh('p', low)) + geometry('h', mesh('p', high)), both);
    expect([triangles, boundsOf(points.slice(0, 36)), boundsOf(points.slice(36))]).toEqual([
      8,
      [0, 0, 0, 1, 1, 1],
      [0, 0, 5, 1, 1, 6],
    ]);
  });

  test('two visual scenes of one id, and two selected scenes', async () => {
    const geometries = geometry('g', mesh('p', low)) + geometry('h', mesh('q', high));
    const sameId = visualScene('s', node('g')) + visualScene('s', node('h'));
    expect(await refusal(geometries, sameId)).toContain('several <visual_scene> have that id');
    const other = visualScene('s', node('g')) + visualScene('t', node('h'));
    const two = `<scene>${instance}<instance_visual_scene url="#t"/></scene>`;
    expect(await refusal(geometries, other, two)).toContain('<scene> has more than one <instance_visual_scene>');
    const scenes = `<scene>${instance}</scene><scene><instance_visual_scene url="#t"/></scene>`;
    expect(await refusal(geometries, other, scenes)).toContain('<COLLADA> has more than one <scene>');
  });

  test('two meshes of one geometry', async () => {
    const convex = mesh('q', high).replaceAll('mesh>', 'convex_mesh>');
    for (const second of [mesh('q', high), convex])
      expect(await refusal(geometry('g', mesh('p', low), second), visualScene('s', node('g')))).toContain('beside');
  });

  test('repeated ids that nothing refers to are accepted', async () => {
    const unused = geometry('x', mesh('y', high)).repeat(2);
    const geometries = geometry('g', mesh('p', low)) + geometry('h', mesh('q', high)) + unused;
    expect((await read(geometries, both)).triangles).toBe(8);
  });
});
