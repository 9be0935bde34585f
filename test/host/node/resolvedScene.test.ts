import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { canonicalJson, identityOf } from '../../../src/core/scene/sceneHash.ts';
import { trajectoryHash } from '../../../src/core/trajectory/trajectoryHash.ts';
import { builtInScenes } from '../../../src/host/node/packageFolder.ts';
import {
  resolveScene,
  resolveSceneChecked,
  sceneIdentity,
} from '../../../src/host/node/scenes/resolved/resolvedScene.ts';
import { loadProblemsIn, loadScene } from '../../../src/host/node/scenes.ts';
import { createSceneRobot } from '../../../src/tasks/sceneRobot.ts';
import { posts } from '../cli/run.ts';
import { elbowroom } from '../cli/runHere.ts';
import { scratchFolder } from './scratch.ts';

const { root, put } = scratchFolder();

const STL =
  'solid crate\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 0 1\nendloop\nendfacet\nendsolid\n';
const URDF =
  '<robot name="arm"><link name="base"><collision><geometry><mesh filename="crate.stl" scale="0.1 0.1 0.1"/></geometry></collision></link>' +
  '<link name="tip"><collision><origin rpy="0.1 0.2 0.3"/><geometry><box size="0.1 0.1 0.4"/></geometry></collision></link>' +
  '<joint name="turn" type="revolute"><parent link="base"/><child link="tip"/><axis xyz="0 1 1"/><origin xyz="0 0 0.5"/><limit lower="-2" upper="2" velocity="1" effort="1"/></joint></robot>';
const SRDF =
  '<robot name="arm"><group_state name="home" group="all"><joint name="turn" value="0.3"/></group_state><group name="all"><joint name="turn"/></group></robot>';
const COMMON =
  'format: elbowroom-scene/1\nrobot: {urdf: arm.urdf}\nobstacles:\n  - {type: box, size: [100 mm, 0.1, 0.2], pose: {xyz: [2, 0, 0], rpy: [0.3, 20 deg, pi/7]}}\n  - {name: crate, type: mesh, file: crate.stl, scale: 0.5, pose: {xyz: [3, 0, 0]}}\nallow: [[crate, base]]\n';
const SCENE =
  'format: elbowroom-scene/1\nrobot: {urdf: arm.urdf, srdf: arm.srdf, fixed: {}, limits: {turn: {velocity: 90 deg/s}}, pose: {xyz: [0, 0, 10 mm]}}\n' +
  'include: [{file: common.yaml, prefix: far-, pose: {xyz: [0, 1, 0], rpy: [0, 0, 33 deg]}}, {file: common.yaml}]\n' +
  'start: home\ngoals: [[30 deg], home, {turn: 0.5}]\nspeed: 50 %\npadding: 2 mm\nsafety: {stopping_time: 250 ms}\n' +
  'obstacles:\n  - {type: sphere, radius: 20 mm, pose: {xyz: [0, -2, 0]}}\n';

/** Parts of a resolved scene that the tests change. */
interface Resolved {
  meshes: Record<string, string>;
  obstacles: { file?: string }[];
  robot: { meshes: Record<string, string> };
}

function writeScene(folder: string, scene = SCENE): string {
  put(`${folder}/arm.urdf`, URDF);
  put(`${folder}/arm.srdf`, SRDF);
  put(`${folder}/crate.stl`, STL);
  put(`${folder}/common.yaml`, COMMON);
  return put(`${folder}/cell.yaml`, scene);
}

test('the limits of a joint_limits.yaml are those of the robot, also of its mounts, and of the resolved scene', async () => {
  const limits = (velocity: number) => `joint_limits:
  turn: {has_velocity_limits: true, max_velocity: ${velocity}, max_acceleration: 3.1, min_position: -1.5}`;
  put('limits/limits.yaml', limits(0.5));
  put('limits/tool.yaml', limits(0.25));
  const path = writeScene(
    'limits',
    `format: elbowroom-scene/1
robot: {urdf: arm.urdf, joint_limits: limits.yaml, limits: {turn: {acceleration: 7}}, tool: {urdf: arm.urdf, prefix: t_, joint_limits: tool.yaml}}
start: [0, 0]
goal: [1, 1]
`,
  );
  const loaded = await loadScene(path);
  expect(loaded.robot.joints.map(({ velocity, acceleration, lower, upper }) => [velocity, acceleration, lower, upper]))
    .toEqual(expect.arrayContaining([[0.5, 3.1, -1.5, 2], [0.25, 3.1, -1.5, 2]])); // biome-ignore format: rows
  const { variables } = createSceneRobot(loaded);
  expect(variables.map(({ limits }) => [limits.velocity, limits.acceleration])).toEqual([[0.5, 7], [0.25, 3.1]]); // biome-ignore format: rows
  const { text } = await resolveSceneChecked(path);
  expect(Object.keys(JSON.parse(text).hashes).sort()).toEqual(['arm.urdf', 'cell.yaml', 'crate.stl', 'limits.yaml', 'tool.yaml']); // biome-ignore format: names
  const hash = (await sceneIdentity(path))?.robot_hash;
  put('limits/limits.yaml', limits(0.6));
  expect((await loadScene(path)).robot.joints.some(({ velocity }) => velocity === 0.6)).toBe(true);
  expect((await sceneIdentity(path))?.robot_hash).not.toBe(hash);
  put('limits/limits.yaml', 'joint_limits: {trun: {max_velocity: 1}}');
  await expect(loadScene(path)).rejects.toThrow('no joint of this file');
});

