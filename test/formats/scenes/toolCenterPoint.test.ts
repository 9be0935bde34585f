import { expect, test } from 'vitest';
import { head, read } from './sceneTexts.ts';

const objects = `obstacles: [{name: crate, type: box, size: [1, 1, 1], pose: {xyz: [2, 0, 0]}}]
attached: [{name: cup, type: sphere, radius: 0.1, link: tool}]
`;
const scene = async (text: string) => (await read(`${head}${objects}${text}`))[0];
const failure = async (text: string): Promise<string> => {
  const error = await scene(text).then(
    () => undefined,
    (one) => one as { message: string; note: string },
  );
  return error === undefined ? 'no error' : `${error.message} | ${error.note}`;
};

test('a tool center point has a link and a pose; both may be omitted', async () => {
  expect((await scene('tcp: {link: tool, xyz: [0, 0, 140 mm], rpy: [0, 0, pi]}')).tcp).toEqual({
    link: 'tool',
    pose: { xyz: [0, 0, 0.14], quat_wxyz: [expect.closeTo(0, 12), 0, 0, 1] },
  });
  const none = { xyz: [0, 0, 0], quat_wxyz: [1, 0, 0, 0] };
  expect((await scene('tcp: {link: tool}')).tcp).toEqual({ link: 'tool', pose: none });
  expect((await scene('tcp: {xyz: [1 cm, 0, 0]}')).tcp).toEqual({ pose: { ...none, xyz: [0.01, 0, 0] } });
  expect(await scene('')).not.toHaveProperty('tcp');
  const copy = await scene('tcp: {link: tool, quat_wxyz: [0, 1, 0, 0]}');
  expect(JSON.parse(JSON.stringify(copy)).tcp).toEqual(copy.tcp);
});

test('a line is a displacement, a rotation about the TCP, or both, of the frame that it states', async () => {
  const lines = [
    '{by: [0, 0, 1 cm]}',
    '{rpy: [0, 0, pi], frame: tcp}',
    '{by: [0, 0, 0.01], rpy: [0, 0, pi], frame: tool}',
  ];
  const { steps } = await scene(`start: [0, 0]\nsteps: [${lines.map((line) => `{line: ${line}}`).join(', ')}]`);
  const half = [expect.closeTo(0, 12), 0, 0, 1];
  expect(steps!.map((step) => 'targets' in step && step.targets)).toEqual([
    [{ kind: 'by', by: [0, 0, 0.01], quat_wxyz: [1, 0, 0, 0], frame: 'world' }],
    [{ kind: 'by', by: [0, 0, 0], quat_wxyz: half, frame: 'tcp' }],
    [{ kind: 'by', by: [0, 0, 0.01], quat_wxyz: half, frame: 'tool' }],
  ]);
  expect(await failure('start: [0, 0]\nsteps: [{line: {frame: tcp}}]')).toMatch(/steps\[0\]\.line/);
});

test('a pose goal needs no link; its angles may be three; it may be relative to an obstacle', async () => {
  const { goals } = await scene(
    'goals: [{xyz: [1, 2, 3]}, {xyz: [0, 0, 1], relative_to: crate, tolerance: {position: 2 mm, angle: [1 deg, 0.1, 180 deg]}}]',
  );
  const quat_wxyz = [1, 0, 0, 0];
  expect(goals).toEqual([
    { kind: 'pose', pose: { xyz: [1, 2, 3], quat_wxyz, tolerance: { position: 1e-4, angle: 1e-3 } } },
    {
      kind: 'pose',
      pose: {
        xyz: [0, 0, 1],
        quat_wxyz,
        relativeTo: 'crate',
        tolerance: { position: 0.002, angle: [Math.PI / 180, 0.1, Math.PI] },
      },
    },
  ]);
});

test.each([
  ['tcp: {link: tol}', 'tcp.link: it is "tol", there is no such link | Did you mean "tool"?'],
  ['tcp: {lnk: tool}', 'tcp.lnk: unknown key | Did you mean "link"?'],
  ['tcp: {xyz: [1, 2]}', 'tcp.xyz: it has 2 values'],
  ['tcp: tool', 'tcp: it is "tool", must be a mapping'],
  ['tcp: {rpy: [0, 0, 0], quat_wxyz: [1, 0, 0, 0]}', 'tcp: rpy and quat_wxyz are both given'],
  ['goal: {xyz: [1, 2, 3], relative_to: crat}', 'goal.relative_to: it is "crat", there is no such obstacle | Did you'],
  [
    'goal: {xyz: [1, 2, 3], relative_to: cup}',
    'goal.relative_to: it is "cup", which is attached to the robot and moves',
  ],
  ['goal: {xyz: [1, 2, 3], link: tol}', 'goal.link: it is "tol", there is no such link'],
  ['goal: {xyz: [1, 2, 3], tolerance: {angle: [1, 2]}}', 'goal.tolerance.angle'],
  ['goal: {xyz: [1, 2, 3], tolerance: {angle: [1, 0, 1]}}', 'goal.tolerance.angle[1]: it is 0, must be greater than 0'],
  ['goal: {xyz: [1, 2, 3], tolerance: {angle: 20 mm}}', 'goal.tolerance.angle: it is "20 mm", which is a length'],
  ['goal: {xyz: [1, 2, 3], tolerances: {}}', 'goal.tolerances: unknown key | Did you mean "tolerance"?'],
  ['goal: {link: tool, xyz: 1}', 'goal.xyz: it is 1, must be a list'],
])('%s is refused with its line', async (text, expected) => {
  expect(await failure(text)).toContain(expected);
});

test('a mapping with xyz is a pose, whatever its values', async () => {
  expect(await failure('goal: {xyz: 1}')).toContain('goal.xyz: it is 1, must be a list | Write [x, y, z] in metres.');
});
