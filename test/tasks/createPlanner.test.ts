import { describe, expect, test } from 'vitest';
import type { Pose } from '../../src/core/kinematics/robotModel.ts';
import { Random } from '../../src/core/math/random.ts';
import { IDENTITY_POSE, type Obstacle, type Scene } from '../../src/core/scene/scene.ts';
import { InputError } from '../../src/errors.ts';
import { loadScene } from '../../src/host/node/files.ts';
import { createPlanner, type Planner, type PlanQuery } from '../../src/tasks/createPlanner.ts';
import { planScene } from '../../src/tasks/planScene.ts';
import type { Problem } from '../../src/tasks/sceneRobot.ts';
import { randomShape } from '../helpers/robots.ts';
import { slider } from './slider.ts';

/** Returns the result of a query, times aside, or its error. */
function outcomeOf(plan: () => ReturnType<typeof planScene>): unknown {
  try {
    const { stats, ...result } = plan();
    const counts = Object.entries(stats).filter(([key]) => !key.endsWith('_ms'));
    return JSON.parse(JSON.stringify({ ...result, counts }));
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    return String(error);
  }
}

/** Compares a query of a planner with that of a function that keeps nothing. */
function compare(planner: Planner, robot: Problem['robot'], query: PlanQuery, different: string[], what: string) {
  const kept = outcomeOf(() => planner.plan(query));
  const { start, goals, speed, ...options } = query;
  const replaced = Object.entries({ start, goals, speed }).filter(([, value]) => value !== undefined);
  const scene: Scene = { ...structuredClone(planner.scene), ...Object.fromEntries(replaced) };
  const fresh = outcomeOf(() => planScene({ scene, robot }, options));
  if (JSON.stringify(kept) !== JSON.stringify(fresh)) different.push(what);
  return kept as { readonly status?: string; readonly certificate?: unknown };
}

const posed = (xyz: readonly number[], turn = 0): Pose => ({
  xyz: [xyz[0], xyz[1], xyz[2]],
  quat_wxyz: [Math.sqrt(1 - turn * turn), 0, 0, turn],
});

const reference = (limits: Scene['robot']['limits'] = {}): Scene['robot'] => ({
  urdf: 'slider',
  fixed: {},
  limits,
  pose: IDENTITY_POSE,
  parts: 'hull',
  packages: {},
});

const sliderScene = (obstacles: readonly Obstacle[]): Scene => ({
  name: 'square',
  robot: reference(),
  start: [-0.8, 0],
  goals: [{ kind: 'joints', joints: [0.8, 0] }],
  equivalent: false,
  obstacles,
  attached: [],
  allow: [],
  padding: 0,
});

const smallBox = (random: Random, name: string, reach = 1): Obstacle => ({
  name,
  parts: [{ shape: randomShape(random, 0.25) }],
  pose: posed(
    [random.between(-0.6, 0.6) * reach, random.between(-1, 1) * reach, random.between(-0.1, 0.1)],
    random.between(-0.9, 0.9),
  ),
});

/** Changes a planner at random; returns what it did. Some changes are refused. */
function changeAtRandom(planner: Planner, random: Random, round: number): string {
  const { obstacles, attached } = planner.scene;
  const some = obstacles[random.below(obstacles.length)].name;
  const q = Float64Array.of(random.between(-0.8, 0.8), random.between(-0.8, 0.8));
  switch (random.below(10)) {
    case 0:
      planner.add(smallBox(random, `added ${round}`));
      return 'add';
    case 1:
      planner.remove(some);
      return 'remove';
    case 2:
      planner.attach(some, { q, link: 'ball', touches: obstacles.map(({ name }) => name).slice(0, 2) });
      return 'attach';
    case 3:
      if (attached.length > 0) planner.detach(attached[0].name, { q });
      return 'detach';
    case 4:
      planner.change({ padding: random.below(3) * 0.01, allow: [['ball', some]] });
      return 'padding';
    case 5:
      planner.change({ robot: reference({ x: { velocity: random.between(0.2, 1) } }) });
      return 'limits';
    case 6:
      planner.move(some, posed([0, 0, 5e3 * random.below(3)])); // far away, poses are rounded
      return 'far';
    case 7:
      if (attached.length > 0) planner.move(attached[0].name, posed([0, 0.05, 0]));
      return 'carried';
    default:
      planner.move(some, smallBox(random, '').pose);
      return 'move';
  }
}

