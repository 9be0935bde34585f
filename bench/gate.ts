import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { CollisionModel } from '../src/core/collision/model/collisionModel.ts';
import { CollisionManager } from '../src/core/collision/states/collisionManager.ts';
import { Random } from '../src/core/math/random.ts';
import type { Trajectory } from '../src/core/trajectory/trajectory.ts';
import { loadScene } from '../src/host/node/files.ts';
import { createTrajectoryChecker } from '../src/tasks/checking/checkTrajectory.ts';
import { CubicCurve, type Knot } from '../src/tasks/gate/cubicCurve.ts';
import { Gate } from '../src/tasks/gate/gate.ts';
import { createSceneRobot, motionLimitsOf, type Problem } from '../src/tasks/sceneRobot.ts';
import { attackGate } from '../test/tasks/gate/gateAttack.ts';
import { allocation } from './gate/allocation.ts';
import { besideBatches } from './gate/besideBatches.ts';
import { NoisyPolicy } from './gate/noisyPolicy.ts';
import { AT_GOAL, type Elapsed, elapsedOf, NOISE, plannedPath, Shuttle, stateOf } from './gate/shuttle.ts';
import { binOfParts, crowdedShelf, scannedShelf, scanOf } from './gate/worlds.ts';
import { quantile, type Table } from './measure.ts';

export const about =
  'the gate: latency of verdicts and of changes of the world, tasks with and without it, an hour at 50 Hz';
export const sections = ['latency', 'changes', 'free', 'tasks', 'hour', 'allocation', 'service'];

const CHUNKS = 3000;
const WARM_UP = 300;
const HOUR = 180_000;
const CLOUD_POINTS = 50_000;
/** Rad: errors with which at least 30 % of the runs of a task collide without the gate. */
const TASKS = { shelf: 0.1, 'bin-picking': 0.12, 'table-top': 0.06 };
/** Tasks: runs, seconds between proposals, seconds until a run has failed. */
const RUNS = 40;
const PERIOD = 0.2;
const LONGEST = 60;

type Row = Table['rows'][number];

export async function* run(section?: string): AsyncGenerator<Table> {
  const isRun = (name: string) => section === undefined || section === name;
  if (isRun('latency')) yield await latencies();
  if (isRun('changes')) yield await changes();
  if (isRun('free')) yield free();
  if (isRun('tasks')) yield await tasks();
  if (isRun('hour')) yield await hour();
  if (isRun('allocation')) yield await allocation();
  if (isRun('service')) yield await besideBatches();
}

const timesOf = (times: readonly Elapsed[]): Row =>
  columnsOf([times.map(({ wall }) => wall), times.map(({ cpu }) => cpu)]);

/** Columns of times on the clock and of the processor, milliseconds. */
function columnsOf(given: readonly ArrayLike<number>[]): Row {
  const [wall, cpu] = given.map((times) => Array.from(times));
  const most = (times: readonly number[]) => times.reduce((one, other) => Math.max(one, other), 0);
  return {
    'median ms': quantile(wall, 0.5),
    'p99 ms': quantile(wall, 0.99),
    'most ms': most(wall),
    'median CPU ms': quantile(cpu, 0.5),
    'p99 CPU ms': quantile(cpu, 0.99),
    'most CPU ms': most(cpu),
  };
}

async function latencies(): Promise<Table> {
  const heavy = await loadScene('scenes/heavy-part.yaml');
  const worlds: [string, Problem][] = [
    ['shelf', await loadScene('scenes/shelf.yaml')],
    ['bin with 40 parts', await binOfParts()],
    [`shelf, ${CLOUD_POINTS} points`, await scannedShelf(CLOUD_POINTS)],
    ['alcove, 7 joints', await loadScene('scenes/arm7-alcove.yaml')],
    ['heavy part, half torques', heavy],
    ['heavy part, full torques', { ...heavy, scene: { ...heavy.scene, torque: { scale: 1 } } }],
  ];
  const rows = worlds.map(([scene, problem]): Row => {
    const shuttle = new Shuttle(problem, 1);
    for (let i = 0; i < WARM_UP; i++) shuttle.step();
    const times = Array.from({ length: CHUNKS }, () => shuttle.step());
    const { accepted = 0, slowed = 0, trimmed = 0, refused = 0 } = shuttle.verdicts;
    return { scene, accepted, slowed, trimmed, refused, ...timesOf(times) };
  });
  const title = `verdicts on ${CHUNKS} chunks of 50 points at 50 Hz, noise ${NOISE} rad`;
  return { title, rows, notes: ['targets: median 1 ms, p99 5 ms, most 20 ms'] };
}

