import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Random } from '../../src/core/math/random.ts';
import type { Trajectory } from '../../src/core/trajectory/trajectory.ts';
import { trajectoryHash } from '../../src/core/trajectory/trajectoryHash.ts';
import { loadScene } from '../../src/host/node/files.ts';
import { planMotion } from '../../src/tasks/planning/planMotion.ts';
import { checkReport } from '../../src/tasks/reports/checkReport.ts';
import { createSceneRobot } from '../../src/tasks/sceneRobot.ts';
import { StateValidityChecker } from '../../src/tasks/validation/stateValidityChecker.ts';

export const SCENE = 'scenes/table-top.yaml';
const SEEDS = [1, 2, 3];
const STATES = 200;
const MOTIONS = 40;
/** Scenes besides the original one: each has one more sphere, or one more point cloud. */
const VARIANTS = 4;
export const RADIUS = 0.09;
/** Points of a cloud, and the radius of the sphere about each. */
const POINTS = 300;
export const POINT_RADIUS = 0.01;

/** Correct results in one scene. */
export interface Expected {
  /** Position of the sphere or cloud that a session adds; undefined: the scene of the file. */
  readonly xyz?: readonly number[];
  /** Points of the cloud about its position; undefined: a sphere. */
  readonly points?: readonly (readonly number[])[];
  readonly valid: readonly boolean[];
  readonly motionsValid: readonly boolean[];
  /** Hash of the trajectory by index of its seed. */
  readonly hashes: readonly string[];
  /** Whether each of `Oracle.trajectories` passes `check`. */
  readonly passes: readonly boolean[];
}

/** Inputs of the clients, and their correct results. */
export interface Oracle {
  readonly seeds: readonly number[];
  readonly states: readonly (readonly number[])[];
  readonly motions: readonly (readonly (readonly number[])[])[];
  readonly trajectories: readonly object[];
  readonly scenes: readonly Expected[];
}

/** Computes all results in this process, each scene from a file of its own. */
export async function oracleIn(folder: string, seed: number): Promise<Oracle> {
  const random = new Random(seed);
  const original = await sceneOf(folder);
  const { checker } = original;
  const drawn = () => Array.from(checker.lower, (low, i) => random.between(low, checker.upper[i]));
  const states = Array.from({ length: STATES }, drawn);
  const motions = Array.from({ length: MOTIONS }, (_, i) => [
    states[i],
    states[i].map((x) => x + random.between(-0.3, 0.3)),
  ]);
  const planned = [{ scene: original, trajectories: plansIn(original)! }];
  while (planned.length <= VARIANTS) {
    const xyz = [random.between(0.2, 0.8), random.between(-0.6, 0.6), random.between(0.2, 0.9)];
    const points = planned.length % 2 === 1 ? undefined : ballOf(random);
    const scene = await sceneOf(folder, xyz, points);
    const trajectories = plansIn(scene);
    if (trajectories) planned.push({ scene, trajectories });
  }
  const all = planned.flatMap(({ trajectories }) => trajectories);
  const scenes = planned.map(({ scene, trajectories }): Expected => {
    const { loaded, robot } = scene;
    return {
      ...(scene.xyz ? { xyz: scene.xyz } : {}),
      ...(scene.points ? { points: scene.points } : {}),
      valid: states.map((q) => scene.checker.isValid(q)),
      motionsValid: motions.map(([from, to]) => scene.checker.isValidMotion(from, to)),
      hashes: trajectories.map(trajectoryHash),
      passes: all.map(
        (one) => checkReport(robot, loaded.scene, one, { checker: 'growth-distance', place: 'motion' }).report.valid,
      ),
    };
  });
  const raw = all.map(({ jointNames, points, interpolation }) => ({ joint_names: jointNames, points, interpolation }));
  return { seeds: SEEDS, states, motions, trajectories: raw, scenes };
}

type OracleScene = Awaited<ReturnType<typeof sceneOf>>;

/** Returns points within the sphere that other scenes add. */
function ballOf(random: Random): number[][] {
  const points: number[][] = [];
  while (points.length < POINTS) {
    const point = [0, 1, 2].map(() => random.between(-RADIUS, RADIUS));
    if (Math.hypot(...point) < RADIUS - POINT_RADIUS) points.push(point);
  }
  return points;
}

async function sceneOf(folder: string, xyz?: readonly number[], points?: readonly (readonly number[])[]) {
  const lines = readFileSync(SCENE, 'utf8').split('\n');
  const last = lines.findLastIndex((line) => line.startsWith('  - {name:'));
  const shape = points
    ? `type: cloud, radius: ${POINT_RADIUS}, points: ${JSON.stringify(points)}`
    : `type: sphere, radius: ${RADIUS}`;
  if (xyz) lines.splice(last + 1, 0, `  - {name: ball, ${shape}, pose: {xyz: [${xyz}]}}`);
  const path = join(folder, 'table-top.yaml');
  writeFileSync(path, lines.join('\n'));
  const loaded = await loadScene(path);
  const robot = createSceneRobot(loaded);
  return { xyz, points, loaded, robot, checker: new StateValidityChecker(robot, loaded.scene) };
}

/** Plans with every seed; undefined if that is hard: the clients need quick plans. */
function plansIn({ loaded, robot }: OracleScene): Trajectory[] | undefined {
  const found: Trajectory[] = [];
  for (const seed of SEEDS) {
    const problem = { ...loaded, model: robot };
    const { trajectory } = planMotion(problem, { seed, timeLimit: 10, iterations: 2000 }, { clock: () => 0 });
    if (!trajectory) return undefined;
    found.push(trajectory);
  }
  return found;
}
