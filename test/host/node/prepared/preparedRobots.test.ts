import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { readRobotFile } from '../../../../src/formats/robots/index.ts';
import { robotFileAccess } from '../../../../src/host/node/packages/robotFileAccess.ts';
import { computedData, type Prepare, preparedData } from '../../../../src/host/node/prepared/preparedData.ts';
import { preparedRobot } from '../../../../src/host/node/prepared/preparedRobots.ts';
import { readText } from '../../../../src/host/node/readFiles.ts';
import { scratchFolder } from '../scratch.ts';

const { root, put } = scratchFolder();
const [folder, keyFile] = [join(root, 'cache'), join(root, 'key', 'cache.key')];
const cache = preparedData({ folder, sources: 'a', keyFile, limit: async () => {} });
let readings = 0;

beforeEach(() => {
  readings = 0;
});
afterEach(() => {
  vi.unstubAllEnvs();
});

/** Reads a robot with and without the cache, which must be the same, and returns the text of the result. */
async function load(file: string, args: Readonly<Record<string, string>> = {}): Promise<string> {
  const text = await readText(file);
  const reading = { geometry: 'collision', args } as const;
  const inputs = [JSON.stringify(args), file, text];
  const readBy = (prepare: Prepare) =>
    preparedRobot(prepare, inputs, robotFileAccess(file, {}), (files) => {
      if (prepare === cache) readings++;
      return readRobotFile(text, file, { ...reading, files });
    });
  const kept = await readBy(cache);
  expect(kept).toStrictEqual(await readBy(computedData));
  return JSON.stringify(kept.urdf);
}

const box = (size: string) =>
  `<link name="b"><collision><geometry><box size="1 1 ${size}"/></geometry></collision></link>`;
/** A link that is fixed to `b`. */
const fixed = (name: string) =>
  `<link name="${name}"/><joint name="j${name}" type="fixed"><parent link="b"/><child link="${name}"/></joint>`;
const xacro = (content: string) => `<robot name="r" xmlns:xacro="x">${content}</robot>`;

const included: [string, string, string, (size: number) => string][] = [
  ['r.xacro', xacro('<xacro:include filename="part.xacro"/>'), 'part.xacro', (size) => xacro(box(`${size}`))],
  [
    'm.xml',
    '<mujoco><worldbody><include file="part.xml"/></worldbody></mujoco>',
    'part.xml',
    (size) => `<mujocoinclude><body name="b"><geom type="box" size="1 1 ${size}"/></body></mujocoinclude>`,
  ],
  [
    's.sdf',
    '<sdf version="1.9"><model name="r"><include><uri>part.sdf</uri></include></model></sdf>',
    'part.sdf',
    (size) =>
      `<sdf version="1.9"><model name="p"><link name="b"><collision name="c"><geometry><box><size>1 1 ${size}</size></box></geometry></collision></link></model></sdf>`,
  ],
];

test('robots in xacro, MJCF and SDF are read once, and again after an included file has changed', async () => {
  for (const [name, text, part, partOf] of included) {
    readings = 0;
    const file = put(`included/${name}`, text);
    const contents = [partOf(1), partOf(2), partOf(1)];
    const results: string[] = [];
    for (const content of contents) {
      put(`included/${part}`, content);
      results.push(await load(file));
      expect(await load(file)).toBe(results.at(-1));
    }
    expect([results[1] === results[0], results[2] === results[0], readings], name).toEqual([false, true, 3]);
    rmSync(join(root, 'included', part));
    await expect(load(file), name).rejects.toThrow('there is no such file');
  }
});

test('a robot is read again after a variable, an argument, a package or an optional file has changed', async () => {
  const parts = [
    box('$(optenv SIZE 1)'),
    `<xacro:arg name="length" default="1"/>${fixed('$(arg length)')}`,
    '<xacro:include filename="own.xacro" optional="true"/>',
    '<xacro:include filename="$(find parts)/part.xacro"/>',
  ];
  const file = put('queries/r.xacro', xacro(parts.join('')));
  const packages = ['one', 'two'].map((name) => {
    put(`${name}/parts/package.xml`, '<package><name>parts</name></package>');
    put(`${name}/parts/part.xacro`, xacro(fixed(name)));
    return join(root, name);
  });
  vi.stubEnv('ROS_PACKAGE_PATH', packages[0]);
  const results = [await load(file)];
  const loadTwice = async (args = {}) => {
    const before = readings;
    results.push(await load(file, args));
    expect(await load(file, args)).toBe(results.at(-1));
    expect(readings).toBe(before + 1);
  };
  vi.stubEnv('SIZE', '2');
  await loadTwice();
  await loadTwice({ length: '3' });
  vi.stubEnv('ROS_PACKAGE_PATH', packages[1]);
  await loadTwice();
  put('queries/own.xacro', xacro(fixed('own')));
  await loadTwice();
  expect(new Set(results).size).toBe(5);
});

test('a robot is not kept if one of its queries failed, or was answered in two ways', async () => {
  const access = robotFileAccess(join(root, 'r.xacro'), {});
  const urdf = JSON.parse(await load(put('u.urdf', `<robot name="r">${box('1')}</robot>`)));
  const before = readdirSync(folder).length;
  const [missing, changing] = [join(root, 'none.xacro'), put('changing.xacro', '1')];
  const failing = await preparedRobot(cache, ['failing'], access, async (files) => {
    expect(() => files.readText(missing)).toThrow('there is no such file');
    return urdf;
  });
  const changed = await preparedRobot(cache, ['changed'], access, async (files) => {
    for (const text of ['1', '2']) {
      put('changing.xacro', text);
      expect(files.readText(changing)).toBe(text);
    }
    return urdf;
  });
  expect([failing.inputs, changed.inputs]).toEqual([undefined, undefined]);
  expect(readdirSync(folder).length).toBe(before);
});
