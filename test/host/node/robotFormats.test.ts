import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { loadRobotSources } from '../../../src/host/node/robotSources.ts';
import { loadRobot } from '../../../src/host/node/robots.ts';
import { examineRobot } from '../../../src/tasks/robots/examineRobot.ts';
import { scratchFolder } from './scratch.ts';

const { root, put } = scratchFolder();
const OBJ = 'v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n';
const mjcf = `<?xml version="1.0"?><!-- <robot> --><mujoco model="arm"><compiler meshdir="meshes"/><asset><mesh file="t.obj" scale="2 2 2"/></asset>
<worldbody><body name="b"><joint name="j"/><geom type="mesh" mesh="t"/></body></worldbody></mujoco>`;
const sdf = `<sdf version="1.9"><model name="arm"><link name="a"/>
<include><uri>model://part</uri><pose>0 0 1 0 0 0</pose></include>
<joint name="j" type="continuous"><parent>a</parent><child>part::l</child><axis><xyz>0 0 1</xyz></axis></joint></model></sdf>`;
const part = `<sdf version="1.6"><model name="part"><link name="l">
<collision name="c"><geometry><mesh><uri>meshes/t.obj</uri></mesh></geometry></collision></link></model></sdf>`;
put('mjcf/meshes/t.obj', OBJ);
put('sdf/part/model.config', '<model><sdf version="1.6">part.sdf</sdf></model>');
put('sdf/part/meshes/t.obj', OBJ);
const partFile = put('sdf/part/part.sdf', part);

describe('robot files', () => {
  test('with the extension .xml are read in the format of their root element', async () => {
    const robot = await loadRobot(put('mjcf/arm.xml', mjcf));
    expect(robot.links.map(({ name, collisions }) => [name, collisions.length])).toEqual([
      ['world', 0],
      ['b', 1],
    ]);
    expect(robot.links[1].collisions[0].shape['points']).toContainEqual([2, 0, 0]);
    expect((await loadRobot(put('mjcf/urdf.xml', '<robot name="r"><link name="a"/></robot>'))).root).toBe('a');
    expect((await loadRobot(put('sdf/sdf.xml', sdf))).name).toBe('arm');
  });

  test('in SDF include models with meshes of their own; a missing one is named with the file that refers to it', async () => {
    const file = put('sdf/arm.sdf', sdf);
    const robot = await loadRobot(file);
    expect(robot.links.find(({ name }) => name === 'part::l')!.collisions[0].triangles).toBe(4);
    put('sdf/part/part.sdf', part.replace('t.obj', 'u.obj'));
    put('sdf/arm2.sdf', sdf);
    await expect(loadRobot(file.replace('arm.sdf', 'arm2.sdf'))).rejects.toThrow(
      `${partFile}:2: link "part::l": mesh model://part/meshes/u.obj: there is no such file`,
    );
  });

  test('in SDF decode addresses of models once, and no relative path', async () => {
    put('sdf/a part/model.config', '<model><sdf version="1.6">50%.sdf</sdf></model>');
    put('sdf/a part/a%20b/t.obj', OBJ);
    put('sdf/a part/50%.sdf', part.replace('meshes/t.obj', 'a%20b/t.obj'));
    const robot = await loadRobot(put('sdf/spaces.sdf', sdf.replace('//part', '//a%20part')), {
      packages: { 'a part': join(root, 'sdf/a part') },
    });
    expect(robot.links.find(({ name }) => name === 'part::l')!.collisions[0].triangles).toBe(4);
    await expect(loadRobot(put('sdf/out.sdf', sdf.replace('//part', '//part/%2e%2e%2fpart')))).rejects.toThrow(
      /out\.sdf:2: <include> .*%2f is not part of a file name/,
    );
    await expect(
      loadRobot(put('sdf/out2.sdf', sdf.replace('//part', '//part/%2e%2e/%2e%2e/%2e%2e/x'))),
    ).rejects.toThrow('lies outside');
  });

  test('in MJCF are examined with their lines, and remedies in the scene', async () => {
    const file = put('mjcf/arm.xml', mjcf);
    const findings = await examineRobot(await loadRobotSources(file));
    expect(findings[0]).toEqual({
      kind: 'advice',
      place: `${file}:2`,
      what: 'joint "j": no velocity limit, no acceleration limit; motions in time are not bounded',
      remedy: 'in the scene: robot: {…, limits: {j: {velocity: … rad/s, acceleration: … rad/s^2}}}',
    });
  });

  test('with sizes in millimetres and limits in degrees are examined as such', async () => {
    const links =
      '<link name="a"/><link name="b"><collision><geometry><box size="1 1 400"/></geometry></collision></link>';
    const limit = '<limit lower="-180" upper="180" velocity="120" acceleration="9"/>';
    const joint = `<joint name="j" type="revolute"><parent link="a"/><child link="b"/>\n${limit}</joint>`;
    const file = put('units.urdf', `<robot name="r">${links}${joint}</robot>`);
    const findings = await examineRobot(await loadRobotSources(file));
    expect(findings.map(({ kind, place, what }) => [kind, place.replace(/.*:/, ''), what])).toEqual([
      ['problem', '1', 'link "b": its box is 400 m long; sizes are metres, not millimetres'],
      ['advice', '2', 'joint "j": it turns by 360 rad, 57 turns, between its limits'],
      ['advice', '2', 'joint "j": its velocity limit is 120 rad/s, more than any arm reaches'],
    ]);
  });

  test('in USD are refused with what to use instead', async () => {
    for (const name of ['arm.usd', 'arm.usda', 'folder/arm.USDZ'])
      await expect(loadRobot(name)).rejects.toThrow('robots in USD');
  });
});
