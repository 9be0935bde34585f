import { CollisionModel } from '../../src/core/collision/model/collisionModel.ts';
import { CollisionManager } from '../../src/core/collision/states/collisionManager.ts';
import { forwardKinematics, RobotState } from '../../src/core/kinematics/forwardKinematics.ts';
import { never } from '../../src/core/math/interrupt.ts';
import { compose, copy, create, invert } from '../../src/core/math/transform.ts';
import type { Trajectory } from '../../src/core/trajectory/trajectory.ts';
import { createSceneWorld, type SceneWorld, snapshot, stillScene } from '../../src/core/world/sceneWorld.ts';
import type { LoadedScene } from '../../src/host/node/files.ts';
import { createTrajectoryChecker } from '../../src/tasks/checking/checkTrajectory.ts';
import { sourcePositions } from '../../src/tasks/checking/worldMotions.ts';
import { resolveStartAndGoals } from '../../src/tasks/planning/startAndGoals.ts';
import { planScene } from '../../src/tasks/planScene.ts';
import { createSceneRobot, motionLimitsOf } from '../../src/tasks/sceneRobot.ts';
import { median, type Table } from '../measure.ts';
import { buildSpaceTimePeer, type CppPeer, debianVersions, spaceTimeHint, writeForPeer } from '../peers/cpp.ts';
import { sceneWords, type Words } from '../peers/words.ts';

const RUNS = 10;
/** Plans of ours that warm up the compiler; they are not measured. */
const WARM_UP = 3;
/** Distance of the states of an edge of OMPL, rad and s; time limit of a plan, s. */
const STEP = 0.02;
const LIMIT = 5;
/** Time between the poses of moving objects that OMPL interpolates, s. */
const POSE_STEP = 0.01;

interface OmplRun {
  readonly solved: boolean;
  /** CPU time, ms. */
  readonly plan: number;
  readonly states: number;
  /** Time, then the joint values, of each state. */
  readonly path: readonly (readonly number[])[];
}

/** Compares scenes with moving objects with ST-RRT* of OMPL over FCL: runs of both, in turn. */
export function besideOmpl(scenes: readonly LoadedScene[]): Table {
  const title = `plans among moving objects beside ST-RRT* of OMPL, ${RUNS} seeds each: medians of CPU time`;
  const ompl = buildSpaceTimePeer();
  if (ompl === undefined) return { title, rows: [], notes: [`ST-RRT* is not available: ${spaceTimeHint}`] };
  const rows = scenes.flatMap((scene) => rowOf(scene, ompl));
  const ratio = median(rows.map((row) => row['OMPL / ours']));
  return {
    title,
    rows,
    notes: [
      `OMPL / ours: median over the scenes ${ratio.toPrecision(3)}; target: 10`,
      `ours: the whole query, with acceleration limits, blends and the proof; OMPL: its first path, states ${STEP} rad ` +
        'or s apart, within the velocity limits alone',
      'missed: paths of OMPL that our prover finds in collision before arrival; at the goal: where a moving object ' +
        `collides with the goal state later, which ST-RRT* does not check; runs without a path within ${LIMIT} s count ` +
        'with the time they took',
      debianVersions(),
    ],
  };
}