async function changes(): Promise<Table> {
  const title = 'changes of the world while the arm moves, to the verdict on the committed motion';
  return { title, rows: [await movedObject(), await replacedCloud()], notes: ['targets: p99 5 ms; cloud 20 ms'] };
}

async function movedObject(): Promise<Row> {
  const crowd = await crowdedShelf(100);
  const shuttle = new Shuttle(crowd, 2);
  const random = new Random(3);
  const moved = crowd.scene.obstacles.filter(({ name }) => name.startsWith('box_'));
  const times: Elapsed[] = [];
  for (let i = 0; i < WARM_UP + CHUNKS; i++) {
    shuttle.step();
    const { name, pose } = moved[random.below(moved.length)];
    const xyz = pose.xyz.map((x) => x + random.between(-0.05, 0.05)) as [number, number, number];
    const elapsed = elapsedOf(() => {
      shuttle.gate.change(shuttle.now, [{ kind: 'move', name, pose: { ...pose, xyz } }]);
    });
    if (i >= WARM_UP) times.push(elapsed);
  }
  return { change: 'one of 100 objects is moved', n: times.length, ...timesOf(times) };
}

async function replacedCloud(): Promise<Row> {
  const { scene } = await loadScene('scenes/shelf.yaml');
  const shuttle = new Shuttle(await scannedShelf(CLOUD_POINTS), 2);
  const times: Elapsed[] = [];
  for (let i = 0; i < 60; i++) {
    const obstacle = scanOf(scene.obstacles, CLOUD_POINTS, 2 + i);
    for (let k = 0; k < 5; k++) shuttle.step();
    const elapsed = elapsedOf(() => {
      shuttle.gate.change(shuttle.now, [
        { kind: 'remove', name: 'scan' },
        { kind: 'add', name: 'scan', obstacle },
      ]);
    });
    if (i >= 10) times.push(elapsed);
  }
  return {
    change: `cloud of ${CLOUD_POINTS} points is replaced (groups of points given)`,
    n: times.length,
    ...timesOf(times),
  };
}

function free(): Table {
  let [clear, missed, messages] = [0, 0, 0];
  for (let seed = 1; seed <= 60; seed++) {
    const attack = attackGate(seed);
    clear += attack.free;
    missed += attack.missed;
    messages += Object.values(attack.verdicts).reduce((sum, n) => sum + n, 0);
  }
  const rows = [{ messages, 'free by 1 mm with their stop': clear, 'not accepted or slowed': missed }];
  return { title: 'proposals that an oracle finds free, in random worlds', rows, notes: ['target: 2 %'] };
}

async function tasks(): Promise<Table> {
  const rows: Row[] = [];
  for (const [name, noise] of Object.entries(TASKS)) {
    const problem = await loadScene(`scenes/${name}.yaml`);
    const path = plannedPath(problem);
    const counts = { on: 0, off: 0, collided: 0 };
    for (let seed = 1; seed <= RUNS; seed++) {
      if (isCompleted(problem, path, seed, noise)) counts.on++;
      const { isAtGoal, collides } = ungated(problem, path, seed, noise);
      if (collides) counts.collided++;
      else if (isAtGoal) counts.off++;
    }
    const { on, off, collided } = counts;
    rows.push({
      scene: name,
      'noise rad': noise,
      runs: RUNS,
      'collided, off': collided,
      'completed, off': off,
      'completed, on': on,
      'on / off': on / off,
    });
  }
  const title = `tasks of a noisy scripted policy, proposals every ${PERIOD} s, at most ${LONGEST} s`;
  return { title, rows, notes: ['target: on / off at least 0.9, where 30 % of the runs without the gate collide'] };
}

