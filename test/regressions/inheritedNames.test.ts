import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { few } from '../cases.ts';
import { temporaryFolder } from '../host/cli/run.ts';
import { elbowroom } from '../host/cli/runHere.ts';

// Names from input files were keys of plain objects, which inherit `constructor` and `toString` and treat `__proto__`
// as their prototype: joints were rejected, states became functions, values were lost.

const folder = temporaryFolder();
mkdirSync(join(folder, 'pkg'));
const put = (name: string, text: string) => writeFileSync(join(folder, name), text);
const box = (z: number) =>
  `<collision><origin xyz="0 0 ${z}"/><geometry><box size="0.05 0.05 0.3"/></geometry></collision>`;
const joint = (name: string, type: string, parent: string, child: string, more: string) =>
  `<joint name="${name}" type="${type}"><parent link="${parent}"/><child link="${child}"/>${more}</joint>`;
const turns = '<axis xyz="0 1 0"/><limit lower="-3" upper="3" velocity="1" effort="1"/>';
put(
  'r.urdf',
  `<robot name="valueOf">
<link name="constructor">${box(0)}</link><link name="__proto__">${box(0.2)}</link><link name="toString">${box(0.2)}</link>
<link name="hasOwnProperty"><collision><geometry><mesh filename="package://constructor/m.obj"/></geometry></collision></link>
<link name="valueOf"/>
${joint('__proto__', 'revolute', 'constructor', '__proto__', `<origin xyz="0 0 0.15"/>${turns}`)}
${joint('constructor', 'revolute', '__proto__', 'toString', `<origin xyz="0 0 0.4"/>${turns}`)}
${joint('toString', 'prismatic', 'toString', 'hasOwnProperty', '<origin xyz="0 0 0.4"/><axis xyz="0 0 1"/><limit lower="0" upper="0.1" velocity="1"/>')}
${joint('valueOf', 'fixed', 'hasOwnProperty', 'valueOf', '')}
</robot>`,
);
const state = (name: string, a: number, b: number) =>
  `<group_state name="${name}" group="__proto__"><joint name="__proto__" value="${a}"/><joint name="constructor" value="${b}"/></group_state>`;
put(
  'r.srdf',
  `<robot name="valueOf"><group name="__proto__"><joint name="__proto__"/><joint name="constructor"/></group>
${state('__proto__', -1, 0.2)}${state('constructor', 1, -0.2)}
<disable_collisions link1="__proto__" link2="hasOwnProperty" reason="Never"/></robot>`,
);
put('pkg/m.obj', 'v 0 0 0\nv 0.05 0 0\nv 0 0.05 0\nv 0 0 0.05\nf 1 2 3\nf 1 2 4\nf 1 3 4\nf 2 3 4\n');
put(
  's.yaml',
  `format: elbowroom-suite/1
name: constructor
robot:
  urdf: r.urdf
  srdf: r.srdf
  packages: {constructor: pkg}
  joints: [__proto__, constructor]
  fixed: {toString: 20 mm}
  limits: {__proto__: {velocity: 2, acceleration: 3}, constructor: {acceleration: 2}}
start: __proto__
goal: constructor
weights: {__proto__: 2, constructor: 1}
obstacles:
  - {name: propertyIsEnumerable, type: sphere, radius: 0.05, pose: {xyz: [0.6, 0.6, 0.6]}}
  - {name: __defineGetter__, type: sphere, radius: 0.3, pose: {xyz: [-2, 0, 0.5]}}
attached:
  - {name: isPrototypeOf, type: sphere, radius: 0.02, link: valueOf, pose: {xyz: [0, 0, 0.1]}, touches: [hasOwnProperty]}
allow: [[propertyIsEnumerable, constructor]]
problems:
  - {name: __proto__}
  - {name: constructor, start: {__proto__: -0.5, constructor: 0.1}, goal: {__proto__: 0.5}}
  - {name: toString, goal: {link: valueOf, xyz: [0.3, 0, 0.9], tolerance: {position: 0.5, angle: 3}}}
`,
);
const run = (args: readonly string[], input?: string) =>
  elbowroom(args, { cwd: folder, ...(input !== undefined && { input }) });
