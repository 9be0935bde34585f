import { expect, test } from 'vitest';
import type { Scene } from '../../../../src/core/scene/scene.ts';
import { TrajectoryCurve } from '../../../../src/core/trajectory/trajectoryCurve.ts';
import { loadRobot } from '../../../../src/host/node/files.ts';
import { loadScene } from '../../../../src/host/node/scenes.ts';
import { moveProgramOf } from '../../../../src/tasks/checking/moves/readMoveProgram.ts';
import { checkMotion } from '../../../../src/tasks/checkMotion.ts';
import { motionOfMoves } from '../../../../src/tasks/programs/moves/motionOfMoves.ts';
import { planProgram } from '../../../../src/tasks/programs/planProgram.ts';
import { provedMoveProgram } from '../../../../src/tasks/reports/provedMoveProgram.ts';
import { createSceneRobot } from '../../../../src/tasks/sceneRobot.ts';
import { World } from '../../../../src/tasks/world.ts';
import { poseText, START, sceneOf, TCP } from '../../checking/moves/movesAttack.ts';
import { add, dist, rotation, toolPose } from '../../checking/moves/movesOracle.ts';

const loaded = await loadRobot('ur5e');
const robot = { ...loaded, links: loaded.links.map((link) => ({ ...link, collisions: [] })) };
const home = toolPose(START, TCP);
const pose = (x: number, y: number, R = home.R) => poseText({ p: add(home.p, [x, y, 0]), R });
const moved = START.map((x, j) => x + 0.1 * (j + 1));

function motion(...lines: string[]) {
  const scene: Scene = sceneOf(robot, START, []);
  const model = createSceneRobot({ scene, robot });
  const text = ['def p():', `  set_tcp(p[${TCP.join(', ')}, 0, 0, 0])`, ...lines.map((l) => `  ${l}`), 'end', ''];
  const program = moveProgramOf(text.join('\n'), 'p.script', model, scene)!;
  return motionOfMoves(new World(model, scene), program, 'p.script');
}

/** Way after a time of a trapezoidal profile from rest to rest. */
function way(t: number, length: number, a: number, v: number): number {
  const peak = Math.min(v, Math.sqrt(a * length));
  const end = length / peak + peak / a;
  const ramp = peak / a;
  if (t <= ramp) return (a * t * t) / 2;
  if (t >= end) return length;
  return t <= end - ramp ? peak * (t - ramp / 2) : length - (a * (end - t) ** 2) / 2;
}

test('moves that take too long are refused before their points are computed', () => {
  for (const rates of ['v=1e-9', 'a=1e-21', 't=1e12', 'a=1e300, v=1e-300'])
    expect(() => motion(`movej([${moved}], ${rates})`)).toThrow('p.script: line 3: the motion has more than 500000');
});

test('moves that stop have the trapezoidal profiles of their rates, lines at the tool', () => {
  const { trajectory, open } = motion(
    `movel(${pose(0.15, 0)}, a=0.6, v=0.2)`,
    'sleep(0.5)',
    `movej([${moved}], a=2, v=5)`,
  );
  expect(open).toEqual([]);
  const curve = new TrajectoryCurve(trajectory);
  const q = new Float64Array(6);
  const line = 0.15 / 0.2 + 0.2 / 0.6;
  const corner = new Float64Array(6);
  curve.position(corner, line + 0.5);
  const longest = Math.max(...moved.map((x, j) => Math.abs(x - corner[j])));
  expect(curve.end).toBeCloseTo(line + 0.5 + 2 * Math.sqrt(longest / 2), 8);
  for (let k = 0; k <= 200; k++) {
    const t = (k / 200) * curve.end;
    curve.position(q, t);
    const at = toolPose(Array.from(q), TCP).p;
    if (t < line + 0.5) expect(dist(at, add(home.p, [way(t, 0.15, 0.6, 0.2), 0, 0]))).toBeLessThan(1e-7);
    const share = way(t - line - 0.5, longest, 2, 5) / longest;
    if (t >= line + 0.5) for (const [j, x] of corner.entries()) expect(q[j]).toBeCloseTo(x + share * (moved[j] - x), 8);
  }
});

test('what the manual leaves open is stated, and the motion still reaches all targets', () => {
  const turned = rotation([0, 0, 0.3]).map((row) =>
    row.map((_, j) => row.reduce((s, x, k) => s + x * home.R[k][j], 0)),
  );
  const cases: [string[], string][] = [
    [
      [`movel(${pose(0.1, 0)}, r=0.02)`, `movel(${pose(0.1, 0.1)})`],
      'line 3: the manual does not state the motion within a blend',
    ],
    [[`movej([${moved}], r=0.02)`, `movej([${START}])`], 'line 3: the manual does not state the motion within a blend'],
    [[`movel(${pose(0.1, 0)}, t=2)`], 'line 3: the manual does not state how a move with a time t accelerates'],
    [[`movel(${pose(0.1, 0, turned)})`], 'line 3: the manual does not state when the tool turns'],
    [[`movel(${pose(0.1, 0)})`, 'popup("ready?")'], 'line 4: how long popup takes is not known'],
  ];
  for (const [lines, what] of cases) {
    const { trajectory, open } = motion(...lines);
    expect(open).toEqual([what]);
    expect(trajectory.points.every(({ velocities }) => velocities === undefined)).toBe(true);
    const times = trajectory.points.map(({ time_from_start: t }) => t!);
    expect(times.every((t, i) => i === 0 || t > times[i - 1])).toBe(true);
    const steps = trajectory.points.map(({ positions }) => positions);
    for (const [i, q] of steps.entries()) if (i > 0) expect(dist([...q], [...steps[i - 1]])).toBeLessThan(0.2);
  }
});

test('a blend is not passed faster than the moves that it joins, also where they do not reach their speed', () => {
  const beyond = moved.map((x, j) => x + 0.02 * (6 - j));
  const longest = (a: readonly number[], b: readonly number[]) => Math.max(...a.map((x, j) => Math.abs(x - b[j])));
  for (const r of [0.01, 0.05]) {
    const { trajectory } = motion(`movej([${moved}], a=1, v=3, r=${r})`, `movej([${beyond}], a=1, v=3)`);
    const { points } = trajectory;
    const speeds = points.slice(1).map(({ time_from_start: t, positions }, i) => {
      const before = points[i];
      return longest([...positions], [...before.positions]) / (t! - before.time_from_start!);
    });
    const reached = Math.max(...[longest(START, moved), longest(moved, beyond)].map((way) => Math.sqrt(way)));
    expect(Math.max(...speeds)).toBeLessThan(reached);
  }
});

test('a written pick and place becomes a trajectory that keeps its steps, limits and duration', async () => {
  const problem = await loadScene('pick-and-place');
  const model = createSceneRobot(problem);
  const { trajectory: planned } = planProgram(problem);
  const made = provedMoveProgram(model, problem.scene, planned!, 'growth-distance') as {
    text: string;
    duration: number;
  };
  const program = moveProgramOf(made.text, 'p.script', model, problem.scene)!;
  const world = new World(model, problem.scene);
  const { trajectory, open } = motionOfMoves(world, program, 'p.script');
  expect(open).toEqual([]);
  expect(trajectory.points.at(-1)!.time_from_start).toBeCloseTo(made.duration, 3);
  const { result } = checkMotion(world, trajectory);
  expect(result.faults).toEqual([]);
  expect(result.valid).toBe(true);
});
