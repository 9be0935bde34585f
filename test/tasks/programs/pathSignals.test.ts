import { assert, expect, test } from 'vitest';
import { tcpOf } from '../../../src/core/kinematics/toolCenterPoint.ts';
import type { Trajectory, TrajectorySignal } from '../../../src/core/trajectory/trajectory.ts';
import { csv } from '../../../src/formats/trajectories/csv.ts';
import { contentOf, motionFormats, readTrajectory } from '../../../src/formats/trajectories/index.ts';
import { joinedGoals, rosGoal } from '../../../src/formats/trajectories/rosGoals.ts';
import { loadProblemsIn } from '../../../src/host/node/scenes.ts';
import { planDefaults } from '../../../src/tasks/planning/planOptions.ts';
import { planScene } from '../../../src/tasks/planScene.ts';
import { checkProgram } from '../../../src/tasks/programs/checks/checkProgram.ts';
import { completeProgram } from '../../../src/tasks/programs/completeProgram.ts';
import { repairProgram } from '../../../src/tasks/repair/program/repairProgram.ts';
import { createSceneRobot } from '../../../src/tasks/sceneRobot.ts';
import { timePath } from '../../../src/tasks/timing/timePath.ts';
import { World } from '../../../src/tasks/world.ts';
import { toolPose } from '../../core/cartesian/legOracle.ts';
import { motionAt } from './programOracle.ts';

/** A figure of eight whose crossing is a way point twice, on straight parts with way points between, and a return. */
const EIGHT = [
  ...[-2, -1, 0, 1, 2].map((k) => [0.45 + 0.006 * k, 0.1 + 0.006 * k]),
  ...[2, 1, 0, -1, -2].map((k) => [0.45 + 0.006 * k, 0.1 - 0.006 * k]),
].map(([x, y]) => [x, y, 0.2]);
const ON = [false, true, false, false, true, true, false, true, true, false];
const TOLERANCE = 1e-4;

const path = {
  points: EIGHT.map((xyz, k) => ({ xyz, on: k % 2 === 0 ? ON[k] : Number(ON[k]) })),
  speed: '80 mm/s',
  tolerance: { position: TOLERANCE },
};
const SCENE = {
  format: 'elbowroom-scene/1',
  robot: 'ur5e',
  start: [0, -1.5, 1.6, -1.7, -1.57, 0],
  steps: [
    { move: { xyz: EIGHT[0], rpy: [Math.PI, 0, 0] } },
    { path },
    { line: { to: { xyz: EIGHT[0] } } },
    { path: { ...path, points: path.points.map(({ xyz }, k) => ({ xyz, on: k < 5 })) } },
  ],
};

const problemOf = async (scene: object) =>
  (await loadProblemsIn(JSON.stringify(scene), 'test/tasks/programs/signals.json'))[0];
const { scene, ...description } = await problemOf(SCENE);
const robot = createSceneRobot({ scene, ...description });
const planned = planScene({ scene, ...description }).trajectory!;
const check = (motion: Trajectory) => checkProgram(robot, scene, motion, { checker: planDefaults.checker });
const faultsOf = (motion: Trajectory) => check(motion).stepFaults.map(({ what }) => what);
const signals = planned.signals!;
const with_ = (changed: readonly TrajectorySignal[]): Trajectory => ({ ...planned, signals: changed });

const distanceAt = (time: number, xyz: readonly number[]) => {
  const T = toolPose(robot, tcpOf(robot, scene.tcp), motionAt(planned, time));
  return Math.hypot(T[3] - xyz[0], T[7] - xyz[1], T[11] - xyz[2]);
};

test('signals change where the tool passes their way points, at the right visit of a crossing', () => {
  const stated = [0, 1, 2, 4, 6, 7, 9];
  const [first, second] = [1, 3].map((step) => signals.filter((one) => one.step === step));
  assert.deepEqual(
    first.map(({ on }) => on),
    stated.map((k) => ON[k]),
  );
  for (const [i, { time }] of first.entries()) {
    expect(distanceAt(time, EIGHT[stated[i]]), `signal ${i}`).toBeLessThan(TOLERANCE);
    if (i > 0) expect(time).toBeGreaterThan(first[i - 1].time);
  }
  // off at the end of the first path; on at the first way point of the second one, until its sixth
  assert.deepEqual(
    second.map(({ on }) => on),
    [true, false],
  );
  const segment = planned.segments![3];
  assert.equal(second[0].time, segment.from);
  expect(distanceAt(second[1].time, EIGHT[5])).toBeLessThan(TOLERANCE);
});

