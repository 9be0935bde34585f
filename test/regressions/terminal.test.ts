import { expect, test } from 'vitest';
import { printable } from '../../src/host/cli/printable.ts';
import { elbowroom } from '../host/cli/runHere.ts';
import { scratchFolder } from '../host/node/scratch.ts';

const { put } = scratchFolder();

/** What a terminal executes or reorders; line breaks of our own aside. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to find
const EXECUTED = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/;
const EVIL = 'x\u001b[2J\r\u009b31m\u202e\u2066\u007f\u2028';

test('control characters and bidirectional marks are escaped, everything else is kept', () => {
  expect(printable(EVIL)).toBe('x\\u001b[2J\\r\\u009b31m\\u202e\\u2066\\u007f\\u2028');
  expect(printable('Zürich 机器人 🤖 "a" \\ %')).toBe('Zürich 机器人 🤖 "a" \\ %');
});

test.each([
  ['names of a scene and of an obstacle in collision', ['plan', 'SCENE']],
  ['a problem that is not there', ['plan', 'SCENE#\u001b[31m']],
  ['a joint that is not there', ['plan', 'SCENE', '--start', '\u001b[31m: 1']],
  ['an unknown option', ['plan', 'SCENE', '--\u001b[31m']],
  ['an unknown command', ['\u001b[31m']],
  ['the tables of a robot', ['robot', 'URDF']],
  ['what the doctor finds', ['robot', 'URDF', '--doctor']],
])('a terminal receives no control characters: %s', async (_name, args) => {
  const name = JSON.stringify(`${EVIL}\nINJECTED`);
  const scene = put(
    'scene.yaml',
    `format: elbowroom-scene/1\nname: ${name}\nrobot: ur5e\nobstacles: [{name: ${name}, type: box, size: [3, 3, 3]}]\n` +
      'start: [0, -1.2, 1.6, -1.9, -1.6, 0]\ngoal: [0, -1.2, 1.6, -1.9, -1.6, 0.1]\n',
  );
  const xml = 'a&#x9b;31m&#x202e;&#10;INJECTED';
  const urdf = put(
    'r.urdf',
    `<robot name="${xml}"><link name="${xml}"><collision><geometry><box size="1 1 1"/></geometry></collision></link>` +
      `<link name="b${xml}"><collision><geometry><box size="1 1 1"/></geometry></collision></link><joint name="j${xml}" type="continuous">` +
      `<parent link="${xml}"/><child link="b${xml}"/><origin xyz="0 0 2"/><axis xyz="1 0 0"/></joint></robot>`,
  );
  const result = await elbowroom(args.map((arg) => arg.replace('SCENE', scene).replace('URDF', urdf)));
  const { stdout, stderr } = result;
  expect(stdout + stderr).not.toMatch(EXECUTED);
  expect(stdout + stderr).not.toMatch(/^INJECTED/m);
  expect(stdout + stderr).not.toBe('');
});

const SECRET = 'hunter2secret';

test.each([
  ['passwords', `root:x:0:0:${SECRET}:/root\ndaemon:$6$${SECRET}:1:1\n`],
  ['variables', `PASSWORD=${SECRET}\nKEY=${SECRET}\n`],
  ['JSON', `{"${SECRET}": "${SECRET}", "a": ["${SECRET}", 3]}`],
  ['broken YAML', `${SECRET}: ${SECRET}\nlist: [${SECRET}]\nbad: {*${SECRET} : ${SECRET}\n`],
  ['XML', `<${SECRET} a="${SECRET}"><${SECRET}/></${SECRET}>`],
  ['broken XML', `<${SECRET} a="${SECRET}"><x></${SECRET}>`],
  ['words', `${SECRET} 1 2 3 ${SECRET}\n${SECRET} 1 2\n`],
])('files of another format are refused without quoting them: %s', async (_name, content) => {
  const files = ['secret', 'secret.urdf', 'secret.json', 'secret.yaml', 'secret.csv', 'secret.dae', 'secret.obj'];
  for (const name of files) put(name, content);
  const file = (name: string) => put(name, content);
  const scene = (body: string) => put('s.yaml', `format: elbowroom-scene/1\n${body}\n`);
  const runs = [
    ['plan', file('secret')],
    ['validate', 'shelf', file('secret')],
    ['fk', file('secret.urdf')],
    ['robot', file('secret.urdf'), '--doctor'],
    ['robot', 'ur5e', '--srdf', file('secret')],
    ['check', 'shelf', file('secret')],
    ['check', 'shelf', file('secret.json')],
    ['check', 'shelf', file('secret.yaml')],
    ['check', 'shelf', file('secret.csv')],
    ['verify', file('secret'), 'shelf', file('secret')],
    ['experiment', file('secret')],
    ['plan', 'shelf', '--library', file('secret'), '-o', '/dev/null'],
    ['validate', scene('robot: {urdf: secret}'), '-'],
    ['validate', scene('robot: ur5e\ninclude: [secret.yaml]'), '-'],
    ['validate', scene('robot: ur5e\nobstacles: [{name: m, type: mesh, file: secret.dae}]'), '-'],
    ['validate', scene('robot: ur5e\nobstacles: [{name: m, type: mesh, file: secret.obj}]'), '-'],
  ];
  for (const args of runs) {
    if (args.some((arg) => arg.endsWith('s.yaml'))) scene(bodyOf(args, runs));
    const { code, stdout, stderr } = await elbowroom(args);
    expect(code, args.join(' ')).toBe(2);
    expect(stdout + stderr, args.join(' ')).not.toContain(SECRET);
  }
});

const bodies = [
  'robot: {urdf: secret}',
  'robot: ur5e\ninclude: [secret.yaml]',
  'robot: ur5e\nobstacles: [{name: m, type: mesh, file: secret.dae}]',
  'robot: ur5e\nobstacles: [{name: m, type: mesh, file: secret.obj}]',
];
const bodyOf = (args: readonly string[], runs: readonly (readonly string[])[]): string =>
  bodies[runs.filter((run) => run[1].endsWith('s.yaml')).indexOf(args)];