function rowOf({ scene, robot: description }: LoadedScene, ompl: CppPeer) {
  const robot = createSceneRobot({ scene, robot: description });
  const world = createSceneWorld(robot, scene);
  const ends = resolveStartAndGoals(
    robot,
    stillScene(world),
    new CollisionManager(new CollisionModel(robot, stillScene(world))),
  );
  const words = sceneWords(new CollisionModel(robot, snapshot(world, positionsAt(world, 0))));
  if (words === undefined || 'status' in ends) return [];
  const sceneFile = writeForPeer('scene.txt', words);
  const { velocity } = motionLimitsOf(robot, scene);
  const problem = [STEP, LIMIT, ...ends.start, ...ends.goals[0], ...Array.from(velocity), ...movingWords(world)];
  const problemFile = writeForPeer('problem.txt', problem);
  const plan = (seed: number) => {
    const before = process.cpuUsage();
    const { status, stats } = planScene({ scene, robot: description }, { seed });
    const { user, system } = process.cpuUsage(before);
    return { solved: status === 'solved', time: (user + system) / 1000, duration: stats.duration ?? Number.NaN };
  };
  for (let seed = 1; seed <= WARM_UP; seed++) plan(seed);
  const ours: ReturnType<typeof plan>[] = [];
  const theirs: OmplRun[] = [];
  for (let seed = 1; seed <= RUNS; seed++) {
    ours.push(plan(seed));
    theirs.push(...ompl.run<OmplRun[]>(sceneFile, problemFile, 1, seed));
  }
  const manager = new CollisionManager(new CollisionModel(world.robot, world.scene));
  const check = createTrajectoryChecker(robot, manager, never, world);
  const found = theirs
    .filter(({ solved }) => solved)
    .map(({ path }) =>
      trajectoryOf(
        path,
        robot.variables.map(({ name }) => name),
      ),
    );
  const contacts = found.map((trajectory) => check(trajectory).collision?.from ?? Number.POSITIVE_INFINITY);
  const isMissed = (time: number, i: number) => time < found[i].points.at(-1)!.time_from_start!;
  const missed = contacts.filter(isMissed).length;
  const [mine, other] = [median(ours.map(({ time }) => time)), median(theirs.map((one) => one.plan))];
  return [
    {
      scene: scene.name,
      'ours: solved': `${ours.filter(({ solved }) => solved).length}/${RUNS}`,
      'ours ms': mine,
      'duration s': median(ours.filter(({ solved }) => solved).map(({ duration }) => duration)),
      'OMPL: solved': `${found.length}/${RUNS}`,
      'OMPL ms': other,
      'OMPL: arrival s': median(found.map(({ points }) => points.at(-1)!.time_from_start!)),
      'OMPL / ours': other / mine,
      missed,
      'at the goal': contacts.filter((time) => time < Number.POSITIVE_INFINITY).length - missed,
    },
  ];
}

const trajectoryOf = (path: OmplRun['path'], jointNames: readonly string[]): Trajectory => ({
  jointNames,
  interpolation: 'linear',
  points: path.map(([time_from_start, ...positions]) => ({ time_from_start, positions })),
});

/** Joint values of the whole tree of a world at a time. */
function positionsAt(world: SceneWorld, t: number): Float64Array {
  const whole = new Float64Array(world.robot.dof);
  sourcePositions(world)(whole, world.planned.dof, t);
  return whole;
}

/** The obstacle parts of a snapshot that move, with the poses of their objects over time. */
function movingWords(world: SceneWorld): Words {
  const before = snapshot(world, positionsAt(world, 0));
  const model = new CollisionModel(world.planned, before);
  const count = Math.max(1, Math.ceil(world.end / POSE_STEP));
  const times = Array.from({ length: count + 1 }, (_, k) => (k / count) * world.end);
  const state = new RobotState(world.robot);
  const poses = times.map((time) => {
    forwardKinematics(state, positionsAt(world, time));
    return new Map(world.robot.links.map(({ name, index }) => [name, Array.from(state.T_world_link[index])]));
  });
  const [T_object_world, T_object_part] = [create(), create()];
  const parts = model.obstacleParts.flatMap(({ T_world_part }, i) => {
    const { name } = model.partOf(model.robotParts.length + i);
    if (!world.robot.others?.has(name)) return [];
    copy(T_object_world, Float64Array.from(poses[0].get(name)!));
    invert(T_object_world, T_object_world);
    compose(T_object_part, T_object_world, T_world_part);
    return [[i, ...T_object_part, times.length, ...times.flatMap((time, k) => [time, ...poses[k].get(name)!])]];
  });
  return [parts.length, ...parts.flat()];
}
