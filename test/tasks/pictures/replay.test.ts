import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ownTimeAt } from '../../../src/core/planning/coordination/schedule.ts';
import type { Trajectory } from '../../../src/core/trajectory/trajectory.ts';
import { loadScene } from '../../../src/host/node/files.ts';
import { coordinateRobots } from '../../../src/tasks/coordination/coordinate.ts';
import { membersOf, withTrajectory } from '../../../src/tasks/coordination/coordinatedRobots.ts';
import { coordinationPage } from '../../../src/tasks/pictures/coordinationPage.ts';
import { Replay, requireReplayable } from '../../../src/tasks/pictures/replay.ts';
import { planScene } from '../../../src/tasks/planScene.ts';
import { checkProgram } from '../../../src/tasks/programs/checks/checkProgram.ts';
import { createSceneRobot } from '../../../src/tasks/sceneRobot.ts';
import { createStateValidator } from '../../../src/tasks/validation/validateStates.ts';
import { root } from '../../host/cli/run.ts';

const bundled = (name: string) => loadScene(join(root, `scenes/${name}.yaml`));

test('the objects of a program are where check proves them to be, before and after each event', async () => {
  const { scene, robot } = await bundled('pick-and-place');
  const model = createSceneRobot({ scene, robot });
  const { trajectory } = planScene({ scene, robot, model });
  const replay = new Replay({ scene, robot }, trajectory);
  const { intervals } = checkProgram(model, scene, trajectory!, { checker: 'growth-distance' });
  expect(replay.timeline.map(({ from, to, world }) => ({ from, to, scene: world.scene }))).toEqual(
    intervals.map(({ from, to, world }) => ({ from, to, scene: world.scene })),
  );
  const carried = (time: number) => replay.sceneAt(time).attached.map(({ name }) => name);
  const at = (kind: 'attach' | 'detach') => trajectory!.events!.find((event) => event[kind] === 'part')!.time;
  expect(carried(at('attach') - 1e-3)).not.toContain('part');
  expect(carried(at('attach') + 1e-3)).toContain('part');
  expect(carried(at('detach') + 1e-3)).not.toContain('part');
  expect(replay.end).toBe(trajectory!.points.at(-1)!.time_from_start);
});

test('a path without times is no replay where something moves', async () => {
  const { scene, robot } = await bundled('revolving-door');
  const model = createSceneRobot({ scene, robot });
  const jointNames = model.variables.map(({ name }) => name);
  const path: Trajectory = { jointNames, points: [{ positions: jointNames.map(() => 0) }] };
  expect(() => requireReplayable(model, scene, path, 'path.json')).toThrow(/^path\.json: it has no times/);
  const timed: Trajectory = { jointNames, points: [{ time_from_start: 0, positions: jointNames.map(() => 0) }] };
  expect(() => requireReplayable(model, scene, timed, 'path.json')).not.toThrow();
});

test('at each time, moving obstacles and other robots are where validate has them', async () => {
  for (const name of ['revolving-door', 'conveyor-pick']) {
    const { scene, robot } = await bundled(name);
    const model = createSceneRobot({ scene, robot });
    const replay = new Replay({ scene, robot });
    const validate = createStateValidator(model, scene, { all: true });
    const q = Float64Array.of(0.1, -1.2, 1.7, -2, -1.57, 0);
    let collisions = 0;
    for (let time = 0; time <= replay.end; time += replay.end / 40) {
      const { manager, q: whole } = replay.checksAt(q, time);
      const hit = manager.collidingPairs(whole);
      expect(hit).toEqual(validate(q, time).collisions);
      collisions += hit.length;
    }
    expect(collisions).toBeGreaterThan(0);
  }
});

test.each(['shelf', 'pick-and-place', 'revolving-door', 'conveyor-pick', 'two-ur5e-bins'])(
  'the lesser of the clearances to obstacles and to itself is the clearance of all pairs in %s',
  async (name) => {
    const { scene, robot } = await bundled(name);
    const standing = (scene.robots ?? []).map((other) => ({ ...other, q: [0, -1.2, 1.7, -2, -1.57, 0] }));
    const placed = name === 'two-ur5e-bins' ? { ...scene, robots: standing } : scene;
    const replay = new Replay({ scene: placed, robot });
    const own = new Set([...replay.robot.links, ...scene.attached].map((body) => body.name));
    const isOwn = (pair: readonly string[]) => pair.every((body) => own.has(body));
    for (const turn of [0, 0.4, -0.8, 1.5]) {
      const state = Float64Array.of(0.1 + turn, -1.2, 1.7, -2 + turn, -1.57, 0);
      const time = (replay.end * (turn + 0.8)) / 2.3;
      const { obstacles, itself } = replay.splitClearanceAt(state, time);
      const { manager, q } = replay.checksAt(state, time);
      expect(Math.min(obstacles.distance, itself.distance)).toBe(manager.clearance(q).distance);
      expect(isOwn(itself.pair!)).toBe(true);
      expect(isOwn(obstacles.pair!)).toBe(false);
    }
  },
);

test('robots on schedules never collide in a replay, and their clearance is that of different robots', async () => {
  const { scene, robot } = await bundled('two-ur5e-bins');
  const members = membersOf({ scene, robot });
  const joints = members[0].model.variables.map(({ name }) => name);
  const [home, bin] = [
    [0.6, -1.3, 1.6, -1.9, -1.57, 0],
    [-0.17, -0.7, 1.1, -1.97, -1.57, 0], // both tools above the middle
  ];
  const motion = (...states: number[][]): Trajectory => ({
    jointNames: joints,
    points: states.map((positions, k) => ({
      time_from_start: 2 * k,
      positions,
      velocities: positions.map(() => 0),
    })),
  });
  const robots = members.map((member) => withTrajectory(member, motion(home, bin, home), members, member.name));
  const found = coordinateRobots(robots, scene, { undecided: 0.05 });
  const page = coordinationPage({ scene, robot }, robots, found);
  const replay = new Replay(page.problem, page.trajectory, page.coordination);
  expect(replay.end).toBe(found.makespan);
  expect(replay.end).toBeGreaterThan(4.05); // one robot waits for the other
  for (const time of [0, 1.3, 2.6, replay.end]) {
    expect(replay.ownTime(1, time)).toBe(ownTimeAt(found.schedules![1], time));
    const q = new Float64Array(6);
    replay.position(q, time);
    const checks = replay.checksAt(q, time);
    const between = checks.manager.collidingPairs(checks.q).filter(([a, b]) => isRight(a) !== isRight(b));
    expect(between).toEqual([]);
  }
  const samples = replay.clearance(60);
  for (const { distance, pair } of samples) {
    expect(distance).toBeGreaterThan(0);
    expect(isRight(pair![0])).not.toBe(isRight(pair![1]));
  }
  expect(JSON.parse(JSON.stringify(page))).toEqual(page); // plain data
});

const isRight = (name: string) => name.startsWith('right/');
