import { assert, expect, test } from 'vitest';
import { CollisionModel } from '../../../src/core/collision/model/collisionModel.ts';
import { CollisionManager } from '../../../src/core/collision/states/collisionManager.ts';
import { createRobotModel } from '../../../src/core/kinematics/createRobotModel.ts';
import type { RobotModel } from '../../../src/core/kinematics/robotModel.ts';
import { Random } from '../../../src/core/math/random.ts';
import type { Trajectory } from '../../../src/core/trajectory/trajectory.ts';
import { timePath } from '../../../src/tasks/timing/timePath.ts';
import { randomObstacles, randomRobot, sceneOf } from '../../helpers/robots.ts';

// Random paths with repeated and nearly repeated points, full turns and slides, timed on random robots among obstacles.
// An oracle of its own evaluates the cubic Hermite splines of the points: position, velocity and acceleration at
// samples, and the distance to the polyline.

type State = { readonly q: number[]; readonly v: number[]; readonly a: number[] };

/** Evaluates the Hermite splines at equal fractions of each segment. */
function samplesOf({ points }: Trajectory, count: number): State[] {
  const samples: State[] = points.length === 1 ? [{ q: [...points[0].positions], v: [], a: [] }] : [];
  for (let k = 1; k < points.length; k++) {
    const [from, to] = [points[k - 1], points[k]];
    const T = to.time_from_start! - from.time_from_start!;
    for (let n = 0; n <= count; n++) {
      const s = n / count;
      const state: State = { q: [], v: [], a: [] };
      for (const [j, q0] of from.positions.entries()) {
        const [d, v0, v1] = [to.positions[j] - q0, from.velocities![j] * T, to.velocities![j] * T];
        const [b, c] = [3 * d - 2 * v0 - v1, v0 + v1 - 2 * d]; // q0 + v0 s + b s² + c s³
        state.q.push(q0 + s * (v0 + s * (b + s * c)));
        state.v.push((v0 + s * (2 * b + 3 * s * c)) / T);
        state.a.push((2 * b + 6 * s * c) / (T * T));
      }
      samples.push(state);
    }
  }
  return samples;
}

const distance = (a: readonly number[], b: readonly number[]) => Math.hypot(...a.map((x, j) => x - b[j]));

function distanceToPath(q: readonly number[], path: readonly (readonly number[])[]): number {
  let least = distance(q, path[0]);
  for (let i = 1; i < path.length; i++) {
    const line = path[i].map((x, j) => x - path[i - 1][j]);
    const square = line.reduce((sum, x) => sum + x * x, 0);
    const along = square === 0 ? 0 : line.reduce((sum, x, j) => sum + x * (q[j] - path[i - 1][j]), 0) / square;
    const s = Math.min(1, Math.max(0, along));
    least = Math.min(
      least,
      distance(
        q,
        path[i - 1].map((x, j) => x + s * line[j]),
      ),
    );
  }
  return least;
}

/** A path with every kind of step that is a special case of the time parameterization. */
function randomPath(random: Random, { variables }: RobotModel): number[][] {
  const state = () =>
    variables.map(({ type, limits }) =>
      type === 'continuous' ? random.between(-4, 4) : random.between(limits.lower, limits.upper),
    );
  const path = [state()];
  for (let n = 1 + random.below(5); n > 0; n--) {
    const last = path[path.length - 1];
    const kind = random.below(6);
    if (kind === 0) path.push([...last]);
    else if (kind === 1) path.push(last.map((x) => x + random.between(-1e-9, 0)));
    else if (kind === 2) path.push(last.map((x, j) => (variables[j].type === 'continuous' ? x + 2 * Math.PI : x)));
    else if (kind === 3 && path.length > 1) path.push([...path[path.length - 2]]);
    else path.push(state().map((x, j) => (random.next() < 0.3 ? last[j] : 0.8 * last[j] + 0.2 * x)));
  }
  const within = (x: number, j: number) => Math.min(Math.max(x, variables[j].limits.lower), variables[j].limits.upper);
  return path.map((q) => q.map(within));
}

/**
 * Removes full turns from one point to the next that leave a joint without limits within a quarter turn, unless a joint
 * that follows it would be elsewhere.
 */
function withoutTurns(path: readonly (readonly number[])[], { variables, description }: RobotModel): number[][] {
  const turns = variables.map(() => 0);
  const mayTurn = variables.map(
    ({ type, name }) => type === 'continuous' && !description.joints.some(({ mimic }) => mimic?.joint === name),
  );
  return path.map((q, i) =>
    q.map((x, j) => {
      const away = i === 0 || !mayTurn[j] ? 0 : x - path[i - 1][j];
      if (Math.abs(away) >= 1.5 * Math.PI) turns[j] += Math.round(away / (2 * Math.PI));
      return x - turns[j] * 2 * Math.PI;
    }),
  );
}

