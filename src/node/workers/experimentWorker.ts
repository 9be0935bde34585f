import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { workerData } from 'node:worker_threads';
import type { RobotDescription } from '../../kinematics/robotModel.ts';
import type { Scene } from '../../scene/scene.ts';
import { planScene } from '../../tasks/programs/planScene.ts';
import { createSceneRobot, type Problem } from '../../tasks/sceneRobot.ts';
import { trajectoryHash } from '../../trajectory/trajectoryHash.ts';
import type { ExperimentOutcome, ExperimentTask, ExperimentThreadData } from '../experimentTask.ts';

/** Limit of cached problems; sweeps may have a hundred thousand. */
const MAX_PROBLEMS = 64;

const problems = new Map<string, Problem>();
const robots = new Map<string, RobotDescription>();

/** Executes one planning run of an experiment. */
export default function experiment({ problem: hash, settings, seed }: ExperimentTask): ExperimentOutcome {
  const problem = problemOf(hash);
  const begun = performance.now();
  const { iterations, ...options } = settings;
  const answer = planScene(
    problem,
    { ...options, seed, iterations: iterations ?? undefined },
    { clock: () => performance.now() },
  );
  const { stats, reason, cutShort, trajectory } = answer;
  return {
    stats,
    reason,
    cutShort,
    hash: trajectory ? trajectoryHash(trajectory) : null,
    runMs: performance.now() - begun,
  };
}

/** Returns a problem with the robot model of its scene, from an LRU cache. */
function problemOf(hash: string): Problem {
  const known = problems.get(hash) ?? readProblem(hash);
  problems.delete(hash);
  problems.set(hash, known);
  if (problems.size > MAX_PROBLEMS) problems.delete(problems.keys().next().value!);
  return known;
}

function readProblem(hash: string): Problem {
  const { scene, robot: robotHash } = read(hash) as { readonly scene: Scene; readonly robot: string };
  const robot = robots.get(robotHash) ?? (read(robotHash) as RobotDescription);
  robots.set(robotHash, robot);
  return { scene, robot, model: createSceneRobot({ scene, robot }) };
}

const read = (hash: string): unknown =>
  JSON.parse(readFileSync(join((workerData as ExperimentThreadData).folder, `${hash}.json`), 'utf8'));
