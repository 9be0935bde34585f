import { Random } from '../src/core/math/random.ts';
import type { CollisionObject, Scene } from '../src/core/scene/scene.ts';
import { loadScene } from '../src/host/node/files.ts';
import { Planner } from '../src/tasks/createPlanner.ts';
import { proveInfeasible } from '../src/tasks/planning/infeasibility/proveInfeasible.ts';
import { buildLibrary } from '../src/tasks/planning/motionLibrary/buildLibrary.ts';
import { PreparedLibrary } from '../src/tasks/planning/motionLibrary/keptEdges.ts';
import { libraryText } from '../src/tasks/planning/motionLibrary/libraryFile.ts';
import { planMotion } from '../src/tasks/planning/planMotion.ts';
import type { PlanMotionResult } from '../src/tasks/planning/planStats.ts';
import { createSceneRobot } from '../src/tasks/sceneRobot.ts';
import { unsolvableScenes, validGoals } from '../test/tasks/planning/infeasibility/unsolvableScenes.ts';
import { cpuMilliseconds } from './constraints/cpuTime.ts';
import { regionsTable } from './library/regions.ts';
import { quantile, type Table } from './measure.ts';

export const about = 'libraries of a cell among changed obstacles, proofs that no motion exists, moved obstacles';

export const sections = ['changes', 'unsolvable', 'moved', 'regions'];

const SHELF = 'scenes/shelf.yaml';
/** Changed scenes per run, unsolvable scenes, and moves of one box; `COUNT` replaces all of them. */
const given = Number(process.env.COUNT);
const countOf = (standard: number) => (given > 0 ? given : standard);
const CHANGES = 100;
const UNSOLVABLE = 200;
const MOVES = 10;
/** Queries of each changed scene: the first ones warm the process up, the least time of the others counts. */
const WARM = 3;
const REPEATS = 12;
/** The clock of `plan` and of the service: process.cpuUsage takes 2 µs a call, a fifth of a query. */
const clock = () => performance.now();
/** Milliseconds of CPU time for each proof. */
const PROOF_LIMIT = 10_000;

export async function* run(section?: string): AsyncGenerator<Table> {
  const wants = (name: string) => section === undefined || section === name;
  if (wants('changes')) yield changesTable();
  if (wants('unsolvable')) yield unsolvableTable();
  if (wants('moved')) yield movedTable();
  if (wants('regions')) yield regionsTable();
}

