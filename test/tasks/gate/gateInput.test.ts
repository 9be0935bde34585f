import { expect, test } from 'vitest';
import type { Pose } from '../../../src/core/kinematics/robotModel.ts';
import { box, gateIn, sceneWith, turn } from './gateCases.ts';

/** What a gate refuses to read, and that this changes nothing. */

test('a proposal in arrays that are used again does not begin where the committed motion is not', () => {
  const gate = gateIn(sceneWith([]));
  const points = [0.1, 0.2, 0.3, 0.4].map((time) => ({ time, positions: [0, 0, 0], velocities: [0, 0, 0] }));
  expect(gate.propose(0, points).verdict).toBe('accepted');
  for (const point of points) {
    point.time += 0.2;
    point.positions[0] = 0.005;
  }
  expect(gate.propose(0.2, points)).toMatchObject({ verdict: 'slowed', reason: expect.stringMatching(/elsewhere/) });
});

test('what cannot be judged is an error, and changes nothing', () => {
  const gate = gateIn(sceneWith([]));
  gate.tick(1);
  const [a, b] = turn(1.1, 0.5);
  expect(() => gate.tick(0.5)).toThrow(/older/);
  expect(() => gate.tick(Number.NaN)).toThrow(/now/);
  expect(() => gate.propose(2, [])).toThrow(/none/);
  expect(() => gate.propose(2, [b, a])).toThrow(/come after/);
  expect(() => gate.propose(2, [{ ...a, positions: [0, Number.NaN, 0] }])).toThrow(/joint value/);
  expect(() => gate.change(2, [{ kind: 'remove', name: 'nothing' }])).toThrow(/no obstacle/);
  expect(() => gateIn(sceneWith([box('there', [0.7, 0, 0])]))).toThrow(/start/);
  expect(gate.time).toBe(1);
});

test('an obstacle that is seen at a pose that is not finite, or too far away, is refused: it counted as far from the arm', () => {
  const scene = sceneWith([box('wall', [-0.9, 0, 0]), box('post', [0.75, 0.6, 0])]);
  const gate = gateIn(scene);
  const poses = [
    [Number.NaN, 0, 0],
    [0, 1e300, 0],
    [0, 0, Number.NEGATIVE_INFINITY],
  ].map((xyz) => ({ xyz }));
  for (const wrong of [...poses, { quat_wxyz: [0, 0, 0, 0] }, { quat_wxyz: [Number.NaN, 0, 0, 1] }]) {
    const [wall, post] = scene.obstacles;
    const moved = { ...post, pose: { ...post.pose, ...wrong } as unknown as Pose };
    expect(() => gate.see(0, { ...scene, obstacles: [wall, moved] })).toThrow('"post"');
    expect(gate.scene).toBe(scene);
  }
  expect(gate.propose(0, turn(0.1, 1, 30))).toMatchObject({ verdict: 'trimmed', pair: ['link2', 'post'] });
});

test('a measured state that is not one of the robot is an error, and changes nothing', () => {
  const gate = gateIn(sceneWith([], { tracking: 0.01 }));
  for (const [wrong, message] of [
    [[0, 0], 'q has 2 values'],
    [[0, Number.NaN, 0], 'q[1] (joint1) is null'],
    [[0, 0, Number.POSITIVE_INFINITY], 'not a joint value'],
  ] as const)
    expect(() => gate.tick(1, wrong)).toThrow(message);
  expect(gate.time).toBe(0);
});

test('a tracking or an unknown speed that is no number of at least 0 is refused: NaN counted as 0', () => {
  const scene = sceneWith([box('wall', [-0.9, 0, 0])]);
  for (const wrong of [Number.NaN, -1]) {
    const fast = { ...scene, obstacles: [box('wall', [-0.9, 0, 0], { unknownSpeed: wrong })] };
    const gate = gateIn(scene);
    expect(() => gate.see(0, fast)).toThrow('the unknown speed of "wall"');
    expect(gate.scene).toBe(scene);
    expect(() => gateIn(fast)).toThrow('the unknown speed of "wall"');
    expect(() => gateIn({ ...scene, tracking: wrong })).toThrow('tracking is');
  }
});
