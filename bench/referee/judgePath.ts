import { CollisionModel } from '../../src/core/collision/model/collisionModel.ts';
import { CollisionManager } from '../../src/core/collision/states/collisionManager.ts';
import type { Trajectory } from '../../src/core/trajectory/trajectory.ts';
import { trajectoryLength } from '../../src/core/trajectory/trajectoryLength.ts';
import { createTrajectoryChecker } from '../../src/tasks/checking/checkTrajectory.ts';
import { repairTrajectory } from '../../src/tasks/repair/repairTrajectory.ts';
import type { CppPeer } from '../peers/cpp.ts';
import { writeForPeer } from '../peers/cpp.ts';
import type { PeerPath, PeerProblem } from './peerPaths.ts';

/** Rad (L2): distance of the states among which the deepest collision is sought. */
const DEPTH_STEP = 1e-3;

/** Judgement of one path. */
export interface Judgement {
  readonly path: PeerPath;
  readonly verdict: 'proved' | 'refuted' | 'undecided';
  /** Milliseconds of the check, with a scene that is prepared. */
  readonly checkMs: number;
  /** Metres; of a refuted path: penetration depth of the deepest state found. */
  readonly depth?: number;
  /** Whether FCL finds that state in collision. */
  readonly confirmed?: boolean;
  /** Of a path that is not proved: whether it was repaired and proved, length after / before, and time. */
  readonly repaired?: boolean;
  readonly length?: number;
  /** Milliseconds, and milliseconds of CPU time of all threads. */
  readonly repairMs?: number;
  readonly repairCpuMs?: number;
}

/** Judges the paths of one problem by `check`, repairs those that are not proved, and has FCL confirm collisions. */
export function judgePaths(problem: PeerProblem, paths: readonly PeerPath[], fcl: CppPeer): Judgement[] {
  const { robot, scene } = problem;
  const manager = new CollisionManager(new CollisionModel(robot, scene));
  const check = createTrajectoryChecker(robot, manager);
  const deepest: number[][] = [];
  const judged = paths.map((path): Judgement => {
    const trajectory = trajectoryOf(path);
    const begun = performance.now();
    const result = check(trajectory);
    const checkMs = performance.now() - begun;
    if (result.valid) return { path, verdict: 'proved', checkMs };
    const repairs = repairOf(trajectory, problem);
    if (!result.collision) return { path, verdict: 'undecided', checkMs, ...repairs };
    const { from, until } = result.collision;
    const { q, depth } = deepestState(path.waypoints, 0.5 * (from + until), manager);
    deepest.push([...q]);
    return { path, verdict: 'refuted', checkMs, depth, ...repairs };
  });
  if (deepest.length === 0) return judged;
  const states = writeForPeer(`referee-states-${process.pid}.txt`, [deepest.length, ...deepest.flat()]);
  const { free } = fcl.run<{ free: string }>(problem.sceneFile, states, 1);
  let next = 0;
  return judged.map((one) => (one.verdict === 'refuted' ? { ...one, confirmed: free[next++] === '0' } : one));
}

function trajectoryOf({ problem: { robot }, waypoints }: PeerPath): Trajectory {
  return { jointNames: robot.variables.map(({ name }) => name), points: waypoints.map((positions) => ({ positions })) };
}

function repairOf(trajectory: Trajectory, { robot, scene }: PeerProblem) {
  const [begun, used] = [performance.now(), process.cpuUsage()];
  const result = repairTrajectory(trajectory, robot, scene, {}, { clock: () => performance.now() });
  const repairMs = performance.now() - begun;
  const repairCpuMs = process.cpuUsage(used).user / 1000;
  if (result.status !== 'repaired') return { repaired: false, repairMs, repairCpuMs };
  return {
    repaired: true,
    repairMs,
    repairCpuMs,
    length: trajectoryLength(result.trajectory!) / trajectoryLength(trajectory),
  };
}

/** Returns the deepest of states along the path and the state of the collision that the check found. */
function deepestState(path: PeerPath['waypoints'], contact: number, manager: CollisionManager) {
  let deepest: { q: Float64Array; depth: number } = { q: Float64Array.from(path[0]), depth: Number.NEGATIVE_INFINITY };
  const consider = (q: Float64Array) => {
    if (manager.isCollisionFree(q)) return;
    const depth = -manager.clearance(q).distance;
    if (depth > deepest.depth) deepest = { q, depth };
  };
  const between = (k: number, share: number) =>
    Float64Array.from(path[k], (x, j) => x + share * (path[Math.min(k + 1, path.length - 1)][j] - x));
  for (let k = 0; k + 1 < path.length; k++) {
    const steps = Math.ceil(Math.hypot(...path[k].map((x, j) => path[k + 1][j] - x)) / DEPTH_STEP);
    for (let i = 0; i <= steps; i++) consider(between(k, steps > 0 ? i / steps : 0));
  }
  const k = Math.min(Math.floor(contact), path.length - 1);
  consider(between(k, contact - k));
  return deepest;
}
