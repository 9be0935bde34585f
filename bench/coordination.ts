import { CollisionManager } from '../src/core/collision/states/collisionManager.ts';
import { Random } from '../src/core/math/random.ts';
import { ownTimeAt } from '../src/core/planning/coordination/schedule.ts';
import { TrajectoryCurve } from '../src/core/trajectory/trajectoryCurve.ts';
import { loadScene } from '../src/host/node/files.ts';
import { coordinateRobots } from '../src/tasks/coordination/coordinate.ts';
import { membersOf, withTrajectory } from '../src/tasks/coordination/coordinatedRobots.ts';
import { type CoordinatedRobot, createPairDiagram, createPairModel } from '../src/tasks/coordination/pairDiagram.ts';
import { planProgram } from '../src/tasks/programs/planProgram.ts';
import type { Table } from './measure.ts';

export const about = 'coordination of two UR5e: area decided, makespan beside a search over a fine grid, random delays';

export const sections = ['diagram', 'makespan', 'delays'];

const ROUNDS = 5;
const DELAYS = 300_000;

export async function* run(section?: string): AsyncGenerator<Table> {
  const setting = await binsSetting(2);
  if (section === undefined || section === 'diagram') {
    yield diagramTable(setting, 'two-ur5e-bins');
    yield diagramTable(await binsSetting(2, SLOW), 'two-ur5e-bins at a lower speed');
    yield diagramTable(await binsSetting(4), 'two-ur5e-bins with twice as many cycles');
  }
  if (section === undefined || section === 'makespan') yield makespanTable(setting);
  if (section === undefined || section === 'delays') yield delayTable(setting);
}

/** Steps of one cycle of the programs of two-ur5e-bins. */
const CYCLE = 8;

/** Fraction of the speed at which the programs take 20 s. */
const SLOW = 0.3;

/**
 * The robots of two-ur5e-bins on programs of 2 cycles, as in its scenes, or of more.
 * @param slower fraction of the speed limits of its steps
 */
async function binsSetting(cycles: number, slower = 1): Promise<Setting> {
  const { scene, robot } = await loadScene('scenes/two-ur5e-bins.yaml');
  const members = membersOf({ scene, robot });
  const robots = await Promise.all(
    members.map(async (member, i) => {
      const problem = await loadScene(`scenes/two-ur5e-bins-${['left', 'right'][i]}.yaml`);
      const given = problem.scene.steps!;
      const repeated = Array.from({ length: cycles * CYCLE }, (_, k) => given[k % (2 * CYCLE)]);
      const steps = [...repeated, ...given.slice(2 * CYCLE)].map((step, index) =>
        'speed' in step ? { ...step, index, speed: slower * step.speed } : { ...step, index },
      );
      const { trajectory } = planProgram({ ...problem, scene: { ...problem.scene, steps } }, { seed: 1 });
      return withTrajectory(member, trajectory!, members, problem.scene.name);
    }),
  );
  return { robots, scene };
}

interface Setting {
  readonly robots: readonly CoordinatedRobot[];
  readonly scene: Parameters<typeof coordinateRobots>[1];
}

function diagramTable({ robots: [a, b], scene }: Setting, name: string): Table {
  const rows = [0.05, 0.02, 0.01].map((undecided) => {
    let least = Number.POSITIVE_INFINITY;
    let row = {};
    for (let round = 0; round < ROUNDS; round++) {
      const before = process.cpuUsage().user;
      const diagram = createPairDiagram(a, b, scene, { undecided, resolution: 1e-3, cells: 200_000 });
      least = Math.min(least, (process.cpuUsage().user - before) / 1000);
      row = { cells: diagram.checked, 'free cells': diagram.free().length };
    }
    return { undecided: `${100 * undecided} %`, 'CPU ms': least.toFixed(0), ...row };
  });
  const seconds = [a, b].map(({ trajectory }) => trajectory.points.at(-1)!.time_from_start!.toFixed(1));
  return {
    title: `Diagram of ${name}, ${seconds.join(' s by ')} s, until so much of its area is undecided`,
    rows,
    notes: ['target: 50 ms until 2 % are undecided, for programs of 20 s'],
  };
}

/** Checks states of both robots, by the times along their trajectories. */
function stateChecker({ robots: [a, b], scene }: Setting): (s: number, t: number) => boolean {
  const manager = new CollisionManager(createPairModel(a, b, scene));
  const curves = [a, b].map(({ trajectory }) => new TrajectoryCurve(trajectory));
  const q = new Float64Array(a.model.dof + b.model.dof);
  const parts = [q.subarray(0, a.model.dof), q.subarray(a.model.dof)];
  return (s, t) => {
    for (const [i, time] of [s, t].entries()) curves[i].position(parts[i], Math.max(curves[i].start, time));
    return manager.isCollisionFree(q);
  };
}

function makespanTable(setting: Setting): Table {
  const { makespan, leastMakespan } = coordinateRobots(setting.robots, setting.scene);
  const [endA, endB] = setting.robots.map(({ trajectory }) => trajectory.points.at(-1)!.time_from_start!);
  const isFree = stateChecker(setting);
  const grids = [0.1, 0.05, 0.025].map((step) => {
    const [n, m] = [endA, endB].map((end) => Math.ceil(end / step));
    let row: number[] = [];
    for (let i = 0; i <= n; i++) {
      const next: number[] = [];
      for (let k = 0; k <= m; k++) {
        const before =
          i + k === 0 ? 0 : Math.min(row[k] ?? Infinity, row[k - 1] ?? Infinity, next[k - 1] ?? Infinity) + step;
        next.push(isFree(Math.min(endA, i * step), Math.min(endB, k * step)) ? before : Number.POSITIVE_INFINITY);
      }
      row = next;
    }
    return { search: `grid of ${step} s, free at its points`, 'makespan s': row[m].toFixed(3) };
  });
  return {
    title: 'Makespan of two-ur5e-bins',
    rows: [
      { search: 'coordinate, certified', 'makespan s': makespan!.toFixed(3) },
      { search: 'lower bound of all schedules', 'makespan s': leastMakespan!.toFixed(3) },
      ...grids,
    ],
    notes: ['grids end up to one step late, and may pass between points that are free through collisions'],
  };
}

function delayTable(setting: Setting): Table {
  const { schedules, delays, makespan } = coordinateRobots(setting.robots, setting.scene);
  const isFree = stateChecker(setting);
  const random = new Random(1);
  const rows = setting.robots.map(({ name }, late) => {
    let [collisions, greatest] = [0, 0];
    const tolerance = { times: delays![late].map(([time]) => time), own: delays![late].map(([, delay]) => delay) };
    for (let k = 0; k < DELAYS; k++) {
      const time = random.between(0, 1.1 * makespan!);
      const delay = random.next() * ownTimeAt(tolerance, time);
      greatest = Math.max(greatest, delay);
      const [s, t] = schedules!.map((one, i) => ownTimeAt(one, Math.max(0, time - (i === late ? delay : 0))));
      if (!isFree(s, t)) collisions++;
    }
    return { late: name, states: DELAYS, collisions, 'greatest delay s': greatest.toFixed(2) };
  });
  return { title: 'Random delays within the tolerance of two-ur5e-bins, others on schedule', rows };
}
