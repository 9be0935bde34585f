import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, describe, expect, test } from 'vitest';
import { forwardKinematics, RobotState } from '../../../src/core/kinematics/forwardKinematics.ts';
import { TrajectoryCurve } from '../../../src/core/trajectory/trajectoryCurve.ts';
import type { Session } from '../../../src/host/service/session/session.ts';
import { planMotion } from '../../../src/tasks/planning/planMotion.ts';
import { WatchedMotion } from '../../../src/tasks/watching/watchedMotion.ts';
import { call, model, robot, scene, sessionsWith } from './shelf.ts';

const service = sessionsWith();
afterAll(() => service.close());

interface Told {
  readonly watch: number;
  readonly certified_until: number | null;
  readonly pair?: readonly string[];
  readonly trajectory?: { readonly points: readonly { readonly positions: readonly number[] }[] };
  readonly from?: number;
}

function open() {
  const session = service.open();
  const told: Told[] = [];
  session.notify = (text) => {
    const { method, params } = JSON.parse(text);
    if (method === '$/watch') told.push(params);
  };
  return Object.assign(session, { told });
}

const { trajectory, certificate } = planMotion({ scene, robot, model }, { certificate: true });
const curve = new TrajectoryCurve(trajectory!);
const given = { joint_names: trajectory!.jointNames, points: trajectory!.points };
const state = new RobotState(model);
const q = new Float64Array(model.dof);
curve.position(q, 0.6 * curve.end);
forwardKinematics(state, q);
const [, , , x, , , , y, , , , z] = state.T_world_link[model.links.findIndex(({ name }) => name === 'wrist_2_link')];
const inTheWay = { xyz: [x, y, z] };
const away = { xyz: [5, 5, 5] };
const ball = { name: 'ball', type: 'sphere', radius: 0.04 } as const;
const ballScene = {
  ...scene,
  obstacles: [
    ...scene.obstacles,
    {
      name: 'ball',
      parts: [{ shape: { type: 'sphere', radius: 0.04 } }],
      pose: { xyz: [x, y, z], quat_wxyz: [1, 0, 0, 0] },
    },
  ],
} as const;
const expected = new WatchedMotion(model, trajectory!).certify(ballScene).until!;

const UNCHECKED = { pairs: 9, reasons: { Adjacent: 6, Never: 2, allow: 1 } };

describe('watch', () => {
  test('reports until when the motion is certified after each change of the scene, before its response', async () => {
    const [session, other] = [open(), open()];
    const { result } = await call(session, 'watch', { trajectory: given, certificate });
    expect(result).toEqual({ watch: result!.watch, certified_until: null, unchecked: UNCHECKED });
    const { watch } = result!;
    await call(session, 'scene.add', { body: { ...ball, pose: away } });
    expect(session.told).toEqual([{ watch, certified_until: null, unchecked: UNCHECKED }]);
    await call(session, 'scene.move', { name: 'ball', pose: inTheWay });
    expect(session.told[1]).toMatchObject({ watch, pair: [expect.any(String), 'ball'] });
    expect(session.told[1].certified_until).toBeCloseTo(expected, 5);
    // A change that fails changes nothing.
    expect((await call(session, 'scene.move', { name: 'none', pose: away })).error).toBeDefined();
    expect(session.told.length).toBe(2);

    const half = await call(session, 'watch.advance', { watch, time: 0.5 * expected });
    expect(half.result!.certified_until).toBeCloseTo(expected, 5);
    expect((await call(session, 'watch.advance', { watch, time: 0.4 * expected })).error!.message).toMatch(
      /^params.time/,
    );
    expect((await call(other, 'watch.advance', { watch, time: 1 })).error!.message).toMatch(/^params.watch: /);
    const past = await call(session, 'watch.advance', { watch, time: curve.end });
    expect(past.result).toEqual({ certified_until: null, unchecked: UNCHECKED });

    await call(other, 'scene.add', { body: { ...ball, pose: inTheWay } });
    expect([session.told.length, other.told.length]).toEqual([2, 0]);
    expect((await call(session, 'watch.end', { watch })).result).toEqual({});
    await call(session, 'scene.reset');
    expect(session.told.length).toBe(2);
    expect((await call(session, 'watch.end', { watch })).error!.code).toBe(-32602);
    session.close();
    other.close();
    expect(service.takenMemory).toBe(0);
  });

  test('with replan, sends a motion that leaves the old one on its certified rest', async () => {
    const session = open();
    const { result } = await call(session, 'watch', { trajectory: given, replan: true });
    await call(session, 'scene.add', { body: { ...ball, pose: inTheWay } });
    expect(session.told[0].certified_until).toBeCloseTo(expected, 5);
    for (let i = 0; i < 2000 && session.told.length < 2; i++) await sleep(10);
    const { watch, certified_until, trajectory: fresh, from } = session.told[1];
    expect([watch, certified_until]).toEqual([result!.watch, session.told[0].certified_until]);
    expect(from! >= 0 && from! <= certified_until!).toBe(true);
    curve.position(q, from!);
    expect(fresh!.points[0].positions).toEqual([...q]);
    session.close();
  });

  test('needs a transport with notifications, a single motion and times', async () => {
    const message = async (params: object, session: Session = open()) =>
      (await call(session, 'watch', params)).error!.message;
    expect(await message({ trajectory: given }, service.open())).toMatch(/carries notifications/);
    const points = given.points.map(({ positions }) => ({ positions }));
    expect(await message({ trajectory: { ...given, points } })).toMatch(/^params.trajectory: a path without times/);
    expect(await message({ trajectory: given, certificate: { format: 1 } })).toMatch(/^params.certificate: /);
    const session = open();
    for (let i = 0; i < 16; i++) expect((await call(session, 'watch', { trajectory: given })).error).toBeUndefined();
    expect(await message({ trajectory: given }, session)).toMatch(/16 watches/);
    session.close();
  });

  test('of a motion beyond its limits certifies nothing', async () => {
    const points = given.points.map((one) => ({ ...one, time_from_start: one.time_from_start! / 2 }));
    const { result } = await call(open(), 'watch', { trajectory: { ...given, points } });
    expect(result!.certified_until).toBe(0);
    expect(result!.faults).toContainEqual(expect.stringContaining('its limit is'));
  });
});
