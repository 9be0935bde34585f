import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, describe, expect, test } from 'vitest';
import { forwardKinematics, RobotState } from '../../../src/core/kinematics/forwardKinematics.ts';
import { Random } from '../../../src/core/math/random.ts';
import type { Obstacle, Scene } from '../../../src/core/scene/scene.ts';
import { trajectoryHash } from '../../../src/core/trajectory/trajectoryHash.ts';
import { writers } from '../../../src/formats/trajectories/index.ts';
import { bytesOfParts, objectBytes } from '../../../src/host/service/session/objectBytes.ts';
import type { Session } from '../../../src/host/service/session/session.ts';
import type { Sessions } from '../../../src/host/service/session/sessions.ts';
import { SessionScene } from '../../../src/host/service/sessionScene.ts';
import { SceneReceiver, SceneSender } from '../../../src/host/service/threads/sentScenes.ts';
import { planMotion } from '../../../src/tasks/planning/planMotion.ts';
import { repairTrajectory } from '../../../src/tasks/repair/repairTrajectory.ts';
import { checkReport } from '../../../src/tasks/reports/checkReport.ts';
import { ask, call, free, model, robot, scene, sessionsOf, sessionsWith } from './shelf.ts';

const service = sessionsWith();
afterAll(() => service.close());
const open = () => {
  const session = service.open();
  const told: { method: string; params: Record<string, unknown> }[] = [];
  session.notify = (text) => told.push(JSON.parse(text));
  return Object.assign(session, { told });
};
const request = (id: number | string, method: string, params: object = {}) => ({ jsonrpc: '2.0', id, method, params });
const cancel = (id: number | string) => ({ jsonrpc: '2.0', method: '$/cancelRequest', params: { id } });
/** A search that does not end by itself within the time limit of a test. */
const long = { planner: 'rrt-star', iterations: 1e9, time_limit: 25 };
const fileOf = (seed: number, of: Scene = scene) =>
  JSON.parse(writers.json.write(planMotion({ scene: of, robot, model }, { seed }).trajectory!));