const good = async (args: readonly string[], input?: string) => {
  const { code, stdout, stderr } = await run(args, input);
  expect(code, `${args.join(' ')}: ${stderr}`).toBe(0);
  return stdout;
};
const robot = ['r.urdf', '--srdf', 'r.srdf', '--package', 'constructor=pkg'];
const linkNames = ['constructor', '__proto__', 'toString', 'hasOwnProperty', 'valueOf'];

describe('robots, scenes and suites with names that every object has', () => {
  test('are planned, checked, certified and verified, in text and binary formats', async () => {
    const stats = await good(['plan', 's.yaml', '--stats', '-', '-o', 'out', '--jobs', '2']);
    expect(
      stats
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line).problem),
    ).toEqual(['__proto__', 'constructor', 'toString']);
    expect(readdirSync(join(folder, 'out')).sort()).toEqual(['__proto__.json', 'constructor.json', 'toString.json']);
    const one = 's.yaml#__proto__';
    await good(['plan', one, '-o', 't.json', '--certificate', 'c.json']);
    const { joint_names, points } = JSON.parse(readFileSync(join(folder, 't.json'), 'utf8'));
    expect(joint_names).toEqual(['__proto__', 'constructor']);
    expect(points[0].positions).toEqual([-1, 0.2]);
    expect(points.at(-1).positions).toEqual([1, -0.2]);
    expect(JSON.parse(await good(['check', one, 't.json'])).valid).toBe(true);
    await good(['verify', 'c.json', one, 't.json']);
    const { room } = JSON.parse(await good(['recertify', one, 't.json']));
    expect(Object.keys(room)).toEqual(['propertyIsEnumerable', '__defineGetter__']);
    for (const format of few(['csv', 'ros-yaml', 'urscript', 'klampt', 'mcap'], ['csv', 'mcap'])) {
      await good(['plan', one, '--format', format, '-o', `t.${format}`]);
      await good(['check', one, `t.${format}`]);
    }
    await good(['plan', one, '--svg', 'p.svg', '--explain', '-o', 'u.json']);
    await good(['report', one, 't.json', '-o', 'r.html']);
    const second = await good(['plan', 's.yaml#constructor']);
    expect(JSON.parse(second).points[0].positions).toEqual([-0.5, 0.1]);
  }, 120_000);

  test('are validated, posed and described', async () => {
    const states =
      '{"q": {"__proto__": 0.1, "constructor": 0.2}}\n{"q": {"constructor": 0.2}}\n{"q": {"__proto__": 0}}\n[0, 9]\n';
    const { code, stdout } = await run(['validate', 's.yaml#constructor'], states);
    const lines = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(code).toBe(2);
    expect(lines[0].valid).toBe(true);
    expect(lines[1].error).toBe('q has no value for __proto__');
    expect(lines[2].error).toBe('q has no value for constructor');
    expect(lines[3].limits).toEqual(['constructor']);
    const fk = await good(['fk', ...robot], '{"q": {"__proto__": 0.1, "constructor": 0.2, "toString": 0}}\n');
    expect(Object.keys(JSON.parse(fk).links)).toEqual(linkNames);
    await good(['ik', ...robot, '--link', '__proto__', '--xyz', '0,0,0.15']);
    await good(['ik', '--scene', 's.yaml#__proto__', '--link', 'toString', '--xyz', '0,0,0.55']);
    const { links, joints, groups, states: named, allowed } = JSON.parse(await good(['robot', ...robot, '--json']));
    expect(links.map(({ name }: { name: string }) => name)).toEqual(linkNames);
    expect(joints.map(({ parent, child }: Record<string, string>) => [parent, child])).toEqual([
      ['constructor', '__proto__'],
      ['__proto__', 'toString'],
      ['toString', 'hasOwnProperty'],
      ['hasOwnProperty', 'valueOf'],
    ]);
    expect(Object.entries(groups)).toEqual([['__proto__', ['__proto__', 'constructor']]]);
    expect(named).toEqual(['__proto__', 'constructor']);
    expect(allowed).toContainEqual(['__proto__', 'hasOwnProperty', 'Never']);
    await good(['robot', ...robot, '--doctor']);
    await good(['robot', ...robot, '--svg', 'r.svg', '--q', '__proto__', '--names']);
  }, 60_000);

  test('are served', async () => {
    const requests = [
      { method: 'constructor' },
      { method: '__proto__' },
      { method: 'fk', params: { q: [0, 0], links: ['__proto__'] } },
      { method: 'scene.remove', params: { name: 'toString' } },
      { method: 'scene.remove', params: { name: '__defineGetter__' } },
      { method: 'validate', params: JSON.parse('{"q": [0, 0], "__proto__": 1}') },
      { method: 'validate', params: { q: [0, 0] } },
    ];
    const input = requests.map((request, id) => `${JSON.stringify({ jsonrpc: '2.0', id, ...request })}\n`).join('');
    const answers = (await good(['serve', 's.yaml#__proto__', '--stdio'], input))
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(answers.map(({ error }) => error?.code)).toEqual([
      -32601,
      -32601,
      undefined,
      -32602,
      undefined,
      -32602,
      undefined,
    ]);
    expect(Object.keys(answers[2].result.links)).toEqual(['__proto__']);
    expect(answers[4].result.obstacles).toEqual(['propertyIsEnumerable']);
  }, 30_000);

  test('are run and reported in experiments, as names of settings too', async () => {
    put(
      'e.yaml',
      `format: elbowroom-experiment/1
name: __proto__
scenes: [s.yaml]
planners: [{planner: rrt-connect, label: constructor}, {planner: rrt, label: __proto__, options: {stepSize: 0.4}}]
seeds: 1
`,
    );
    await good(['experiment', 'e.yaml', '-o', 'exp']);
    await good(['experiment', 'report', 'exp']);
    expect(readFileSync(join(folder, 'exp/report/index.html'), 'utf8')).toContain('constructor');
  }, 120_000);
});

