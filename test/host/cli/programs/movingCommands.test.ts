import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { temporaryFolder } from '../run.ts';
import { elbowroom } from '../runHere.ts';

/** Every command that takes a scene works with moving obstacles and other robots, or refuses them with a way out. */
const folder = temporaryFolder();
const at = (name: string) => join(folder, name);
const head = `format: elbowroom-scene/1
robot: ur5e
start: [-60 deg, -75 deg, 110 deg, -125 deg, -90 deg, 0]
goal: [-50 deg, -75 deg, 110 deg, -125 deg, -90 deg, 0]
`;
const scenes = {
  obstacle: `${head}obstacles:
  - {name: door, type: box, size: [0.1, 0.1, 0.1], motion: {times: [0, 1], poses: [{xyz: [1, 1, 1]}, {xyz: [1, 1, 2]}]}}
`,
  robot: `${head}robots:
  - {name: right, robot: ur3e, pose: {xyz: [2, 0, 0]}, q: [0, -90 deg, 0, -90 deg, 0, 0]}
`,
};
const experiment = (scene: string) =>
  `format: elbowroom-experiment/1\nscenes: [${scene}.yaml]\nseeds: {from: 1, count: 1}\n`;

beforeAll(async () => {
  for (const [name, text] of Object.entries(scenes)) {
    writeFileSync(at(`${name}.yaml`), text);
    writeFileSync(at(`${name}-experiment.yaml`), experiment(name));
    const { code, stderr } = await elbowroom([
      'plan',
      at(`${name}.yaml`),
      '-o',
      at(`${name}.json`),
      '--certificate',
      at(`${name}.certificate.json`),
    ]);
    expect(code, stderr).toBe(0);
  }
});

const NOT_HERE = /(obstacle "door" has a motion|it has the robot "right" beside its own), which is not supported here/;
const state = '{"q": [0, -1.3, 1.9, -2.2, -1.57, 0], "t": 1}\n';

test.each<[string, (name: string) => string[], RegExp | 'works', string?]>([
  ['check', (name) => ['check', at(`${name}.yaml`), at(`${name}.json`)], 'works'],
  ['verify', (name) => ['verify', at(`${name}.certificate.json`), at(`${name}.yaml`), at(`${name}.json`)], 'works'],
  ['validate', (name) => ['validate', at(`${name}.yaml`)], 'works', state],
  ['validate --motions', (name) => ['validate', at(`${name}.yaml`), '--motions'], NOT_HERE, `[${state}]`],
  ['recertify', (name) => ['recertify', at(`${name}.yaml`), at(`${name}.json`)], 'works'],
  ['repair', (name) => ['repair', at(`${name}.yaml`), at(`${name}.json`)], 'works'],
  ['optimize', (name) => ['optimize', at(`${name}.yaml`), at(`${name}.json`)], NOT_HERE],
  ['ik', (name) => ['ik', '--scene', at(`${name}.yaml`)], NOT_HERE, '{"xyz": [0.4, 0, 0.4]}\n'],
  [
    'experiment',
    (name) => ['experiment', at(`${name}-experiment.yaml`), '-o', at(`${name}.runs`), '--jobs', '1'],
    'works',
  ],
  [
    'serve',
    (name) => ['serve', at(`${name}.yaml`), '--stdio'],
    'works',
    '{"jsonrpc":"2.0","id":1,"method":"describe"}\n',
  ],
  ['settle', (name) => ['settle', at(`${name}.yaml`), '-o', at('settled.yaml')], /moving objects|other robots/],
  [
    'plan --jobs',
    (name) => ['plan', at(`${name}.yaml`), '--jobs', '2'],
    /--jobs: not for scenes with moving obstacles/,
  ],
  ['plan --explain', (name) => ['plan', at(`${name}.yaml`), '--explain'], /--explain: not for scenes with moving/],
  ['plan --optimize', (name) => ['plan', at(`${name}.yaml`), '--optimize'], /--optimize: not for scenes with moving/],
])('%s supports scenes with moving objects, or refuses them with a note', async (_, command, expected, input = '') => {
  for (const name of Object.keys(scenes)) {
    const { code, stderr } = await elbowroom(command(name), { input });
    if (expected === 'works') expect(code, stderr).toBe(0);
    else {
      expect(code, `${name}: ${stderr}`).toBe(2);
      expect(stderr).toMatch(expected);
      expect(stderr).toMatch(/\n {2}note: \S/);
    }
  }
});