describe('plan, check, verify and recertify', () => {
  test('are what the library computes', async () => {
    const session = open();
    const { result: plan } = await call(session, 'plan', { seed: 3, certificate: true });
    expect(plan!.trajectory).toEqual(fileOf(3));
    const { trajectory, certificate } = plan!;
    expect((await call(session, 'verify', { trajectory, certificate })).result).toMatchObject({ proved: true });
    expect((await call(session, 'recertify', { trajectory, certificate })).result).toMatchObject({ status: 'proved' });
    const checked = await call(session, 'check', { trajectory, certificate: true });
    expect(checked.result).toMatchObject({ valid: true, faults: [] });
    expect((await call(session, 'verify', { trajectory, ...checked.result })).error).toBeDefined(); // other keys
    const again = { trajectory, certificate: checked.result!.certificate };
    expect((await call(session, 'verify', again)).result).toMatchObject({ proved: true });
    const text = writers.csv.write(planMotion({ scene, robot, model }, { seed: 3 }).trajectory!);
    const read = await call(session, 'check', { trajectory: { text, format: 'csv' } });
    expect(read.result).toMatchObject({ valid: true });
  });

  test('failures are results with a reason, explained on request', async () => {
    const session = open();
    const { result } = await call(session, 'plan', { goal: Array(6).fill(0), explain: true });
    expect(result).toMatchObject({ status: 'goal-in-collision', explanation: { status: 'goal-in-collision' } });
    expect(result!.trajectory).toBeUndefined();
    expect(result!.reason).not.toContain('--');
  });

  test('a trajectory that is too fast is repaired to one that check accepts; a good one is returned as it is', async () => {
    const session = open();
    const good = fileOf(2);
    expect((await call(session, 'repair', { trajectory: good })).result).toMatchObject({
      status: 'good',
      trajectory: good,
    });
    const points = good.points.map((one: { time_from_start: number; velocities: number[] }) => ({
      ...one,
      time_from_start: 0.9 * one.time_from_start,
      velocities: one.velocities.map((value) => value / 0.9),
    }));
    const { hash: _, ...fast } = { ...good, points };
    const { result } = await call(session, 'repair', { trajectory: fast });
    expect(result).toMatchObject({ status: 'repaired', changed: [expect.any(Array)] });
    const repaired = repairTrajectory(
      { jointNames: fast.joint_names, points, interpolation: fast.interpolation },
      model,
      scene,
    ).trajectory!;
    expect((result!.trajectory as { hash: string }).hash).toBe(trajectoryHash(repaired));
    expect((await call(session, 'check', { trajectory: result!.trajectory })).result).toMatchObject({ valid: true });
    const both = { trajectory: good, keep_times: true, limits_only: true };
    expect((await call(session, 'repair', both)).error!.message).toMatch(/^params.limits_only: with keep_times/);
  });

  test('steps of a request are planned with the step defaults of the scene, unless they state their own', async () => {
    const goal = fileOf(1).points.at(-1).positions;
    const slow = sessionsOf({ robot: model, scene: { ...scene, stepDefaults: { speed: 0.2 } }, version: '0' });
    const plan = async (of: Sessions, move: object) => {
      const { result } = await call(of.open(), 'plan', { steps: [move, { wait: 0.25 }] });
      expect(result).toMatchObject({ status: 'solved', trajectory: { segments: [{ step: 0 }, { step: 1 }] } });
      return (result!.trajectory as { points: { time_from_start: number }[] }).points.at(-1)!.time_from_start;
    };
    const quick = await plan(slow, { move: goal, speed: 1 });
    expect(quick).toBe(await plan(service, { move: goal }));
    const byDefault = await plan(slow, { move: goal });
    expect(byDefault).toBe(await plan(service, { move: goal, speed: 0.2 }));
    expect(byDefault).toBeGreaterThan(quick);
    await slow.close();
  });

  test.each([
    ['plan', { seed: 'abc' }, /^params.seed: /],
    ['plan', { goall: free }, /^params.goall: .*unknown|^params: .*goall/],
    ['plan', { goal: [1, 2] }, /^params.goal: it has 2 values/],
    ['plan', { goal: free, steps: [{ wait: 1 }] }, /^params.steps: goal and steps are given/],
    ['plan', { steps: [{ wait: 1 }, { line: { by: [0, 0, 1], frame: 'nowhere' } }] }, /^params.steps\[1\].line/],
    ['plan', { steps: [{ wait: 1 }], optimize: true }, /^params.optimize: /],
    ['plan', { planner: 'rrt-conect' }, /^params.planner: unknown planner/],
    ['plan', { planner: 'constructor' }, /^params.planner: unknown planner/],
    ['plan', { planner_options: { stepsize: 1 } }, /^params.planner_options: .*stepsize/],
    ['plan', { checker: 'gjk2' }, /^params.checker: unknown checker/],
    ['plan', { edges: 'some' }, /^params.edges: unknown edges/],
    ['plan', { speed: 2 }, /^params.speed: /],
    ['plan', { time_limit: 0 }, /^params.time_limit: /],
    ['check', {}, /^params.trajectory: /],
    ['check', { trajectory: { joint_names: ['a'], points: [{ positions: [0] }] } }, /^params.trajectory: .*joint/],
    ['check', { trajectory: { points: [{ positions: [0] }] } }, /^params.trajectory.joint_names: /],
    ['check', { trajectory: { text: 'a', format: 'nope' } }, /^params.trajectory.format: unknown format/],
    ['check', { trajectory: { text: 'time,a\n0', format: 'csv' } }, /^params.trajectory.text/],
    ['check', { trajectory: { text: 'a', format: 'csv', extra: 1 } }, /^params.trajectory: .*extra/],
    ['verify', { trajectory: {}, certificate: { format: 'x' } }, /^params.certificate: format/],
    ['watch.end', { watch: 1e9 }, /^params.watch: .*no such watch/],
  ] as const)('%s %j is refused with its place', async (method, params, place) => {
    const { error } = await call(open(), method, params);
    expect(error!.code).toBe(-32602);
    expect(error!.message).toMatch(place);
  });
});