/** Runs a policy with the gate; true if the arm comes to the goal. */
function isCompleted(problem: Problem, path: Trajectory, seed: number, noise: number): boolean {
  const gate = new Gate(problem);
  const policy = new NoisyPolicy(path, motionLimitsOf(gate.robot, problem.scene), new Random(seed), noise);
  for (let now = 0; now < LONGEST; now += PERIOD) {
    const state = stateOf(gate, now + 0.03);
    if (policy.isDone(state, AT_GOAL)) return true;
    gate.propose(now, policy.chunk(now + 0.03, state));
  }
  return false;
}

/** Runs a policy without the gate: each chunk is executed until the next one begins. */
function ungated(problem: Problem, path: Trajectory, seed: number, noise: number) {
  const robot = createSceneRobot(problem);
  const policy = new NoisyPolicy(path, motionLimitsOf(robot, problem.scene), new Random(seed), noise);
  const names = robot.variables.map(({ name }) => name);
  const start = path.points[0].positions;
  let curve = new CubicCurve(names, [{ time_from_start: 0, positions: start, velocities: start.map(() => 0) }]);
  let isAtGoal = false;
  for (let now = 0; now < LONGEST && !isAtGoal; now += PERIOD) {
    const state = curve.at(now);
    isAtGoal = policy.isDone(state, AT_GOAL);
    const points = policy.chunk(now, state);
    const knots = points.map(
      ({ time, positions, velocities }): Knot => ({
        time_from_start: time,
        positions,
        velocities: velocities!,
      }),
    );
    if (!isAtGoal) curve = new CubicCurve(names, [...curve.until(now), ...knots.slice(1)]);
  }
  const check = createTrajectoryChecker(robot, new CollisionManager(new CollisionModel(robot, problem.scene)));
  return { isAtGoal, collides: check(curve.trajectory).collision !== undefined };
}

/** An hour at 50 Hz, on the clock of the messages: times of each quarter and of all, and the heap after it. */
async function hour(): Promise<Table> {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const shuttle = new Shuttle(await loadScene('scenes/shelf.yaml'), 1);
  for (let i = 0; i < WARM_UP; i++) shuttle.step();
  const kept = () => {
    collect();
    return { 'heap MB': process.memoryUsage().heapUsed / 1e6, 'points kept': shuttle.gate.committed.points.length };
  };
  const chunks = Number(process.env['CHUNKS'] ?? HOUR);
  const count = Math.ceil(chunks / 4);
  const [wall, cpu] = [new Float64Array(4 * count), new Float64Array(4 * count)]; // the heap does not grow by them
  const rows: Row[] = [{ part: 'start', ...kept() }];
  for (let quarter = 0; quarter < 4; quarter++) {
    const before = { ...shuttle.verdicts };
    for (let i = quarter * count; i < (quarter + 1) * count; i++) ({ wall: wall[i], cpu: cpu[i] } = shuttle.step());
    const times = [wall, cpu].map((all) => all.subarray(quarter * count, (quarter + 1) * count));
    rows.push({ part: `quarter ${quarter + 1}`, ...verdictsSince(shuttle, before), ...columnsOf(times), ...kept() });
  }
  rows.push({ part: 'all', ...verdictsSince(shuttle, {}), ...columnsOf([wall, cpu]) });
  const title = `${4 * count} chunks of 50 points at 50 Hz (an hour: ${HOUR}), shelf, noise ${NOISE} rad`;
  return { title, rows, notes: ['targets: most 20 ms; heap flat', 'CHUNKS replaces the number of chunks'] };
}

/** Counts of verdicts since a state of the counts. */
function verdictsSince({ verdicts }: Shuttle, before: Readonly<Record<string, number>>): Row {
  const names = ['accepted', 'slowed', 'trimmed', 'refused'];
  return Object.fromEntries(names.map((name) => [name, (verdicts[name] ?? 0) - (before[name] ?? 0)]));
}
