import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../run.ts';
import { elbowroom } from '../runHere.ts';

const SCENE = 'format: elbowroom-scene/1\nrobot: ur5e\nstart: [0, -1.4, 1.7, -1.8, -1.5, 0]\n';
const move = (pan: number) => `  movej([${pan}, -1.4, 1.7, -1.8, -1.5, 0], a=1.4, v=3)\n`;
const MOVES = `${move(0)}${move(1)}`;

test('no script whose moves exceed a limit of speed is valid or proved, whatever it is read as', async () => {
  const cwd = temporaryFolder();
  const file = (name: string, text: string) => {
    writeFileSync(join(cwd, name), text);
    return join(cwd, name);
  };
  const [free, limited] = [file('free.yaml', SCENE), file('limited.yaml', `${SCENE}safety: {tcp_speed: 0.05 m/s}\n`)];
  const plain = `def job():\n${MOVES}end\n`;
  const texts: [string, string][] = [
    ['plain.script', plain],
    ['moves.txt', plain],
    ['message.script', `def job():\n  textmsg("instead of servoj (slow)")\n${MOVES}end\n`],
    ['branch.script', `def job():\n  if False:\n    servoj([0, 0, 0, 0, 0, 0])\n  end\n${MOVES}end\n`],
  ];
  for (const [name, text] of texts) {
    const script = file(name, text);
    expect((await elbowroom(['check', limited, script])).code, name).not.toBe(0);
  }
  const [script, certificate] = [join(cwd, 'plain.script'), join(cwd, 'certificate.json')];
  expect((await elbowroom(['recertify', limited, script])).code).not.toBe(0);
  expect((await elbowroom(['check', free, script, '--certificate', certificate])).code).toBe(0);
  const { scene_hash: _, ...unbound } = JSON.parse(readFileSync(certificate, 'utf8'));
  const other = file('unbound.json', JSON.stringify(unbound));
  expect((await elbowroom(['verify', other, free, script])).code).toBe(0);
  const { code, stderr } = await elbowroom(['verify', other, limited, script]);
  expect(code).toBe(2);
  expect(stderr).toContain('the scene limits "tcp_speed"');
});

test('a path without times in a scene that limits speeds is judged with a warning that names the limits', async () => {
  const cwd = temporaryFolder();
  const [scene, path] = [join(cwd, 'limited.yaml'), join(cwd, 'path.csv')];
  writeFileSync(scene, `${SCENE}safety: {tcp_speed: 0.05 m/s, momentum: 10 kg m/s}\n`);
  const joints = ['shoulder_pan', 'shoulder_lift', 'elbow', 'wrist_1', 'wrist_2', 'wrist_3'];
  const header = joints.map((name) => `${name}_joint`).join(',');
  writeFileSync(path, `${header}\n0,-1.4,1.7,-1.8,-1.5,0\n1,-1.4,1.7,-1.8,-1.5,0\n`);
  const { code, stderr } = await elbowroom(['check', scene, path]);
  expect(code, stderr).toBe(0);
  expect(stderr).toContain('it has no times, so limits of "tcp_speed", "momentum" are not judged');
  writeFileSync(scene, SCENE);
  expect((await elbowroom(['check', scene, path])).stderr).not.toContain('not judged');
});

test('warnings name the limits that paths and moves are not judged against: scaled joint limits, and limits of jerk', async () => {
  const cwd = temporaryFolder();
  const [scene, path, moves] = ['scaled.yaml', 'path.script', 'moves.script'].map((name) => join(cwd, name));
  writeFileSync(path, `def job():\n${MOVES}end\n`);
  writeFileSync(moves, `def job():\n${MOVES.replace('v=3', 'v=3, r=0.01')}end\n`);
  const proof = join(cwd, 'proof.json');
  for (const key of ['speed', 'acceleration']) {
    writeFileSync(scene, `${SCENE}${key}: 0.3\n`);
    expect((await elbowroom(['check', scene, path])).stderr).toContain(`limits of "${key}" are not judged`);
    const checked = await elbowroom(['check', scene, moves, '--certificate', proof]);
    const verified = await elbowroom(['verify', proof, scene, moves]);
    expect([checked.code, verified.code], checked.stderr + verified.stderr).toEqual([0, 0]);
    for (const { stderr } of [checked, verified])
      expect(stderr).toContain(`a, v and t of its moves are not compared with "${key}"`);
  }
  const limits = '{shoulder_pan_joint: {jerk: 10}}';
  const smooth = SCENE.replace('ur5e', `{name: ur5e, limits: ${limits}}`);
  writeFileSync(scene, `${smooth}goal: [1, -1.4, 1.7, -1.8, -1.5, 0]\n`);
  const planned = await elbowroom(['plan', scene, '--format', 'urscript', '--moves', '-o', moves]);
  expect(planned.stderr).toContain('moves do not keep limits of jerk');
});
