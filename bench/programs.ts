import { isMotionStep, type LineStep } from '../src/core/scene/program.ts';
import type { Scene } from '../src/core/scene/scene.ts';
import { loadProblems, loadScene } from '../src/host/node/files.ts';
import { planProgram } from '../src/tasks/programs/planProgram.ts';
import type { Problem } from '../src/tasks/sceneRobot.ts';
import { smoothLineRatios } from '../test/core/cartesian/smoothLines.ts';
import { quantile, type Table } from './measure.ts';
import { planSampled } from './programs/sampledProgram.ts';

export const about = 'programs of steps: the bundled ones, a straight line, and a growing number of cycles';

export const sections = ['scenes', 'cycles', 'blends', 'lines', 'sampled'];

const SEEDS = 20;
/** Plans before the first that counts. */
const WARM_UP = 60;
const SCENES = ['pick-and-place', 'shelf-insertion', 'dispensing', 'machine-tending-program', 'bin-to-bin'];

export async function* run(section?: string): AsyncGenerator<Table> {
  if (section === undefined || section === 'scenes') yield scenesTable();
  if (section === undefined || section === 'cycles') yield cyclesTable();
  if (section === undefined || section === 'blends') yield blendsTable();
  if (section === undefined || section === 'lines') yield linesTable();
  if (section === undefined || section === 'sampled') yield sampledTable();
}

/** Programs without blends and constraints. */
const SAMPLED_SCENES = ['pick-and-place', 'shelf-insertion', 'dispensing', 'machine-tending-program'];

async function sampledTable(): Promise<Table> {
  const rows: Table['rows'][number][] = [];
  for (const name of SAMPLED_SCENES) rows.push(besideSampled(name, (await loadProblems(`scenes/${name}.yaml`))[0]));
  return {
    title: `plan of a program, certified and sampled, ${SEEDS} seeds, interleaved: medians`,
    rows,
    notes: [
      'sampled: the same search, inverse kinematics, checker and timing; edges sampled at 0.02 rad, lines at 1 mm, ' +
        'and the timed program at 0.02 rad: no proof but that of free motions, which `plan` proves with all edges',
      'cpu ms: processor time of the process, with its compiler and garbage collector',
      'ratio: certified to sampled, median of the ratios of the same seed',
    ],
  };
}

function besideSampled(name: string, problem: Problem): Table['rows'][number] {
  const [certified, sampled, ratios]: number[][] = [[], [], []];
  let [solved, states, points, fewer] = [0, 0, 0, 0];
  for (let k = -WARM_UP; k < SEEDS; k++) {
    const options = { seed: Math.max(0, k) + 1, timeLimit: 60 };
    const ours = () => cpuOf(() => planProgram(problem, options));
    const theirs = () => cpuOf(() => planSampled(problem, options));
    // the order alternates
    const both = k % 2 === 0 ? { ours: ours(), theirs: theirs() } : { theirs: theirs(), ours: ours() };
    if (k < 0) continue;
    certified.push(both.ours.ms);
    sampled.push(both.theirs.ms);
    ratios.push(both.ours.ms / both.theirs.ms);
    const { result } = both.theirs.value;
    if (both.ours.value.status === 'solved' && result.status === 'solved') solved++;
    states = both.theirs.value.states;
    points = result.trajectory?.points.length ?? 0;
    fewer = both.ours.value.trajectory?.points.length ?? 0;
  }
  return {
    program: name,
    solved: `${solved}/${SEEDS}`,
    'certified cpu ms': quantile(certified, 0.5),
    'sampled cpu ms': quantile(sampled, 0.5),
    ratio: quantile(ratios, 0.5),
    'states of lines': states,
    'points certified': fewer,
    'points sampled': points,
  };
}

function cpuOf<T>(run: () => T): { readonly ms: number; readonly value: T } {
  const before = process.cpuUsage();
  const value = run();
  const { user, system } = process.cpuUsage(before);
  return { ms: (user + system) / 1000, value };
}

/** Jerk limits of all joints, rad/s³; undefined: none. */
const JERKS = [undefined, 500, 200, 60];

async function blendsTable(): Promise<Table> {
  const { scene, robot } = await loadScene('scenes/bin-to-bin.yaml');
  const steps = scene.steps?.map((step) => (isMotionStep(step) ? { ...step, blend: 0 } : step)) ?? [];
  const rows = JERKS.map((jerk) => {
    const joints = robot.joints.map((joint) => (jerk === undefined ? joint : { ...joint, jerk }));
    const duration = (one: Scene) =>
      planProgram({ scene: one, robot: { ...robot, joints } }).stats.duration ?? Number.NaN;
    const [blended, stopping] = [duration(scene), duration({ ...scene, steps })];
    return { 'jerk limit rad/s³': jerk ?? 'none', 'stops s': stopping, 'blends s': blended, ratio: blended / stopping };
  });
  return {
    title: 'cycle time of bin-to-bin with blends of 60 mm, and with a stop at the end of every step',
    rows,
    notes: ['durations are deterministic'],
  };
}

