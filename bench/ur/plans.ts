import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { forwardKinematics, RobotState } from '../../src/core/kinematics/forwardKinematics.ts';
import { ELBOW, setFramePose, tcpOf } from '../../src/core/kinematics/toolCenterPoint.ts';
import { create } from '../../src/core/math/transform.ts';
import { durationOf } from '../../src/core/trajectory/trajectory.ts';
import { TrajectoryCurve } from '../../src/core/trajectory/trajectoryCurve.ts';
import { loadProblemsIn, loadScene } from '../../src/host/node/scenes.ts';
import { planScene } from '../../src/tasks/planScene.ts';
import { provedMoveProgram } from '../../src/tasks/reports/provedMoveProgram.ts';
import { createSceneRobot, type Problem } from '../../src/tasks/sceneRobot.ts';
import { cpuMilliseconds } from '../constraints/cpuTime.ts';
import { median, type Table } from '../measure.ts';

const FREE_SCENES = ['table-top', 'shelf-insertion', 'machine-tending', 'narrow-passage'];
const WRITTEN = [...FREE_SCENES, 'machine-tending-program', 'pick-and-place', 'camera-in-region'];
const [SEEDS, WARM_UP, ROUNDS] = [8, 2, 3];
/** Metres beyond the places of a motion at which planes are put. */
const ROOM = 0.05;
const SAMPLES = 200;

/** Plans with planes, speeds, and the clearances of clamping beside plans without, over seeds, in turn: least times. */
export async function safetyTable(): Promise<Table> {
  const rows: Table['rows'][number][] = [];
  for (const name of FREE_SCENES) {
    const file = `scenes/${name}.yaml`;
    const raw = parse(readFileSync(file, 'utf8'));
    const [plain] = await loadProblemsIn(JSON.stringify(raw), file);
    const limited = { ...raw, robot: withClamping(raw.robot), safety: safetyAround(plain) };
    const [kept] = await loadProblemsIn(JSON.stringify(limited), file);
    const ms = [0, 0];
    const solved = [0, 0];
    for (let round = -WARM_UP; round < SEEDS; round++)
      for (const [k, problem] of [plain, kept].entries()) {
        const { trajectory, cpu } = leastOf(problem, WARM_UP + round + 1);
        if (round < 0) continue;
        ms[k] += cpu / SEEDS;
        if (trajectory) solved[k]++;
      }
    rows.push({
      scene: name,
      'solved without': `${solved[0]}/${SEEDS}`,
      'solved with': `${solved[1]}/${SEEDS}`,
      'cpu ms without': ms[0],
      'cpu ms with': ms[1],
      'with / without': ms[1] / ms[0],
    });
  }
  return {
    title: `plans with safety limits and clamping beside plans without, means over ${SEEDS} seeds of the least of ${ROUNDS} times`,
    rows,
    notes: [
      `median of the ratios: ${median(rows.map((row) => row['with / without'] as number)).toFixed(2)}; target: at most 1.5`,
      'six planes about the TCP and the elbow, 50 mm beyond the places of a motion without them; 1.5 m/s for both',
    ],
  };
}

/** Returns a plan, and the least CPU time of several rounds, ms. */
function leastOf(problem: Problem, seed: number) {
  let cpu = Number.POSITIVE_INFINITY;
  let trajectory: unknown;
  for (let round = 0; round < ROUNDS; round++) {
    const begun = cpuMilliseconds();
    ({ trajectory } = planScene(problem, { seed, timeLimit: 60 }));
    cpu = Math.min(cpu, cpuMilliseconds() - begun);
  }
  return { trajectory, cpu };
}

const withClamping = (robot: string | object) => ({
  ...(typeof robot === 'string' ? { name: robot } : robot),
  clamping: true,
});

/** Planes around the places of the TCP and the elbow along a plan without limits, and speeds of both. */
function safetyAround(problem: Awaited<ReturnType<typeof loadScene>>) {
  const { trajectory } = planScene(problem, { seed: 1, timeLimit: 60 });
  if (trajectory === undefined) throw new Error(`${problem.scene.name}: no plan`);
  const robot = createSceneRobot(problem);
  const frames = [tcpOf(robot, problem.scene.tcp), tcpOf(robot, ELBOW)];
  const curve = new TrajectoryCurve(trajectory);
  const state = new RobotState(robot);
  const [q, T] = [new Float64Array(robot.dof), create()];
  const places: number[][] = [];
  for (let i = 0; i <= SAMPLES; i++) {
    curve.position(q, curve.start + (i / SAMPLES) * (curve.end - curve.start));
    forwardKinematics(state, q);
    for (const frame of frames) {
      setFramePose(T, state, frame);
      places.push([T[3], T[7], T[11]]);
    }
  }
  const planes = [0, 1, 2].flatMap((axis) =>
    [-1, 1].map((side) => {
      const most = Math.max(...places.map((p) => side * p[axis])) + ROOM;
      const along = (value: number) => [0, 1, 2].map((k) => (k === axis ? value : 0));
      return { name: `${'xyz'[axis]}${side}`, point: along(side * most), normal: along(side), keep: ['tcp', 'elbow'] };
    }),
  );
  return { planes, tcp_speed: 1.5, elbow_speed: 1.5 };
}

/** Durations of programs of moves beside those of the proved trajectories. */
export async function movesTable(): Promise<Table> {
  const rows: Table['rows'][number][] = [];
  for (const name of WRITTEN) {
    const problem = await loadScene(`scenes/${name}.yaml`);
    const { trajectory } = planScene(problem, { seed: 1, timeLimit: 60 });
    if (trajectory === undefined) throw new Error(`${name}: no plan`);
    const planned = durationOf(trajectory)!;
    const begun = cpuMilliseconds();
    const written = provedMoveProgram(createSceneRobot(problem), problem.scene, trajectory, 'growth-distance');
    const ms = cpuMilliseconds() - begun;
    if (!('text' in written)) throw new Error(`${name}: ${written.reason}`);
    rows.push({
      scene: name,
      'planned s': planned,
      'moves s': written.duration,
      'longer %': 100 * (written.duration / planned - 1),
      lines: written.text.trim().split('\n').length,
      'cpu ms': ms,
    });
  }
  const most = Math.max(...rows.map((row) => row['longer %'] as number));
  return {
    title: 'programs of moves (plan --format urscript --moves, seed 1) beside the proved trajectories',
    rows,
    notes: [`most: ${most.toFixed(1)} %; target: at most 10 %`],
  };
}