/** The shelf, one object more, and changes of it: each moves, adds or removes 1 to 10 objects. */
async function changesTable(): Promise<Table> {
  const loaded = await loadScene(SHELF);
  const scene = { ...loaded.scene, obstacles: [...loaded.scene.obstacles, added('box', new Random(0))] };
  const problem = { scene, robot: loaded.robot, model: createSceneRobot(loaded) };
  const begun = cpuMilliseconds();
  const library = buildLibrary(problem, {
    nodes: 400,
    mostNumbers: 8e6,
    seed: 1,
    states: [],
    isOver: () => cpuMilliseconds() - begun > 120_000,
  });
  const built = (cpuMilliseconds() - begun) / 1000;
  const size = libraryText(library).length / 1e6;
  const kept = new PreparedLibrary(library, SHELF);
  const planner = new Planner(problem);
  const count = countOf(CHANGES);
  const queries = Array.from({ length: count }, (_, i) => ({
    scene: changed(scene, new Random(i + 1)),
    times: [] as number[],
    prepare: [] as number[],
    answer: undefined as PlanMotionResult | undefined,
  }));
  for (let round = 0; round < WARM + REPEATS; round++)
    for (const query of queries) {
      const before = performance.now();
      planner.change({ obstacles: query.scene.obstacles });
      const prepared = performance.now();
      query.answer = planner.plan({ planner: 'library', library: kept, timeLimit: 10 }, { clock });
      if (round < WARM) continue;
      query.times.push(performance.now() - before);
      query.prepare.push(prepared - before);
    }
  const answered = queries.map(({ scene, times, prepare, answer }) => ({
    time: Math.min(...times),
    prepare: Math.min(...prepare),
    answer: answer!,
    plan: planMotion({ ...problem, scene }, { timeLimit: 10 }, { clock: cpuMilliseconds }),
  }));
  const judged = answered.filter(({ plan }) => plan.status !== 'no-path');
  const found = judged.filter(({ plan }) => plan.status === 'solved');
  const right = judged.filter(({ answer, plan }) => answer.status === plan.status);
  const only = answered.filter(({ answer, plan }) => answer.status === 'solved' && plan.status !== 'solved');
  const solved = answered.filter(({ answer }) => answer.status === 'solved');
  const whole = solved.filter(({ answer }) => answer.stats.library?.repaired === 0);
  const repaired = solved.filter(({ answer }) => answer.stats.library?.repaired !== 0);
  const refused = answered.filter(({ answer }) => answer.status !== 'solved');
  const longer = found.flatMap(({ answer, plan }) =>
    answer.stats.duration && plan.stats.duration ? [answer.stats.duration / plan.stats.duration] : [],
  );
  const at = (p: number, list: readonly { readonly time: number }[]) =>
    list.length === 0
      ? '–'
      : rounded(
          quantile(
            list.map(({ time }) => time),
            p,
          ),
        );
  const prepares = answered.map(({ prepare }) => prepare);
  return {
    title: `the shelf with 10 objects: a library, and each query after a change of 1 to 10 objects, ${count} changes`,
    rows: [
      {
        what: 'queries that plan solves within 10 s, or refuses',
        measured: `${found.length} and ${judged.length - found.length}`,
        target: '',
      },
      {
        what: 'of these, same status with the library',
        measured: percent(right.length, judged.length),
        target: '99 %',
      },
      { what: 'solved with the library alone', measured: only.length, target: '' },
      { what: 'query, ms, median', measured: at(0.5, answered), target: '1' },
      { what: 'query, ms, 99 %', measured: at(0.99, answered), target: '5' },
      { what: `… paths of kept edges (${whole.length}), median`, measured: at(0.5, whole), target: '' },
      { what: `… paths with other edges (${repaired.length}), median`, measured: at(0.5, repaired), target: '' },
      { what: `… start or goal in collision (${refused.length}), median`, measured: at(0.5, refused), target: '' },
      { what: '… the changed collision model, median', measured: rounded(quantile(prepares, 0.5)), target: '' },
      { what: 'duration / that of plan, median', measured: rounded(quantile(longer, 0.5)), target: '' },
      { what: 'building, CPU s', measured: rounded(built), target: '120' },
      { what: 'size, MB', measured: rounded(size), target: '50' },
      { what: 'nodes', measured: library.points.length, target: '' },
      { what: 'edges', measured: library.edges.length, target: '' },
    ],
    notes: [
      'a change moves each of its objects by up to 0.15 m, removes it, or adds a box within reach; start and goal stay',
      'query: collision model of the changed scene, search, shortcuts, timing and the proof of the whole motion, or the ' +
        `reason of a refusal; in a warm process, the least time of ${REPEATS} queries of each scene, since the machine ` +
        'has other work',
    ],
  };
}

const added = (name: string, random: Random): CollisionObject => ({
  name,
  pose: { xyz: [random.between(0.3, 0.9), random.between(-0.6, 0.6), random.between(0.1, 0.9)], quat_wxyz: UPRIGHT },
  parts: [
    { shape: { type: 'box', size: [0, 1, 2].map(() => random.between(0.04, 0.15)) as [number, number, number] } },
  ],
});

const UPRIGHT = [1, 0, 0, 0] as const;

function changed(scene: Scene, random: Random): Scene {
  let obstacles = [...scene.obstacles];
  for (let k = 1 + random.below(10); k > 0; k--) {
    const kind = random.below(4);
    if (kind === 0) obstacles.push(added(`added_${k}`, random));
    else {
      const i = random.below(obstacles.length);
      const { pose, name } = obstacles[i];
      const xyz = pose.xyz.map((x) => x + random.between(-0.15, 0.15)) as unknown as typeof pose.xyz;
      if (name === 'floor') continue;
      obstacles =
        kind === 1 ? obstacles.toSpliced(i, 1) : obstacles.with(i, { ...obstacles[i], pose: { ...pose, xyz } });
    }
  }
  return { ...scene, obstacles };
}