/** Random lines of each robot and limit. */
const LINES = 25;
/** Jerk limit of all joints (rad/s³), and limit of the TCP speed (m/s). */
const LINE_LIMITS = [
  [500, Number.POSITIVE_INFINITY],
  [60, Number.POSITIVE_INFINITY],
  [200, 0.25],
] as const;

async function linesTable(): Promise<Table> {
  const rows: Table['rows'][number][] = [];
  for (const robot of ['ur5e', 'ur10e'])
    for (const [jerk, tcpSpeed] of LINE_LIMITS) {
      const { ratios, untimed, faults } = await smoothLineRatios(robot, 'tool0', LINES, 1, { jerk, tcpSpeed });
      rows.push({
        robot,
        'jerk limit rad/s³': jerk,
        'TCP speed m/s': Number.isFinite(tcpSpeed) ? tcpSpeed : 'none',
        lines: ratios.length,
        'not timed': untimed,
        faults: faults.length,
        least: quantile(ratios, 0),
        median: quantile(ratios, 0.5),
        '95 %': quantile(ratios, 0.95),
        most: quantile(ratios, 1),
      });
    }
  return {
    title: 'duration of lines with jerk limits, divided by that of the numeric optimum of the same joint path',
    rows,
    notes: [
      'lines of 1 mm to 0.8 m, half of them with a rotation; those that the arm cannot follow from the given state are left out',
      'the numeric optimum shares no code with the planner',
      'faults: lines that exceed a limit or leave the path, at 200 samples of each piece of the spline, by other code',
    ],
  };
}

async function scenesTable(): Promise<Table> {
  const rows = [measured('line of 0.3 m', await freeLine())];
  for (const name of SCENES) rows.push(measured(name, (await loadProblems(`scenes/${name}.yaml`))[0]));
  return {
    title: `plan of a program, ${SEEDS} seeds: medians`,
    rows,
    notes: [
      `ms: all of planning, with the proof of the result, without loading, after ${WARM_UP} plans; cpu ms: processor time of the process`,
      'lines: joint paths of lines and arcs that were computed, of all candidates',
      'without lazy evaluation, 169 lines are computed for pick-and-place, 2682 for four cycles of bin-to-bin: every ' +
        'inverse-kinematics solution and full turn',
    ],
  };
}

async function cyclesTable(): Promise<Table> {
  const loaded = await loadScene('scenes/bin-to-bin.yaml');
  return {
    title: `cycles of bin-to-bin, ${SEEDS} seeds: medians`,
    rows: [1, 2, 4, 10].map((cycles) => measured(`${cycles}`, { ...loaded, scene: withCycles(loaded.scene, cycles) })),
    notes: ['a cycle picks a part, carries it to the other bin, and puts it down there; eight steps'],
  };
}

/** The program with its first cycles. */
const withCycles = (scene: Scene, cycles: number): Scene => ({
  ...scene,
  steps: (scene.steps ?? []).slice(0, 8 * cycles),
});

/** A straight line of 0.3 m of a UR5e without obstacles. */
async function freeLine(): Promise<Problem> {
  const { scene, robot } = await loadScene('scenes/pick-and-place.yaml');
  const line: LineStep = {
    kind: 'line',
    index: 0,
    targets: [{ kind: 'by', by: [0, 0.3, 0], quat_wxyz: [1, 0, 0, 0], frame: 'world' }],
    speed: 1,
    acceleration: 1,
    blend: 0,
    tolerance: { position: 1e-4, angle: (0.1 * Math.PI) / 180 },
    constraints: [],
  };
  const { attached: _, speed: __, tcpSpeed: ___, ...rest } = scene;
  return { robot, scene: { ...rest, attached: [], obstacles: [], allow: [], steps: [line] } };
}

function measured(name: string, problem: Problem): Table['rows'][number] {
  const times: number[] = [];
  const cpu: number[] = [];
  let solved = 0;
  const results = Array.from({ length: SEEDS + WARM_UP }, (_, seed) => {
    const before = process.hrtime.bigint();
    const { ms, value: result } = cpuOf(() =>
      planProgram(problem, { seed: Math.max(0, seed - WARM_UP) + 1, timeLimit: 60 }),
    );
    const elapsed = Number(process.hrtime.bigint() - before) / 1e6;
    if (seed >= WARM_UP) {
      times.push(elapsed);
      cpu.push(ms);
      if (result.status === 'solved') solved++;
    }
    return result;
  }).slice(WARM_UP);
  const median = (of: (stats: (typeof results)[number]['stats']) => number) =>
    quantile(
      results.map(({ stats }) => of(stats)),
      0.5,
    );
  return {
    program: name,
    steps: problem.scene.steps?.length ?? 0,
    solved: `${solved}/${SEEDS}`,
    ms: quantile(times, 0.5),
    'ms 95 %': quantile(times, 0.95),
    'cpu ms': quantile(cpu, 0.5),
    lines: median((stats) => stats.lines_followed ?? 0),
    states: median((stats) => stats.states_checked),
    motions: median((stats) => stats.edges_checked),
    'duration s': median((stats) => stats.duration ?? Number.NaN),
  };
}
