import { expect, test } from 'vitest';
import type { Scene } from '../../../src/core/scene/scene.ts';
import { settleScene } from '../../../src/tasks/settling/settleScene.ts';

const free = { density: 1000, friction: 0.5, restitution: 0 };
const cube = (size: number) => [{ shape: { type: 'box', size: [size, size, size] } }];
const at = (x: number, z: number) => ({ xyz: [x, 0, z] as const, quat_wxyz: [1, 0, 0, 0] as const });

test('objects far below a millimetre come to rest on the floor and beside each other, like large ones', () => {
  for (const [size, offset] of [
    [5e-4, 0.2], // overlap by 80 %
    [5e-4, 1.2],
    [1e-4, 1.2],
  ]) {
    const obstacles = [
      { name: 'floor', pose: at(0, -0.5), parts: cube(1) },
      { name: 'one', pose: at(0, 0.6 * size), parts: cube(size), free },
      { name: 'other', pose: at(offset * size, 0.6 * size), parts: cube(size), free },
    ];
    const scene = { obstacles, attached: [], allow: [], padding: 0 } as unknown as Scene;
    const { status, moved } = settleScene(scene);
    const [one, other] = [1, 2].map((i) => moved.get(i)?.xyz.map((x) => x / size) ?? []);
    expect(status, `${size}`).toBe('rest');
    for (const [, , z] of [one, other]) expect(Math.abs(z - 0.5), `${size}`).toBeLessThan(0.06);
    expect(Math.abs(one[0] - other[0]), `${size}`).toBeGreaterThan(0.95);
  }
});

test('small objects that cannot be pushed apart do not count as settled', () => {
  const size = 1e-4;
  const obstacles = [
    { name: 'floor', pose: at(0, -0.5), parts: cube(1) },
    { name: 'one', pose: at(0, 0.5 * size), parts: cube(size), free },
    { name: 'other', pose: at(0.2 * size, 0.5 * size), parts: cube(size), free },
  ];
  const { status } = settleScene({ obstacles, attached: [], allow: [], padding: 0 } as unknown as Scene);
  expect(status).not.toBe('rest');
});