/** Random scenes without a motion: what is proved, and how fast. */
async function unsolvableTable(): Promise<Table> {
  const loaded = await loadScene(SHELF);
  const robot = createSceneRobot(loaded);
  const base = { ...loaded.scene, obstacles: loaded.scene.obstacles.filter(({ name }) => name === 'floor') };
  const count = countOf(UNSOLVABLE);
  const results = [...unsolvableScenes(robot, base, count)].map(({ kind, scene }) => {
    const begun = cpuMilliseconds();
    const isOver = () => cpuMilliseconds() - begun > PROOF_LIMIT;
    const proof = proveInfeasible(robot, scene, isOver, validGoals(robot, scene));
    const time = cpuMilliseconds() - begun;
    const { trajectory } = planMotion({ scene, robot: loaded.robot, model: robot }, SEARCH, { clock: cpuMilliseconds });
    const goal = scene.goals[0].kind === 'pose' ? 'pose' : 'state';
    return { group: `${kind}, ${goal}`, isProved: proof !== undefined, time, isSolved: trajectory !== undefined };
  });
  const groups = [...new Set(results.map(({ group }) => group)), 'all'];
  return {
    title: `UR5e, ${count} random scenes without a known motion: proved infeasible within 10 s of CPU time`,
    rows: groups.map((group) => {
      const own = results.filter((one) => group === 'all' || one.group === group);
      const unsolved = own.filter(({ isSolved }) => !isSolved);
      const proved = own.filter(({ isProved }) => isProved);
      const times = proved.map(({ time }) => time / 1000);
      return {
        scenes: group,
        count: own.length,
        'solved by plan in 10 s': own.length - unsolved.length,
        proved: proved.length,
        'share of the unsolved ones': percent(proved.length, unsolved.length),
        target: '60 %',
        'CPU s, median': times.length > 0 ? rounded(quantile(times, 0.5)) : '–',
        most: times.length > 0 ? rounded(quantile(times, 1)) : '–',
        'gave up within 10 s': unsolved.filter(({ isProved, time }) => !isProved && time < PROOF_LIMIT).length,
        'proved and solved': proved.filter(({ isSolved }) => isSolved).length,
      };
    }),
    notes: [
      'blocked: boxes beside a goal pose; all closed-form solutions collide. Enclosed: posts beside the base, on both ' +
        'sides of the goal; no turn of the first joint passes them, but some of them have a motion',
      "of MotionBenchMaker's UR5 suite no unsolvable problem with valid ends is known: each has a reference path",
    ],
  };
}

const SEARCH = { timeLimit: 10, seed: 7 };

/** One box of many is moved: time until the next plan is ready, beyond that of the plan without a move. */
async function movedTable(): Promise<Table> {
  const loaded = await loadScene(SHELF);
  const rows = [1000, 10_000, 100_000].map((boxes) => {
    const random = new Random(boxes);
    const obstacles = Array.from({ length: boxes }, (_, i) => farBox(`far_${i}`, random));
    const scene = { ...loaded.scene, obstacles: [...loaded.scene.obstacles, ...obstacles] };
    const before = cpuMilliseconds();
    const planner = new Planner({ scene, robot: loaded.robot });
    planner.plan();
    const first = cpuMilliseconds() - before;
    const [still, moved, move]: number[][] = [[], [], []];
    for (let k = 0; k < 2 * countOf(MOVES); k++) {
      const begun = cpuMilliseconds();
      if (k % 2 === 1) planner.move(`far_${k}`, farBox('', random).pose);
      const ready = cpuMilliseconds();
      planner.plan();
      (k % 2 === 1 ? moved : still).push(cpuMilliseconds() - begun);
      if (k % 2 === 1) move.push(ready - begun);
    }
    return {
      boxes,
      'first plan, CPU ms': rounded(first),
      'plan without a move, median': rounded(quantile(still, 0.5)),
      'move and plan, median': rounded(quantile(moved, 0.5)),
      'move alone, median': rounded(quantile(move, 0.5)),
      more: rounded(quantile(moved, 0.5) - quantile(still, 0.5)),
      target: boxes === 1000 ? 1 : boxes === 10_000 ? 2 : 10,
    };
  });
  return {
    title: 'one box of many moves: CPU ms until the next plan, beside a plan without a move',
    rows,
    notes: ['the shelf, and boxes of 4 to 15 cm 1.5 to 20 m away; `Planner.move`, then `plan` of the same query'],
  };
}

function farBox(name: string, random: Random): CollisionObject {
  const angle = random.between(-Math.PI, Math.PI);
  const away = random.between(1.5, 20);
  return {
    ...added(name, random),
    pose: { xyz: [away * Math.cos(angle), away * Math.sin(angle), random.between(0, 3)], quat_wxyz: UPRIGHT },
  };
}

const percent = (part: number, whole: number) => (whole === 0 ? '–' : `${((100 * part) / whole).toFixed(1)} %`);
const rounded = (x: number) => Number(x.toPrecision(3));
