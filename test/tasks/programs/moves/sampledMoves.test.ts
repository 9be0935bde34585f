/** Programs of `plan --moves`, read back: sampled motions of their sets are checked as dense paths. */
import { expect, test } from 'vitest';
import { forwardKinematics, RobotState } from '../../../../src/core/kinematics/forwardKinematics.ts';
import type { RobotModel } from '../../../../src/core/kinematics/robotModel.ts';
import { framePose, type LinkFrame } from '../../../../src/core/kinematics/toolCenterPoint.ts';
import { Random } from '../../../../src/core/math/random.ts';
import { startStateOf } from '../../../../src/core/scene/configurationOf.ts';
import type { ProgramMove } from '../../../../src/core/scene/moves/moveProgram.ts';
import type { Scene } from '../../../../src/core/scene/scene.ts';
import { loadScene } from '../../../../src/host/node/scenes.ts';
import { createTrajectoryChecker } from '../../../../src/tasks/checking/checkTrajectory.ts';
import { moveProgramOf } from '../../../../src/tasks/checking/moves/readMoveProgram.ts';
import { planMotion } from '../../../../src/tasks/planning/planMotion.ts';
import { movesReport } from '../../../../src/tasks/reports/movesReport.ts';
import { provedMoveProgram } from '../../../../src/tasks/reports/provedMoveProgram.ts';
import { createSceneRobot, type Problem } from '../../../../src/tasks/sceneRobot.ts';
import { World } from '../../../../src/tasks/world.ts';
import { randomStates } from '../../../robots/loaded.ts';

const PROGRAMS = Number(process.env.SAMPLED_PROGRAMS ?? 2);
const MEMBERS = Number(process.env.SAMPLED_MEMBERS ?? 5);
/** Points of a blend. */
const POINTS = 60;
/** Factor of blend radii with which some sampled motions are not valid. */
const WIDER = 4;

const names = ['table-top', 'machine-tending', 'narrow-passage', 'camera-in-region'];
const bundled = await Promise.all(names.map((name) => loadScene(name)));

/** Returns a bundled scene in turn; from the second round on with a random goal that is collision-free. */
function problemOf(k: number): Problem {
  const problem = bundled[k % bundled.length];
  if (k < bundled.length) return problem;
  const robot = createSceneRobot(problem);
  const { manager } = new World(robot, problem.scene);
  const goal = randomStates(robot, 500, k).find((q) => manager.isCollisionFree(q))!;
  const scene: Scene = { ...problem.scene, goals: [{ kind: 'joints', joints: Array.from(goal) }] };
  return { ...problem, scene };
}

/** Joint positions of a path through the corners of a program, by a random curve within each of its blends. */
function memberOf(robot: RobotModel, start: ArrayLike<number>, moves: readonly ProgramMove[], random: Random) {
  const corners = [Array.from(start), ...moves.map(({ joints }) => Array.from(joints!))];
  const path = [corners[0]];
  for (let i = 1; i < corners.length; i++) {
    const corner = corners[i];
    const { radius, frame } = moves[i - 1];
    path.push(...(radius > 0 ? blend(robot, frame, radius, corners[i - 1], corner, corners[i + 1], random) : [corner]));
  }
  return path;
}

/** The sum of the last part of one line and the first part of the next, each at a progress of its own. */
function blend(
  robot: RobotModel,
  frame: LinkFrame,
  radius: number,
  before: readonly number[],
  corner: readonly number[],
  after: readonly number[],
  random: Random,
): number[][] {
  const [ends, begins] = [before, after].map((far) => leaving(robot, frame, radius, corner, far));
  const [late, early, bend] = [random.between(-0.4, 1), random.between(-0.4, 1), random.between(0.4, 3)];
  const progress = (s: number) => Math.min(1, Math.max(0, s)) ** bend;
  const isFar = random.below(3) === 0; // through the sum of both ends, which is farthest from the corner
  return Array.from({ length: POINTS + 1 }, (_, k) => {
    const s = k / POINTS;
    const [rest, done] = isFar
      ? [Math.min(1, 2 - 2 * s), Math.min(1, 2 * s)]
      : [progress(1 - s * (1 + Math.max(0, late))), progress((s - Math.max(0, early)) * 3)];
    const [x, y] = [k === 0 ? 1 : rest, k === POINTS ? 1 : done];
    return corner.map((c, j) => c + (k === POINTS ? 0 : x) * (ends[j] - c) + (k === 0 ? 0 : y) * (begins[j] - c));
  });
}