test('a resolved scene with includes, units, named states and meshes is read as the same scene', async () => {
  const path = writeScene('whole');
  const { text } = await resolveSceneChecked(path);
  const data = JSON.parse(text);
  expect(text).not.toContain(root);
  expect(text).not.toMatch(/"\d+ (mm|deg|%)|pi\/|include/);
  expect(data.start).toEqual({ turn: 0.3 });
  expect(data.goals).toEqual([[Math.PI / 6], { turn: 0.3 }, { turn: 0.5 }]);
  expect(data.obstacles.map(({ name }: { name: string }) => name)).toEqual([
    'sphere-1', 'far-common-box-1', 'far-crate', 'common-box-1', 'crate',
  ]); // biome-ignore format: names
  expect(Object.keys(data.hashes).sort()).toEqual(['arm.srdf', 'arm.urdf', 'cell.yaml', 'common.yaml', 'crate.stl']);
});

test('bundled scenes with steps, motions, constraints and other robots are resolved to the same scene', async () => {
  for (const name of ['two-ur5e-bins', 'two-ur5e-bins-right', 'conveyor-program', 'camera-in-region', 'scara-trays']) {
    const { text } = await resolveSceneChecked(builtInScenes()[name]);
    expect(Object.keys(JSON.parse(text).hashes)[0]).toMatch(/^scenes\//);
  }
});

test('a resolved scene is resolved to itself', async () => {
  const { text, identity } = await resolveScene(writeScene('again'));
  const again = await resolveScene(put('again/resolved.json', text));
  expect(JSON.parse(again.text)).toEqual(JSON.parse(text));
  expect(again.identity).toEqual(identity);
  expect(identityOf(JSON.parse(text))).toEqual(identity);
});

test('the hash of a scene changes with its content, not with comments, names and places of files', async () => {
  const first = await sceneIdentity(writeScene('first'));
  const same = await sceneIdentity(writeScene('same', `# a comment\nname: another\n${SCENE}`));
  const moved = await sceneIdentity(writeScene('moved', SCENE.replace('[0, -2, 0]', '[0, -2.5, 0]')));
  put('mesh/x', '');
  const path = writeScene('mesh');
  put('mesh/crate.stl', STL.replace('vertex 0 0 1', 'vertex 0 0 2'));
  const mesh = await sceneIdentity(path);
  expect(same).toEqual(first);
  expect(moved?.scene_hash).not.toBe(first?.scene_hash);
  expect(moved?.robot_hash).toBe(first?.robot_hash);
  expect(mesh?.robot_hash).not.toBe(first?.robot_hash);
});

describe('a resolved scene is refused', () => {
  const changed = async (change: (data: Resolved) => void) => {
    const data = JSON.parse((await resolveScene(writeScene('refused'))).text);
    change(data);
    return loadProblemsIn(JSON.stringify(data), join(root, 'refused/resolved.json'));
  };
  test('if the bytes of a mesh do not have their hash', async () => {
    const other = Buffer.from(STL.replace('vertex 0 0 1', 'vertex 0 0 2')).toString('base64');
    await expect(
      changed(({ meshes }) => {
        for (const hash of Object.keys(meshes)) meshes[hash] = other;
      }),
    ).rejects.toThrow(/is not the SHA-256 of its bytes/);
  });
  test('if it names a file, even one that exists', async () => {
    await expect(
      changed(({ obstacles }) => {
        obstacles[2].file = 'crate.stl';
      }),
    ).rejects.toThrow(/a scene with embedded files reads no other files/);
  });
  test('if a mesh of the robot is not embedded', async () => {
    await expect(
      changed(({ robot }) => {
        robot.meshes = {};
      }),
    ).rejects.toThrow(/the mesh crate.stl of the robot is missing/);
  });
  test('if its robot is not given as text', async () => {
    const data = JSON.parse((await resolveScene(writeScene('named'))).text);
    const file = put(
      'named/resolved.json',
      JSON.stringify({ ...data, robot: 'ur5e', obstacles: [], allow: [], start: undefined, goals: undefined }),
    );
    await expect(resolveScene(file)).rejects.toThrow(/has its robot as text/);
  });
});

test('verify refuses a certificate of another scene or robot, and accepts one without hashes', async () => {
  const jointNames = ['shoulder', 'elbow'];
  const points = [{ positions: [-1, 0] }, { positions: [-0.9, 0] }];
  const across = [0, 1, Math.sin(1), Math.cos(1), 0];
  const pairs = ['upper', 'fore'].map((a) => ({ a, partA: 0, b: 'ball', partB: 0, spans: [across] }));
  const trajectory = trajectoryHash({ jointNames, points });
  const motion = put('motion.json', JSON.stringify({ joint_names: jointNames, points }));
  const identity = (await sceneIdentity(posts))!;
  const verify = (hashes: object) => {
    const head = { format: 'elbowroom-certificate/1', trajectory, ...hashes, duration: 1, pairs };
    return elbowroom(['verify', put('proof.json', JSON.stringify(head)), posts, motion]);
  };
  expect((await verify({})).code).toBe(0);
  expect((await verify(identity)).code).toBe(0);
  const scene = await verify({ ...identity, scene_hash: '0'.repeat(64) });
  expect([scene.code, scene.stdout]).toEqual([1, expect.stringContaining('certificate of another scene')]);
  const robot = await verify({ robot_hash: '' });
  expect([robot.code, robot.stdout]).toEqual([1, expect.stringContaining('certificate of another robot')]);
});

test('canonical JSON sorts keys by code units and has no blanks', () => {
  expect(canonicalJson({ b: [1, { z: null, y: 'é"' }], 10: true, 9: 1e-7, a: -0 })).toBe(
    '{"10":true,"9":1e-7,"a":0,"b":[1,{"y":"é\\"","z":null}]}',
  );
});

test('a scene without embedded files still reads its files', async () => {
  const { scene } = await loadScene(writeScene('plain'));
  expect(scene.obstacles).toHaveLength(5);
});