describe('cancellation', () => {
  test('ends the running request, and requests that wait behind it, in order', async () => {
    const session = open();
    const answers = [1, 2, 3, 4].map((id) =>
      session.answer(JSON.stringify(request(id, id % 2 ? 'plan' : 'validate', id % 2 ? long : { q: free }))),
    );
    await sleep(50);
    for (const id of [3, 2, 1, 99]) session.notice(JSON.stringify(cancel(id)));
    const codes = (await Promise.all(answers))
      .map((text) => JSON.parse(text))
      .map(({ id, error }) => [id, error?.code]);
    expect(codes).toEqual([
      [1, -32800],
      [2, -32800],
      [3, -32800],
      [4, undefined],
    ]);
    // Their turn has come: the ids may be used again.
    for (const id of [3, 2, 1, 99]) expect(await session.answer(JSON.stringify(cancel(id)))).toBe('');
    expect(await ask(session, request(1, 'validate', { q: free }))).toMatchObject({ id: 1, result: { valid: true } });
  });

  test('works within batches, and concerns only requests of the same session', async () => {
    const [one, other] = [open(), open()];
    const batch = one.answer(JSON.stringify([request('a', 'validate', { q: free }), request('b', 'plan', long)]));
    const plan = other.answer(JSON.stringify(request('b', 'plan', { seed: 2 })));
    await sleep(20);
    one.notice(JSON.stringify([cancel('b')]));
    const [first, second] = JSON.parse(await batch);
    expect([first.result, second.error.code]).toEqual([{ valid: true }, -32800]);
    expect(JSON.parse(await plan).result.status).toBe('solved');
  });

  test('a request that takes a notification’s name is unknown', async () => {
    expect((await ask(open(), request(1, '$/cancelRequest', { id: 1 }))).error!.code).toBe(-32601);
  });
});

describe('a scene as sent to a thread', () => {
  const box = [{ shape: { type: 'box', size: [0.1, 0.1, 0.1] } }];

  test('is the scene of the session; parts that the thread knows are not sent again', () => {
    const [sender, receiver] = [new SceneSender(scene), new SceneReceiver(scene)];
    const session = new SessionScene(model, scene);
    const sent = () => structuredClone(sender.encode(session.current));
    expect([sent(), receiver.decode(undefined)]).toEqual([undefined, scene]);
    session.move(scene.obstacles[0].name, { xyz: [1, 2, 3] });
    session.add({ name: 'new', pose: { xyz: [2, 2, 2] } }, box);
    const [, { name, parts }] = scene.obstacles;
    const place = { link: 'tool0', pose: { xyz: [0, 0, 0.5] }, touches: ['wrist_3_link'] };
    session.attach(name, place, { parts, bytes: 0 });
    const first = sent()!;
    const received = receiver.decode(first);
    expect(received).toEqual(session.current);
    expect(received.obstacles[0].parts).toBe(scene.obstacles[0].parts);
    expect(first.parts.map(({ packed }) => packed?.parts)).toEqual([box]);
    session.move('new', { xyz: [3, 2, 2] });
    const second = sent()!;
    expect(second.parts).toEqual([{ id: first.parts[0].id, weight: bytesOfParts(box) }]);
    expect(receiver.decode(second)).toEqual(session.current);
    expect(receiver.decode(sent())).toBe(receiver.decode(second)); // the same object for the same scene
  });

  test('keeps the parts of clouds up to a limit, on both sides alike', () => {
    const most = 4 * objectBytes(1, 25);
    const [sender, receiver] = [new SceneSender(scene, most), new SceneReceiver(scene, most)];
    const random = new Random(8);
    const sessions = Array.from({ length: 6 }, () => new SessionScene(model, scene));
    let [used, sent] = [0, 0];
    const wrong: number[] = [];
    for (let i = 0; i < 80; i++) {
      const session = sessions[random.below(sessions.length)];
      const points = Array.from({ length: 5 + random.below(40) }, (_, k): number[] => [k % 7, k % 11, i]);
      const parts = [{ shape: { type: 'convex', points, margin: 0.1 }, balls: true }];
      if (i % 2 === 0) session.add({ name: `cloud ${random.below(2)}` }, parts, { replace: true });
      const message = structuredClone(sender.encode(session.current));
      used += message?.parts.length ?? 0;
      sent += message?.parts.filter(({ packed }) => packed).length ?? 0;
      if (JSON.stringify(receiver.decode(message)) !== JSON.stringify(session.current)) wrong.push(i);
    }
    expect(wrong).toEqual([]);
    expect(sent).toBeGreaterThan(42); // of 40 added ones: those that were dropped are sent again
    expect(sent).toBeLessThan(used);
  });
});