test('such names are unknown where they name an option, a command, a problem or a key', async () => {
  const refusals: readonly (readonly [readonly string[], RegExp])[] = [
    [['plan', 's.yaml#__proto__', '--planner-option', 'constructor=1'], /has no option "constructor"/],
    [['plan', 's.yaml#__proto__', '--planner-option', '__proto__=1'], /has no option "__proto__"/],
    [['plan', 's.yaml#__proto__', '--planner', 'constructor'], /unknown --planner "constructor"/],
    [['plan', 's.yaml#__proto__', '--start', 'toString'], /--start: .*there is no such state/],
    [['plan', 's.yaml#hasOwnProperty'], /there is no problem "hasOwnProperty"/],
    [['schema', 'toString'], /unknown schema "toString"/],
    [['toString'], /unknown command "toString"/],
    [['robot', 'r.urdf', '--package', 'toString=pkg'], /package "constructor" is not known/],
  ];
  for (const [args, expected] of refusals) {
    const { code, stderr } = await run(args);
    expect([code, stderr], args.join(' ')).toEqual([2, expect.stringMatching(expected)]);
  }
  const keys: readonly (readonly [string, RegExp])[] = [
    ['__proto__: {a: 1}', /:4: __proto__: unknown key/],
    ['weights: {__proto__: abc}', /:4: weights\.__proto__: it is "abc"/],
    ['weights: {__proto__: [1]}', /:4: weights\.__proto__: /],
    ['start: {toString: 1}', /:4: start\.toString: it is "toString", there is no such planned joint/],
  ];
  for (const [line, expected] of keys) {
    put('k.yaml', `format: elbowroom-scene/1\nrobot: ur5e\ngoal: home\n${line}\n`);
    const { code, stderr } = await run(['plan', 'k.yaml']);
    expect([code, stderr], line).toEqual([2, expect.stringMatching(expected)]);
  }
}, 60_000);
