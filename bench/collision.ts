import { CollisionModel } from '../src/core/collision/model/collisionModel.ts';
import { CollisionManager } from '../src/core/collision/states/collisionManager.ts';
import { CertifiedMotionValidator } from '../src/core/collision/validators/certifiedMotionValidator.ts';
import { RobotJointSpace } from '../src/core/collision/validators/robotJointSpace.ts';
import { SampledMotionValidator } from '../src/core/collision/validators/sampledMotionValidator.ts';
import { forwardKinematics, RobotState } from '../src/core/kinematics/forwardKinematics.ts';
import { Random } from '../src/core/math/random.ts';
import { type CheckerName, checkers } from '../src/core/narrowphase/index.ts';
import type { MotionValidator } from '../src/core/planning/planner.ts';
import { nanosecondsPerCall, type Table } from './measure.ts';
import { bundledScenes } from './scenes.ts';

export const about = 'states and edges per second, pair checks per state, on the bundled scenes';

const STATES = 2000;
const EDGES = 200;

/** Forward kinematics, then state checks, then edge checks; seeded. */
export async function* run(): AsyncGenerator<Table> {
  const scenes = await bundledScenes();
  yield { title: 'forward kinematics', rows: scenes.filter(firstOfRobot).map(kinematicsRow) };
  for (const checker of Object.keys(checkers) as CheckerName[]) {
    yield {
      title: `states, checker ${checker}: random within limits; along edges of 0.75 rad in steps of 0.02`,
      rows: scenes.map((scene) => stateRow(scene, checker)),
    };
  }
  yield { title: 'obstacles far away: states on the first scene, µs', rows: crowdRows(scenes[0]) };
  yield {
    title: 'edges that start free, uniform directions: certified against sampled at 0.02 rad, µs per edge',
    rows: scenes.flatMap((scene) => [0.3, 0.75, 1.5].map((length) => edgeRow(scene, length))),
  };
}

type BenchScene = Awaited<ReturnType<typeof bundledScenes>>[number];

const firstOfRobot = (scene: BenchScene, i: number, all: readonly BenchScene[]) =>
  all.findIndex((other) => other.robot.name === scene.robot.name) === i;

function kinematicsRow({ robot }: BenchScene) {
  const state = new RobotState(robot);
  const states = randomStates(robot, 1);
  const { least, median } = nanosecondsPerCall(STATES, () => {
    for (const q of states) forwardKinematics(state, q);
  });
  const joints = robot.joints.length;
  return { robot: robot.name, joints, 'least ns': least, 'median ns': median, 'ns per joint': least / joints };
}

function stateRow({ name, robot, scene }: BenchScene, checker: CheckerName) {
  const manager = new CollisionManager(new CollisionModel(robot, scene), { checker });
  const states = randomStates(robot, 2);
  const verdicts = states.map((q) => manager.isCollisionFree(q));
  const free = states.filter((_, i) => verdicts[i]);
  const time = (list: readonly Float64Array[]) =>
    nanosecondsPerCall(list.length, () => {
      for (const q of list) manager.isCollisionFree(q);
    }).least / 1000;
  const count = (list: readonly Float64Array[]) => {
    manager.counters.pairChecks = 0;
    for (const q of list) manager.isCollisionFree(q);
    return manager.counters.pairChecks / list.length;
  };
  const coherent = alongEdges(robot, free.slice(0, 40));
  return {
    scene: name,
    pairs: manager.model.pairCount,
    'free %': (100 * free.length) / states.length,
    'µs all': time(states),
    'µs free': time(free),
    'µs coherent': time(coherent),
    'checks/state free': count(free),
    'coherent ': count(coherent),
  };
}