test('a random mix of plans, checks, scene changes, cancellations and disconnects agrees with the library', async () => {
  type Draw = (count: number) => number;
  const known = new Map<string, string>();
  /** What the library says about a scene: the hash of its plan, or the status. */
  const expected = (of: Scene, seed: number): string => {
    const key = JSON.stringify([of.obstacles.map(({ name, pose }) => [name, pose]), seed]);
    const { trajectory, status } = known.has(key)
      ? { trajectory: undefined, status: known.get(key)! }
      : planMotion({ scene: of, robot, model }, { seed, iterations: 400 });
    known.set(key, trajectory ? trajectoryHash(trajectory) : status);
    return known.get(key)!;
  };
  const motions = [fileOf(1), fileOf(2)];
  /** Where the wrist is in the middle of the first motion, near the robot, and far away. */
  const state = new RobotState(model);
  const { points } = motions[0];
  forwardKinematics(state, Float64Array.from(points[points.length >> 1].positions));
  const [, , , x, , , , y, , , , z] = state.T_world_link[model.links.findIndex(({ name }) => name === 'wrist_2_link')];
  const places = [
    [x, y, z],
    [0.2, 0.5, 0.7],
    [3, 3, 3],
  ] as const;
  const ball = (name: string, draw: Draw): Obstacle => ({
    name,
    parts: [{ shape: { type: 'sphere', radius: 0.06 } }],
    pose: { xyz: [...places[draw(3)]], quat_wxyz: [1, 0, 0, 0] },
  });
  // How many plans are cancelled in time depends on the machine: it is not counted.
  const counts = { plans: 0, checks: 0, disconnected: 0, collisions: 0 };

  async function client(steps: number, seed: number): Promise<void> {
    const random = new Random(seed);
    const draw = (count: number) => Math.floor(random.between(0, count));
    let session = open();
    let obstacles: readonly Obstacle[] = scene.obstacles;
    for (let id = 1; id <= steps; id++) {
      const current = { ...scene, obstacles };
      const kind = draw(10);
      if (kind < 4) {
        const seed = 1 + draw(2);
        const answer = session.answer(JSON.stringify(request(id, 'plan', { seed, iterations: 400 })));
        if (kind < 2) {
          await sleep(draw(6));
          if (draw(2)) {
            session.close(); // a disconnected client: its scene is gone
            await answer;
            session = open();
            obstacles = scene.obstacles;
            counts.disconnected++;
            continue;
          }
          session.notice(JSON.stringify(cancel(id)));
          await session.answer(JSON.stringify(cancel(id)));
        }
        const { result, error } = JSON.parse(await answer);
        if (error) {
          expect([error.code, kind < 2]).toEqual([-32800, true]);
          continue;
        }
        expect(result.trajectory?.hash ?? result.status).toBe(expected(current, seed));
        counts.plans++;
      } else if (kind < 7) {
        const trajectory = motions[draw(2)];
        const { result } = await call(session, 'check', { trajectory });
        const given = {
          jointNames: trajectory.joint_names,
          points: trajectory.points,
          interpolation: trajectory.interpolation,
        };
        const { report } = checkReport(model, current, given, { checker: 'growth-distance', place: '' });
        expect(result).toEqual(JSON.parse(JSON.stringify(report)));
        counts.checks++;
        if (!report.valid) counts.collisions++;
      } else {
        obstacles = await changedBy(session, obstacles, draw);
      }
    }
    session.close();
  }

  /** Changes the scene of a session; returns the obstacles that it should have then. */
  async function changedBy(session: Session, obstacles: readonly Obstacle[], draw: Draw): Promise<readonly Obstacle[]> {
    const own = obstacles.slice(scene.obstacles.length);
    const kind = draw(3);
    if (kind === 0 && own.length < 2) {
      const { parts, ...body } = ball(`ball ${own.length}`, draw);
      expect(
        (await call(session, 'scene.add', { body: { ...body, type: 'sphere', radius: 0.06 } })).error,
      ).toBeUndefined();
      return [...obstacles, { ...body, parts }];
    }
    if (kind === 1 && own.length > 0) {
      const { pose } = ball('', draw);
      const { name } = own[0];
      expect((await call(session, 'scene.move', { name, pose })).error).toBeUndefined();
      return obstacles.map((one) => (one.name === name ? { ...one, pose } : one));
    }
    await call(session, 'scene.reset');
    return scene.obstacles;
  }

  await Promise.all([1, 2, 3, 4].map((seed) => client(22, seed)));
  expect(Object.entries(counts).filter(([, count]) => count === 0)).toEqual([]);
  for (let i = 0; i < 500 && service.threads.length > 0; i++) await sleep(10);
  expect(service.threads.length).toBe(0);
  expect(service.takenMemory).toBe(0);
});