test.each(['stop', 'blend'] as const)(
  'motions with corners: %s are within limits and on the path as stated',
  (corners) => {
    const random = new Random(corners === 'stop' ? 11 : 12);
    const counts = { timed: 0, failed: 0, blended: 0, repeated: 0 };
    for (let n = 0; n < 60; n++) {
      const robot = createRobotModel(randomRobot(random, 1 + random.below(4)));
      if (robot.dof === 0) continue;
      const stated = randomPath(random, robot);
      const path = withoutTurns(stated, robot);
      const manager = new CollisionManager(new CollisionModel(robot, sceneOf(randomObstacles(random, 1, 1.2))));
      const given = {
        jointNames: robot.variables.map(({ name }) => name),
        points: stated.map((positions) => ({ positions })),
      };
      const result = timePath(given, robot, manager, { corners, replaceTimes: false });
      counts[result.status]++;
      if (result.status === 'failed') continue;
      const { trajectory, deviation, blends, repeated } = result;
      if (blends > 0) counts.blended++;
      counts.repeated += repeated;
      assert.isTrue(corners === 'blend' || (blends === 0 && deviation === 0));
      const samples = samplesOf(trajectory, 40);
      for (const { q, v, a } of samples) {
        assert.isTrue(manager.isCollisionFree(Float64Array.from(q)), `path ${n}: a state in collision`);
        for (const [j, { limits }] of robot.variables.entries()) {
          assert.isTrue(q[j] >= limits.lower - 1e-9 && q[j] <= limits.upper + 1e-9, `path ${n}: position`);
          if (v.length === 0) continue;
          assert.isAtMost(Math.abs(v[j]), limits.velocity * (1 + 1e-6), `path ${n}: velocity`);
          assert.isAtMost(Math.abs(a[j]), limits.acceleration * (1 + 1e-6), `path ${n}: acceleration`);
        }
        assert.isAtMost(distanceToPath(q, path), deviation + 1e-9, `path ${n}: a state off the path`);
      }
      // The curve is within the deviation of the waypoint: measured to the chords of dense samples.
      const dense = corners === 'blend' ? samplesOf(trajectory, 200) : samples;
      const near = (waypoint: readonly number[]) =>
        distanceToPath(
          waypoint,
          dense.map(({ q }) => q),
        );
      for (const waypoint of path)
        assert.isAtMost(near(waypoint), deviation * (1 + 1e-4) + 1e-9, `path ${n}: a waypoint that is not visited`);
      expect(trajectory.points[0].positions).toEqual(path[0]);
      assert.isAtMost(distance(trajectory.points.at(-1)!.positions, path.at(-1)!), 1e-12);
    }
    assert.isAtLeast(counts.timed, 25);
    assert.isAtLeast(counts.repeated, 4);
    if (corners === 'blend') assert.isAtLeast(counts.blended, 6);
  },
);

const slider = createRobotModel({
  ...randomRobot(new Random(1), 0),
  links: [
    { name: 'base', collisions: [] },
    {
      name: 'carriage',
      collisions: [
        {
          shape: { type: 'sphere', radius: 0.1 },
          pose: { xyz: [0, 0, 0], quat_wxyz: [1, 0, 0, 0] },
          triangles: 0,
          source: 0,
        },
      ],
    },
  ],
  root: 'base',
  joints: [
    {
      name: 'turn',
      type: 'continuous',
      parent: 'base',
      child: 'carriage',
      origin: { xyz: [0, 0, 0], quat_wxyz: [1, 0, 0, 0] },
      axis: [0, 0, 1],
      velocity: 1,
    },
  ],
});
const manager = new CollisionManager(new CollisionModel(slider, sceneOf([])));
const motion = (points: Trajectory['points']): Trajectory => ({ jointNames: ['turn'], points });
const options = { corners: 'stop', replaceTimes: false } as const;

test('a path with times is refused unless they are to be replaced; equal times are none', () => {
  const timed = motion([
    { time_from_start: 0, positions: [0] },
    { time_from_start: 5, positions: [1] },
  ]);
  expect(() => timePath(timed, slider, manager, options, 'p.json')).toThrow(/^p\.json: it has times$/);
  const replaced = timePath(timed, slider, manager, { ...options, replaceTimes: true });
  assert.strictEqual(replaced.status, 'timed');
  const zeros = motion([
    { time_from_start: 0, positions: [0] },
    { time_from_start: 0, positions: [1] },
  ]);
  expect(timePath(zeros, slider, manager, options)).toEqual(replaced);
});

test('events that change the scene are refused: the new motion has none', () => {
  const points = [
    { time_from_start: 0, positions: [0] },
    { time_from_start: 5, positions: [1] },
  ];
  const given = { ...motion(points), events: [{ step: 0, time: 0, attach: 'part', link: 'carriage' }] };
  expect(() => timePath(given, slider, manager, { ...options, replaceTimes: true }, 'p.json')).toThrow(
    /^p\.json: events\[0\] is .*the scene has no steps$/,
  );
});

test('a jump of a joint without limits by a full turn is unwrapped, not driven; a third of a turn is', () => {
  const wrapped = motion([{ positions: [3.1] }, { positions: [-3.1] }, { positions: [-3] }]);
  const result = timePath(wrapped, slider, manager, options);
  assert.strictEqual(result.status, 'timed');
  const { trajectory, turned } = result as { trajectory: Trajectory; turned: readonly string[] };
  expect(turned).toEqual(['turn']);
  expect(trajectory.points.at(-1)!.positions[0]).toBeCloseTo(2 * Math.PI - 3, 9);
  const driven = timePath(motion([{ positions: [3.1] }, { positions: [0] }]), slider, manager, options);
  expect(driven).toMatchObject({ status: 'timed', turned: [] });
});
