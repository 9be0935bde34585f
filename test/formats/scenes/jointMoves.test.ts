import { expect, test } from 'vitest';
import { read, refusal } from './sceneTexts.ts';

const sceneOf = (set: string, more = '') =>
  `format: elbowroom-scene/1\nrobot: {urdf: two.urdf, joints: [turn], fixed: {slide: 100 mm}}\ntcp: {link: arm}\nstart: [0]\n${more}\n` +
  `steps: [{wait: 1}, {set: ${set}, name: open}]`;

test('a step that moves joints which are not planned keeps other keys, and states numbers in SI units', async () => {
  const [{ steps }] = await read(sceneOf('{joints: {slide: 20 mm}, time: 500 ms, light: green}'));
  expect(steps![1]).toEqual({
    kind: 'wait',
    index: 1,
    name: 'open',
    duration: 0.5,
    moves: { joints: { slide: 0.02 }, values: { joints: { slide: 0.02 }, time: 0.5, light: 'green' } },
  });
});

test.each([
  ['{joints: {slide: 0.5}}', '', /steps\[1\]\.set\.time: it is missing/],
  ['{joints: {slide: 0.5}, time: 0}', '', /steps\[1\]\.set\.time: it is 0, must be from 0\.001/],
  ['{joints: {slide: 0.5}, time: soon}', '', /steps\[1\]\.set\.time/],
  ['{joints: [0.5], time: 1}', '', /steps\[1\]\.set\.joints: it is \[0\.5\]/],
  ['{joints: {}, time: 1}', '', /steps\[1\]\.set\.joints: it is \{\}/],
  ['{joints: {slide: 10 deg}, time: 1}', '', /steps\[1\]\.set\.joints\.slide: it is an angle/],
  ['{joints: {slide: 1.5}, time: 9}', '', /steps\[1\]\.set\.joints\.slide: it is 1\.5 m, its limits are 0 to 1 m/],
  ['{joints: {slide: 0.9}, time: 0.5}', '', /it moves from 0\.1 to 0\.9 m in 0\.5 s, its limit is 1 m\/s.*0\.8 s/],
  ['{joints: {slid: 0.5}, time: 1}', '', /there is no joint "slid".*Did you mean "slide"/],
  ['{joints: {turn: 0.5}, time: 1}', '', /the joint is planned: motions move it/],
  ['{joints: {slide: 0.5}, time: 1}', 'torque: true', /limits of torque, momentum, power and stops do not follow/],
  [
    '{joints: {slide: 0.5}, time: 1}',
    'obstacles: [{name: box, type: sphere, radius: 0.01, motion: {times: [0], poses: [{xyz: [2, 0, 0]}]}}]',
    /something else moves in the scene/,
  ],
  [
    '{joints: {slide: 0.5}, time: 1}',
    'constraints: [{type: speed, most: 1, frame: {link: tool}}]',
    /constraints\[0\]\.frame\.link: steps move "tool" against the arm \(step 1 \(set "open"\)\)/,
  ],
])('set: %s %s is refused', async (set, more, message) => {
  expect(await refusal(sceneOf(set, more))).toMatch(message);
});

test('a joint that is planned by default is refused with the planned joints without it', async () => {
  const text = sceneOf('{joints: {slide: 0.5}, time: 1}')
    .replace('joints: [turn], fixed: {slide: 100 mm}', '')
    .replace('[0]', '[0, 0]');
  expect(await refusal(text)).toMatch(/or plan the others: robot: \{joints: \[turn\], fixed: \{slide: …\}\}/);
});

test('a link of the robot that is attached like an obstacle is refused as a link', async () => {
  const text = sceneOf('light').replace('{set: light, name: open}', '{attach: tool}');
  expect(await refusal(text)).toMatch(/attach: it is "tool", there is no such obstacle: it is a link of the robot/);
});

test('a tool that such a step would move is refused', async () => {
  const text = sceneOf('{joints: {slide: 0.5}, time: 1}').replace('link: arm', 'link: tool');
  expect(await refusal(text)).toMatch(/tcp\.link: steps move "tool" against the arm/);
});