/** The scene by itself, and with hundreds of balls 3 to 8 m away: what is far should cost nothing. */
function crowdRows({ robot, scene }: BenchScene) {
  const random = new Random(6);
  return [0, 20, 100, 1000].map((far) => {
    const crowd = Array.from({ length: far }, (_, i) => ({
      name: `far${i}`,
      parts: [{ shape: { type: 'sphere', radius: 0.1 } }],
      pose: {
        xyz: [random.between(3, 8), random.between(-5, 5), random.between(0, 2)],
        quat_wxyz: [1, 0, 0, 0],
      } as const,
    }));
    const crowded = { ...scene, obstacles: [...scene.obstacles, ...(crowd as unknown as typeof scene.obstacles)] };
    const manager = new CollisionManager(new CollisionModel(robot, crowded));
    const certified = new CertifiedMotionValidator(manager, new RobotJointSpace(robot));
    const free = randomStates(robot, 2).filter((q) => manager.isCollisionFree(q));
    const edges = randomEdges(robot, manager, 0.75).filter(([from, to]) => certified.isMotionValid(from, to));
    const states = nanosecondsPerCall(free.length, () => {
      for (const q of free) manager.isCollisionFree(q);
    });
    const motions = nanosecondsPerCall(edges.length, () => {
      for (const [from, to] of edges) certified.isMotionValid(from, to);
    });
    return {
      obstacles: crowded.obstacles.length,
      'free state': states.least / 1000,
      'certified edge 0.75 rad': motions.least / 1000,
    };
  });
}

function edgeRow({ name, robot, scene }: BenchScene, length: number) {
  const manager = new CollisionManager(new CollisionModel(robot, scene));
  const space = new RobotJointSpace(robot);
  const sampled = new SampledMotionValidator(manager, space, 0.02);
  const certified = new CertifiedMotionValidator(manager, space);
  const edges = randomEdges(robot, manager, length);
  const verdicts = edges.map(([from, to]) => certified.isMotionValid(from, to));
  const sampledSays = edges.map(([from, to]) => sampled.isMotionValid(from, to));
  const time = (motions: MotionValidator, list: readonly Edge[]) =>
    nanosecondsPerCall(
      list.length,
      () => {
        for (const [from, to] of list) motions.isMotionValid(from, to);
      },
      9,
    ).least / 1000;
  const free = edges.filter((_, i) => verdicts[i]);
  const hits = edges.filter((_, i) => !verdicts[i]);
  const before = certified.prover.intervals;
  for (const [from, to] of free) certified.isMotionValid(from, to);
  const intervals = certified.prover.intervals - before;
  const row = {
    scene: name,
    rad: length,
    'free %': (100 * free.length) / edges.length,
    'certified, free': time(certified, free),
    'sampled, free': time(sampled, free),
    'certified, hit': time(certified, hits),
    'sampled, hit': time(sampled, hits),
    'intervals/free edge': intervals / Math.max(1, free.length),
    'sampled misses': sampledSays.filter((says, i) => says && !verdicts[i]).length,
    unresolved: certified.counters.unresolved,
  };
  return {
    ...row,
    'ratio free': row['certified, free'] / row['sampled, free'],
    'ratio hit': row['certified, hit'] / row['sampled, hit'],
  };
}

type Robot = BenchScene['robot'];
type Edge = readonly [Float64Array, Float64Array];

function randomStates(robot: Robot, seed: number): Float64Array[] {
  const space = new RobotJointSpace(robot);
  const random = new Random(seed);
  return Array.from({ length: STATES }, () => {
    const q = new Float64Array(robot.dof);
    space.sample(q, random);
    return q;
  });
}

function alongEdges(robot: Robot, starts: readonly Float64Array[]): Float64Array[] {
  const random = new Random(3);
  return starts.flatMap((from) => {
    const direction = unitDirection(robot.dof, random);
    return Array.from({ length: 38 }, (_, i) => from.map((x, j) => x + 0.02 * i * direction[j]));
  });
}

function randomEdges(robot: Robot, manager: CollisionManager, length: number): Edge[] {
  const random = new Random(4);
  return randomStates(robot, 5)
    .filter((q) => manager.isCollisionFree(q))
    .slice(0, EDGES)
    .map((from): Edge => {
      const direction = unitDirection(robot.dof, random);
      return [from, from.map((x, j) => x + length * direction[j])];
    });
}

function unitDirection(dof: number, random: Random): Float64Array {
  const direction = Float64Array.from({ length: dof }, () => random.between(-1, 1));
  const norm = Math.sqrt(direction.reduce((sum, x) => sum + x * x, 0));
  return direction.map((x) => x / norm);
}