test('a motion whose signals are missing, inverted or elsewhere is not valid', () => {
  assert.deepEqual(faultsOf(planned), []);
  const { signals: _, ...without } = planned;
  expect(faultsOf(without)).toEqual(['step 1 (path): the trajectory has 0 signals, the steps need 9']);
  expect(faultsOf(with_(signals.slice(1)))[0]).toContain('has 8 signals, the steps need 9');
  expect(faultsOf(with_(signals.slice(0, -1)))[0]).toMatch(/^step 3 .*has 8 signals/);
  expect(faultsOf(with_(signals.map((one, k) => (k === 4 ? { ...one, on: !one.on } : one))))[0]).toContain(
    'signals[4]',
  );
  expect(faultsOf(with_(signals.map((one, k) => (k === 4 ? { ...one, step: 3 } : one))))[0]).toContain('signals[4]');
  for (const change of [
    { time: Number.NaN },
    { time: Number.POSITIVE_INFINITY },
    { on: Number(signals[8].on) as never },
  ])
    for (const k of [0, 8]) {
      const changed = signals.map((one, i) => (i === k ? { ...one, ...change } : one));
      expect(faultsOf(with_(changed))[0], `${k}: ${JSON.stringify(change)}`).toMatch(/signals\[\d\] is/);
    }
  for (const [k, { time, step }] of signals.entries())
    for (const shift of [-0.01, -0.004, 0.004, 0.01]) {
      // the tool is beyond the tolerance but where it is slow
      const moved = signals.map((one, i) => (i === k ? { ...one, time: time + shift } : one));
      const { from, to } = planned.segments![step];
      const isInside = time + shift >= from && time + shift <= to;
      const near = isInside && [...EIGHT].some((xyz) => distanceAt(time + shift, xyz) <= TOLERANCE);
      if (near) continue;
      const [what = 'valid'] = faultsOf(with_(moved));
      expect(what, `signal ${k} by ${shift} s`).toMatch(/signals\[\d+\] is/);
    }
});

test('a signal at the other visit of a crossing is refused', () => {
  // way point 2 is the crossing, as is way point 7; only its own visit is accepted
  const [k, other] = [signals.findIndex(({ step, on }, i) => step === 1 && i > 0 && !on), 5];
  const swapped = signals.map((one, i) => (i === k ? { ...one, time: signals[other].time } : one));
  expect(distanceAt(signals[other].time, EIGHT[2])).toBeLessThan(TOLERANCE);
  const order = swapped.map((one, i) => (i > k && i < other ? { ...one, time: signals[other].time } : one));
  expect(faultsOf(with_(order))[0]).toContain(`signals[${k}] is at`);
});

test('every format carries signals, and the motion as it is read is valid', async () => {
  for (const [name, format] of Object.entries(motionFormats)) {
    if (format === rosGoal || 'isWriteOnly' in format) continue;
    const content = await contentOf(format, planned, { robot, scene });
    const read = await readTrajectory(content as string, `motion${format.ending}`, robot);
    const complete = completeProgram(read, robot, scene, name);
    assert.deepEqual(
      complete.signals?.map(({ step, on }) => [step, on]),
      signals.map(({ step, on }) => [step, on]),
      name,
    );
    assert.deepEqual(faultsOf(complete), [], name);
  }
  const files = rosGoal.files(planned);
  const goals = await joinedGoals(files.get('goals.json')!, 'goals.json', async (file) =>
    files
      .get(file)!
      .replace(/^trajectory:\n/, '')
      .replaceAll(/^ {2}/gm, ''),
  );
  assert.deepEqual((await readTrajectory(goals, 'goals.yaml', robot)).signals, signals);
});

test('set points of a script are not valid if a signal is called some cycles late', async () => {
  const text = (await contentOf(motionFormats.urscript, planned, { robot, scene })) as string;
  const lines = text.split('\n');
  const at = lines.findIndex(
    (line, k) => k > lines.findIndex((one) => one.includes('on_step(1)')) + 3 && line.includes('on_signal(True)'),
  );
  const late = lines
    .toSpliced(at, 1)
    .toSpliced(at + 5, 0, lines[at])
    .join('\n');
  const read = async (script: string) =>
    completeProgram(await readTrajectory(script, 'motion.script', robot), robot, scene, 'motion.script');
  expect(faultsOf(await read(late))[0]).toContain('signals[1] is at');
  await expect(read(text.replace('on_signal(True)', 'on_signal(1)'))).rejects.toThrow('on_signal(1): no truth value');
  const within = (body: string) => read(text.replace('def on_signal(on):\n', (head) => `${head}    ${body}\n`));
  await expect(within('sleep(0.5)')).rejects.toThrow('sleep between two servoj');
  await expect(within('movej([0, 0, 0, 0, 0, 0])')).rejects.toThrow('movej in a program of on_step');
});