describe('a planner', () => {
  test.each([
    [3, 4],
    [4, 40],
  ])('plans as a function that keeps nothing, whatever was changed before (seed %i, %i obstacles)', (seed, count) => {
    const random = new Random(seed);
    const robot = slider();
    const different: string[] = [];
    const seen = new Set<string>();
    let certificates = 0;
    const obstacles = Array.from({ length: count }, (_, i) => smallBox(random, `box ${i}`, count / 10));
    const planner = createPlanner({ scene: sliderScene(obstacles), robot });
    for (let round = 0; round < 40; round++) {
      const change = changeAtRandom(planner, random, round);
      const others: PlanQuery[] = [{}, { edges: 'sampled' }, { checker: 'gjk' }, { speed: 0.5 }, { start: [0.8, 0.1] }];
      const query: PlanQuery = { ...others[random.below(5)], seed: round, iterations: 300, certificate: true };
      const { status, certificate } = compare(planner, robot, query, different, `${round} ${change}`);
      seen.add(`${change} ${status}`);
      if (certificate) certificates++;
    }
    expect(different).toEqual([]);
    for (const change of ['move', 'far', 'padding', 'limits', 'attach', 'detach', 'add', 'remove', 'carried'])
      expect(
        [...seen].some((one) => one.startsWith(`${change} solved`)),
        change,
      ).toBe(true);
    expect(certificates).toBeGreaterThan(5);
  });

  test('plans the same as its scene in a file, after each board of a shelf was moved', async () => {
    const { scene, robot } = await loadScene('scenes/shelf.yaml');
    const planner = createPlanner({ scene, robot });
    const random = new Random(5);
    const different: string[] = [];
    let solved = 0;
    for (let round = 0; round < 6; round++) {
      const { name, pose } = scene.obstacles[round % scene.obstacles.length];
      const by = [0, 1, 2].map((k) => pose.xyz[k] + random.between(-0.03, 0.03));
      planner.move(name, posed(by));
      const options: PlanQuery = { seed: round, iterations: 500, certificate: true };
      if (compare(planner, robot, options, different, name).status === 'solved') solved++;
    }
    expect(different).toEqual([]);
    expect(solved).toBeGreaterThan(2);
  });

  test.each(['conveyor-pick', 'pick-and-place'])('plans %s as planScene does', async (file) => {
    const { scene, robot } = await loadScene(`scenes/${file}.yaml`);
    const shorter = scene.steps ? { ...scene, steps: scene.steps.slice(0, 8) } : scene;
    const planner = createPlanner({ scene: shorter, robot });
    const different: string[] = [];
    for (const seed of [2, 2]) compare(planner, robot, { seed }, different, `${seed}`);
    expect(different).toEqual([]);
  });

  test('does not see changes of the given data in place', () => {
    const random = new Random(6);
    const scene = structuredClone(sliderScene([smallBox(random, 'box')]));
    const planner = createPlanner({ scene, robot: slider() });
    const before = outcomeOf(() => planner.plan({ certificate: true }));
    Object.assign(scene.obstacles[0].pose.xyz, [0, 5, 0]);
    Object.assign(scene.start!, [0.3, 0]);
    (scene.obstacles as Obstacle[]).pop();
    Object.assign(scene, { padding: 0.2, speed: 0.1 });
    expect(outcomeOf(() => planner.plan({ certificate: true }))).toEqual(before);
    expect(() => Object.assign(planner.scene, { padding: 1 })).toThrow(TypeError);
    expect(() => Object.assign(planner.scene.obstacles[0].pose, { xyz: [0, 0, 0] })).toThrow(TypeError);
    expect(() => Object.assign(planner.scene.obstacles[0].parts[0].shape, { margin: 1 })).toThrow(TypeError);
  });

  test('is unchanged by a method that throws', () => {
    const random = new Random(7);
    const planner = createPlanner({
      scene: sliderScene([smallBox(random, 'a'), smallBox(random, 'b')]),
      robot: slider(),
    });
    const { scene } = planner;
    const before = outcomeOf(() => planner.plan());
    const q = Float64Array.of(0, 0);
    const wrong: (() => void)[] = [
      () => planner.move('c', IDENTITY_POSE),
      () => planner.move('a', { ...IDENTITY_POSE, xyz: [Number.NaN, 0, 0] }),
      () => planner.move('a', { ...IDENTITY_POSE, xyz: [1e300, 0, 0] }),
      () => planner.add(smallBox(random, 'ball')),
      () => planner.add({ ...smallBox(random, 'b'), link: 'ball', touches: [] }),
      () => planner.add({ ...smallBox(random, 'd'), link: 'bal', touches: [] }),
      () => planner.remove('ball'),
      () => planner.attach('c', { q, link: 'ball' }),
      () => planner.detach('a', { q }),
      () => planner.change({ allow: [['a', 'c']] }),
      () => planner.change({ padding: -1 }),
      () => planner.change({ robot: reference({ z: { velocity: 1 } }) }),
    ];
    for (const [i, change] of wrong.entries()) expect(change, `${i}`).toThrow(InputError);
    expect(planner.scene).toBe(scene);
    expect(outcomeOf(() => planner.plan())).toEqual(before);
  });

  test('plans other queries in a callback of a query, but is not changed by it', () => {
    const random = new Random(8);
    const obstacles = Array.from({ length: 12 }, (_, i) => smallBox(random, `box ${i}`));
    const planner = createPlanner({ scene: sliderScene(obstacles), robot: slider() });
    const query = { seed: 3, iterations: 2000 };
    const other = { ...query, start: [-0.7, 0.9], speed: 0.3 };
    const [expected, expectedOther] = [query, other].map((one) => outcomeOf(() => planner.plan(one)));
    let nested: unknown;
    let refused = 0;
    let time = 0;
    const progress = () => {
      nested = outcomeOf(() => planner.plan(other));
      for (const change of [() => planner.move('box 0', IDENTITY_POSE), () => planner.remove('box 0')])
        expect(change).toThrow(InputError);
      refused++;
    };
    const outer = outcomeOf(() => planner.plan({ ...query, timeLimit: 1e9 }, { clock: () => (time += 60), progress }));
    expect(refused).toBeGreaterThan(0);
    expect(nested).toEqual(expectedOther);
    expect((outer as { trajectory: { points: unknown } }).trajectory.points).toEqual(
      (expected as { trajectory: { points: unknown } }).trajectory.points,
    );
  });

  test('replaces the steps of a scene by goals, and goals by steps', async () => {
    const { scene, robot } = await loadScene('scenes/pick-and-place.yaml');
    const planner = createPlanner({ scene, robot });
    const goals = [{ kind: 'joints' as const, joints: scene.start! }];
    expect(planner.plan({ goals, iterations: 10 }).stats.planner).toBe('rrt-connect');
    const steps = scene.steps!.slice(0, 2);
    const short = outcomeOf(() => planner.plan({ steps, seed: 2 }));
    expect(short).toEqual(outcomeOf(() => planScene({ scene: { ...scene, steps }, robot }, { seed: 2 })));
  });
});
