import { expect, test } from 'vitest';
import { withoutStart } from '../../../src/core/scene/configurationOf.ts';
import { check, recertify, verify } from '../../../src/host/service/threadMethods/judge.ts';
import { free, model, scene } from './shelf.ts';

const joint_names = model.variables.map(({ name }) => name);
const points = [0, 1].map((time_from_start) => ({ time_from_start, positions: free, velocities: free.map(() => 0) }));
const trajectory = { format: 'elbowroom-trajectory/1', joint_names, interpolation: 'cubic', points };
const contextOf = (start: boolean) =>
  ({
    robot: model,
    scene: start ? { ...scene, start: free } : withoutStart(scene),
    checker: 'growth-distance',
    interrupt: () => false,
    progress: () => undefined,
  }) as never;

test('verify and recertify warn as check does: of a missing start, and of what the trajectory leaves open', async () => {
  const known = JSON.parse(await check({ trajectory, certificate: true }, contextOf(true)));
  const { certificate } = known;
  const path = { ...trajectory, interpolation: 'linear', points: points.map(({ positions }) => ({ positions })) };
  for (const start of [true, false])
    for (const motion of [trajectory, path]) {
      const given = { trajectory: motion, certificate };
      const expected = JSON.parse(await check({ trajectory: motion }, contextOf(start))).warnings;
      if (!start) expect(expected).toEqual([expect.stringMatching(/has no start/)]);
      for (const method of [verify, recertify])
        expect(JSON.parse(await method(given, contextOf(start))).warnings, method.name).toEqual(expected);
    }
  const anyStart = { trajectory, certificate, any_start: true };
  expect(JSON.parse(await verify(anyStart, contextOf(false))).warnings).toBeUndefined();
});