test('csv refuses two signals at one time, and values that are neither 0 nor 1', async () => {
  const twice = with_(signals.map((one, k) => (k === 2 ? { ...one, time: signals[1].time } : one)));
  expect(() => csv.write(twice, { robot, scene })).toThrow('csv cannot carry two signals at one time');
  const table = csv.write(planned, { robot, scene });
  const damaged = table.replace(/,1\n/, ',2\n');
  await expect((async () => readTrajectory(damaged, 'a.csv', robot))()).rejects.toThrow('on: "2" is neither 0 nor 1');
});

test('a repair that slows a program down moves its signals with it', () => {
  const [{ to }] = planned.segments!;
  const faster = (time: number) => Math.max(0.5 * time, time - 0.5 * to); // the motion before the path takes half the time
  const fast = {
    ...planned,
    points: planned.points.map(({ positions, velocities, time_from_start: time }) => ({
      positions,
      velocities: time! < to ? velocities!.map((v) => 2 * v) : velocities!,
      time_from_start: faster(time!),
    })),
    segments: planned.segments!.map((one) => ({ ...one, from: faster(one.from), to: faster(one.to) })),
    signals: signals.map((one) => ({ ...one, time: faster(one.time) })),
  };
  expect(faultsOf(fast).join()).toContain('step 0');
  const limit = { isOver: () => false, remaining: Number.POSITIVE_INFINITY, hasEnded: false };
  const options = { seed: 1, timeLimit: 10, keepTimes: false, limitsOnly: false } as never;
  const { status, reason, trajectory } = repairProgram(fast, robot, scene, options, limit as never);
  assert.equal(status, 'repaired', reason);
  assert.deepEqual(faultsOf(trajectory!), []);
  assert.equal(trajectory!.signals!.length, signals.length);
  for (const [k, { time }] of trajectory!.signals!.entries()) expect(time).toBeGreaterThan(fast.signals[k].time + 0.1);
});

test('time refuses a motion with signals, and signals at some way points only are refused', async () => {
  const { still } = new World(robot, { ...scene, steps: undefined } as never);
  const options = { corners: 'blend', replaceTimes: true } as const;
  const motion = { ...planned, events: [] };
  expect(() => timePath(motion, robot, still.manager, options)).toThrow('it has signals, whose times would change');
  const [, step] = SCENE.steps as unknown as [object, { path: typeof path }];
  const points = step.path.points.map(({ xyz, on }, k) => (k === 3 ? { xyz } : { xyz, on }));
  const some = { ...SCENE, steps: [SCENE.steps[0], { path: { ...path, points } }] };
  await expect(problemOf(some)).rejects.toThrow('the signal "on" is stated at some points only');
  const two = {
    ...SCENE,
    steps: [
      {
        path: {
          ...path,
          points: [
            { xyz: EIGHT[0], on: 2 },
            { xyz: EIGHT[1], on: 1 },
          ],
        },
      },
    ],
  };
  await expect(problemOf(two)).rejects.toThrow(/points\[0\]\.on: .*2/);
});

test.each([0, 2e-3])(
  'signals of repeated way points, and of way points near a corner, are passed with a blend of %s m',
  async (blend) => {
    const at = (x: number, y: number, on: boolean, angle = 0) => ({
      xyz: [0.45 + x, 0.1 + y, 0.2],
      quat_wxyz: [-Math.sin(angle / 2), Math.cos(angle / 2), 0, 0],
      on,
    });
    const paths = [
      [
        at(0, 0, false),
        at(9e-3, 0, false),
        at(9.5e-3, 0, true),
        at(0.01, 0, true),
        at(0.01, 5e-4, false),
        at(0.01, 0.01, false),
      ],
      // the first way point and those after turns are repeated
      [
        at(0, 0, false),
        at(0, 0, true),
        at(0.01, 0, true, 1e-3),
        at(0.01, 0, false, 1e-3),
        at(0.01, 0.01, true, 1.5e-3),
      ],
    ];
    for (const points of paths) {
      const { on: _, ...first } = points[0];
      const steps = [{ move: first }, { path: { points, blend } }];
      const problem = await problemOf({ ...SCENE, steps });
      const { trajectory, reason } = planScene(problem);
      assert(trajectory, reason);
      const [start, ...others] = trajectory.signals!;
      expect(start.time).toBe(trajectory.segments![1].from);
      const judged = (changed: TrajectorySignal) =>
        checkProgram(
          robot,
          problem.scene,
          { ...trajectory, signals: [start, ...others.with(-1, changed)] },
          {
            checker: planDefaults.checker,
          },
        ).stepFaults;
      const last = others.at(-1)!;
      assert.deepEqual(judged(last), []);
      expect(judged({ ...last, time: last.time - 0.06 })).toHaveLength(1);
    }
  },
);