/** The point of a line from a corner on which the tool first is as far from it as the radius; its end if none is. */
function leaving(
  robot: RobotModel,
  frame: LinkFrame,
  radius: number,
  corner: readonly number[],
  far: readonly number[],
): number[] {
  const state = new RobotState(robot);
  const at = (s: number) => corner.map((c, j) => c + s * (far[j] - c));
  const place = (s: number) => {
    forwardKinematics(state, Float64Array.from(at(s)));
    return framePose(state, frame).xyz;
  };
  const origin = place(0);
  const distance = (s: number) => Math.hypot(...place(s).map((x, i) => x - origin[i]));
  const first = Array.from({ length: 401 }, (_, k) => k / 400).find((s) => distance(s) >= radius) ?? 1;
  let [low, high] = [Math.max(0, first - 1 / 400), first];
  for (let k = 0; k < 50; k++) {
    const middle = 0.5 * (low + high);
    if (distance(middle) < radius) low = middle;
    else high = middle;
  }
  return at(low);
}

test('motions sampled from the sets of programs of plan --moves, read back, are valid as dense paths', () => {
  let [programs, blends, paths, refuted, wide] = [0, 0, 0, 0, 0];
  for (let k = 0; programs < PROGRAMS && k < 10 * PROGRAMS; k++) {
    const problem = problemOf(k);
    const { scene } = problem;
    const robot = createSceneRobot(problem);
    const { trajectory } = planMotion(problem, { seed: 1 + Math.floor(k / bundled.length) });
    if (trajectory === undefined) continue;
    const written = provedMoveProgram(robot, scene, trajectory, 'growth-distance');
    if (!('text' in written)) throw new Error(`${scene.name}, ${k}: ${written.reason}`);
    const program = moveProgramOf(written.text, 'p.script', robot, scene)!;
    const { report, certify } = movesReport(robot, scene, program, { checker: 'growth-distance', place: 'p' });
    expect(report, `${scene.name}, ${k}`).toMatchObject({ valid: true, faults: [] });
    expect(certify(), `${scene.name}, ${k}`).toBeDefined();
    programs++;
    blends += program.moves.filter(({ radius }) => radius > 0).length;
    const check = createTrajectoryChecker(robot, new World(robot, scene).manager);
    const random = new Random(k + 1);
    const pathOf = (points: readonly (readonly number[])[]) => ({
      jointNames: robot.variables.map(({ name }) => name),
      points: points.map((positions) => ({ positions })),
    });
    const start = startStateOf(robot, scene)!.q;
    const ends = [start, program.moves.at(-1)!.joints!].map((q) => Array.from(q));
    if (!check(pathOf(ends)).valid) refuted++; // without its way points
    const wider = program.moves.map((move) => ({ ...move, radius: WIDER * move.radius }));
    const wideMembers = Array.from({ length: MEMBERS }, () => pathOf(memberOf(robot, start, wider, random)));
    if (wideMembers.some((path) => !check(path).valid)) wide++;
    for (let i = 0; i < MEMBERS; i++, paths++) {
      const checked = check(pathOf(memberOf(robot, start, program.moves, random)));
      expect(checked, `${scene.name}, ${k}, ${i}`).toMatchObject({ valid: true });
    }
  }
  if (process.env.SAMPLED_PROGRAMS) console.log({ programs, blends, paths, refuted, wide });
  expect(programs).toBe(PROGRAMS);
  expect(blends).toBeGreaterThan(1);
  expect(refuted).toBeGreaterThan(0);
  expect(wide).toBeGreaterThan(0);
}, 1e9);
