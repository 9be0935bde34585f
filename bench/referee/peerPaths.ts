import { CollisionModel } from '../../src/core/collision/model/collisionModel.ts';
import { CollisionManager } from '../../src/core/collision/states/collisionManager.ts';
import type { RobotModel } from '../../src/core/kinematics/robotModel.ts';
import type { Scene } from '../../src/core/scene/scene.ts';
import { resolveStartAndGoals } from '../../src/tasks/planning/startAndGoals.ts';
import { type CppPeer, writeForPeer } from '../peers/cpp.ts';
import { sceneWords } from '../peers/words.ts';

/** OMPL's planners, as bench/peers/cpp/omplReferee.cpp names them. */
export const peerPlanners = ['RRTConnect', 'RRT*', 'PRM*', 'BIT*', 'KPIECE', 'EST'] as const;

/** Steps between the states of an edge, rad (L2); 0: OMPL's default, 1 % of the extent of the space. */
export const peerSteps = { default: 0, '0.02 rad': 0.02 } as const;

/** Limits of one run: states that are checked, and seconds. */
const MOST_STATES = 20_000;
const MOST_SECONDS = 4;

/** A problem whose geometry is the same for the peer: no padding, no constraints. */
export interface PeerProblem {
  readonly name: string;
  readonly scene: Scene;
  readonly robot: RobotModel;
  /** File of the robot and the scene for the programs of bench/peers/cpp. */
  readonly sceneFile: string;
  readonly start: readonly number[];
  readonly goals: readonly (readonly number[])[];
}

/** A final path of a peer: found, simplified, and accepted by the peer's own check. */
export interface PeerPath {
  readonly problem: PeerProblem;
  readonly planner: string;
  readonly step: keyof typeof peerSteps;
  readonly waypoints: readonly (readonly number[])[];
  /** Milliseconds of the search and the simplification. */
  readonly ms: number;
}

/** Number of runs of the peer, those that found a path, and its paths that its own check refuses. */
export interface PeerCounts {
  runs: number;
  solved: number;
  refused: number;
}

/** Returns a problem as the peer reads it; undefined if FCL lacks one of its shapes, or if an end is not valid. */
export function peerProblem(name: string, given: Scene, robot: RobotModel): PeerProblem | undefined {
  const { constraints: _, tcpSpeed: __, ...rest } = given;
  const scene: Scene = { ...rest, padding: 0 };
  const model = new CollisionModel(robot, scene);
  const words = sceneWords(model);
  if (words === undefined || scene.start === undefined) return undefined;
  const ends = resolveStartAndGoals(robot, scene, new CollisionManager(model));
  if ('status' in ends) return undefined;
  const sceneFile = writeForPeer(`referee-scene-${process.pid}.txt`, words);
  return { name, scene, robot, sceneFile, start: [...ends.start], goals: ends.goals.map((q) => [...q]) };
}

/** Runs every planner at every step; returns the paths, and adds to the counts of `planner / step`. */
export function peerPaths(ompl: CppPeer, problem: PeerProblem, runs: number, counts: Map<string, PeerCounts>) {
  const { sceneFile, start, goals } = problem;
  const paths: PeerPath[] = [];
  for (const [step, size] of Object.entries(peerSteps) as [keyof typeof peerSteps, number][]) {
    const words = [size, MOST_STATES, MOST_SECONDS, ...start, goals.length, ...goals.flat()];
    const problemFile = writeForPeer(`referee-problem-${process.pid}.txt`, words);
    for (const planner of peerPlanners) {
      const found = ompl.run<PeerRun[]>(sceneFile, problemFile, planner, runs, 1);
      const key = keyOf(planner, step);
      const count = counts.get(key) ?? { runs: 0, solved: 0, refused: 0 };
      counts.set(key, count);
      count.runs += runs;
      for (const { solved, accepted, path, ms } of found) {
        if (!solved) continue;
        count.solved++;
        if (accepted) paths.push({ problem, planner, step, waypoints: path, ms });
        else count.refused++;
      }
    }
  }
  return paths;
}

/** Key of the counts of a planner at a step. */
export const keyOf = (planner: string, step: string) => `${planner} / ${step}`;

interface PeerRun {
  readonly solved: boolean;
  readonly accepted: boolean;
  readonly ms: number;
  readonly states: number;
  readonly path: readonly (readonly number[])[];
}
