import { CollisionModel } from '../src/core/collision/model/collisionModel.ts';
import { CollisionManager } from '../src/core/collision/states/collisionManager.ts';
import type { RobotModel } from '../src/core/kinematics/robotModel.ts';
import type { Configuration } from '../src/core/math/configuration.ts';
import { Random } from '../src/core/math/random.ts';
import { unwrappedPath } from '../src/core/planning/metric.ts';
import { rrtConnect } from '../src/core/planning/rrtConnect.ts';
import { shortcutPath, thoroughShortcuts } from '../src/core/planning/shortcut.ts';
import { hasMoving } from '../src/core/scene/movingScene.ts';
import type { Scene } from '../src/core/scene/scene.ts';
import { durationOf, type Trajectory } from '../src/core/trajectory/trajectory.ts';
import { trajectoryLength } from '../src/core/trajectory/trajectoryLength.ts';
import { edgeValidations } from '../src/tasks/planning/edgeValidation.ts';
import { planMotion } from '../src/tasks/planning/planMotion.ts';
import { planningSpace, wrapStartAndGoals } from '../src/tasks/planning/planningSpace.ts';
import { resolveStartAndGoals } from '../src/tasks/planning/startAndGoals.ts';
import { repairTrajectory } from '../src/tasks/repair/repairTrajectory.ts';
import type { Problem } from '../src/tasks/sceneRobot.ts';
import { quantile, type Table } from './measure.ts';
import { bundledScenes } from './scenes.ts';

export const about = 'repair of trajectories with hidden collisions, grazes, gaps and excessive speeds';

const SEEDS = 6;
/** Rad (L2): step of the sampled edge validation that misses collisions. */
const COARSE_STEP = 0.1;
/** Metres: growth of the padding that turns a near miss into a graze. */
const GRAZE = 0.003;
/** Rad (L2): distance of the points of a path of which some are left out. */
const POINT_STEP = 0.1;
/** Pace at which a motion is run too fast. */
const TOO_FAST = 1.3;

/** A trajectory to repair, in a scene in which its ends are valid. */
interface Case {
  readonly scene: Scene;
  readonly trajectory: Trajectory;
}

type ModeledProblem = Problem & { readonly model: RobotModel };

/** Kinds of bad trajectories: each from one scene and seed; undefined if it does not apply. */
const kinds: Readonly<Record<string, (problem: ModeledProblem, seed: number) => Case | undefined>> = {
  'straight line': (problem, seed) => (seed === 1 ? straightLine(problem) : undefined),
  'sampled edges': (problem, seed) => sampledPath(problem, seed),
  'graze, path': (problem, seed) => grazed(problem, seed, false),
  'graze, timed': (problem, seed) => grazed(problem, seed, true),
  'points left out': (problem, seed) => withGap(problem, seed),
  'too fast': (problem, seed) => tooFast(problem, seed),
  'sampled, timed, too fast': (problem, seed) => tooFast(problem, seed, sampledPath(problem, seed)),
};

/** Repairs the trajectories of each kind over all bundled scenes. */
export async function* run(): AsyncGenerator<Table> {
  const scenes = (await bundledScenes())
    .filter(({ scene }) => !hasMoving(scene))
    .map(({ scene, robot: model }) => ({ scene, robot: model.description, model }));
  const rows = Object.entries(kinds).map(([kind, make]) => rowOf(kind, make, scenes));
  yield {
    title: `repair: ${SEEDS} seeds of ${scenes.length} scenes`,
    rows,
    notes: [
      'refuted: trajectories that check refuses, of those made; length, duration: after / before, without those ' +
        'that failed',
      `sampled edges: RRT-Connect and shortcuts that check states ${COARSE_STEP} rad apart`,
      `graze: planned, then judged with ${1000 * GRAZE} mm more padding`,
    ],
  };
}

function rowOf(kind: string, make: (typeof kinds)[string], scenes: readonly ModeledProblem[]) {
  const [lengths, durations, times]: number[][] = [[], [], []];
  let [made, refuted] = [0, 0];
  for (const problem of scenes) {
    const { model } = problem;
    for (let seed = 1; seed <= SEEDS; seed++) {
      const one = make(problem, seed);
      if (one === undefined) continue;
      made++;
      const start = performance.now();
      const result = repairTrajectory(one.trajectory, model, one.scene, {}, { clock: () => performance.now() });
      if (result.status === 'good') continue;
      times.push(performance.now() - start);
      refuted++;
      if (result.trajectory !== undefined) {
        lengths.push(trajectoryLength(result.trajectory) / trajectoryLength(one.trajectory));
        durations.push((durationOf(result.trajectory) ?? 0) / (durationOf(one.trajectory) ?? 1));
      }
    }
  }
  const figures = (name: string, values: number[]) => ({
    [`${name}, median`]: quantile(values, 0.5),
    [`${name}, 95 %`]: quantile(values, 0.95),
  });
  return {
    kind,
    made,
    refuted,
    repaired: refuted === 0 ? '–' : lengths.length / refuted,
    ...figures('length', lengths),
    'duration, median': durations[0] > 0 ? quantile(durations, 0.5) : '–',
    ...figures('ms', times),
  };
}

function straightLine({ scene, robot, model }: ModeledProblem): Case | undefined {
  const found = endsOf({ scene, robot, model });
  if (found === undefined) return undefined;
  return { scene, trajectory: pathOf(model.variables, [found.start, found.goals[0]]) };
}

/** Returns the path of a planner whose edges are sampled coarsely, and never proved. */
function sampledPath(problem: ModeledProblem, seed: number): Case | undefined {
  const found = endsOf(problem);
  if (found === undefined || problem.scene.constraints !== undefined) return undefined;
  const { scene, model } = problem;
  const space = planningSpace(model, scene.weights);
  const ends = wrapStartAndGoals(space, found);
  const motions = edgeValidations.sampled.create(found.manager, space, COARSE_STEP);
  let iterations = 0;
  const budget = { isSpent: () => iterations++ > 20_000 };
  const result = rrtConnect.plan({ space, motions, ...ends }, { stepSize: 0.75 }, new Random(seed, 0), budget);
  if (result.status !== 'solved') return undefined;
  const path = shortcutPath(result.path, space, motions, new Random(seed, 1), thoroughShortcuts);
  return { scene, trajectory: pathOf(model.variables, unwrappedPath(path, space, found.start)) };
}

/** Returns a motion planned in the scene, with the scene with more padding. */
function grazed(problem: ModeledProblem, seed: number, timing: boolean): Case | undefined {
  const { trajectory } = planMotion(problem, { seed, timing });
  const scene = { ...problem.scene, padding: problem.scene.padding + GRAZE };
  const manager = new CollisionManager(new CollisionModel(problem.model, scene));
  const isValid = (i: number) => manager.isCollisionFree(Float64Array.from(trajectory!.points.at(i)!.positions));
  return trajectory && isValid(0) && isValid(-1) ? { scene, trajectory } : undefined;
}

/** Returns a planned path with points every `POINT_STEP`, without those of a third of its length. */
function withGap(problem: ModeledProblem, seed: number): Case | undefined {
  const { trajectory } = planMotion(problem, { seed, timing: false });
  if (trajectory === undefined) return undefined;
  const points = trajectory.points.flatMap(({ positions: q }, i) => {
    const from = trajectory.points[i - 1]?.positions;
    if (from === undefined) return [{ positions: q }];
    const count = Math.max(1, Math.ceil(Math.hypot(...q.map((x, j) => x - from[j])) / POINT_STEP));
    return Array.from({ length: count }, (_, k) => ({
      positions: q.map((x, j) => (k === count - 1 ? x : from[j] + ((k + 1) / count) * (x - from[j]))),
    }));
  });
  const gap = Math.floor(points.length / 3);
  const first = 1 + new Random(seed).below(Math.max(1, points.length - gap - 2));
  return { scene: problem.scene, trajectory: { ...trajectory, points: points.toSpliced(first, gap) } };
}

/** Returns a motion that exceeds its limits: a planned one, or straight lines at constant speed. */
function tooFast(problem: ModeledProblem, seed: number, sampled?: Case): Case | undefined {
  if (sampled) {
    const points = sampled.trajectory.points.map((point, i) => ({ ...point, time_from_start: i / TOO_FAST }));
    return { ...sampled, trajectory: { ...sampled.trajectory, points } };
  }
  const { trajectory } = planMotion(problem, { seed });
  if (trajectory === undefined) return undefined;
  const points = trajectory.points.map(({ time_from_start: t, positions, velocities }) => ({
    time_from_start: t! / TOO_FAST,
    positions,
    velocities: velocities!.map((v) => v * TOO_FAST),
  }));
  return { scene: problem.scene, trajectory: { ...trajectory, points } };
}

function endsOf({ scene, model }: ModeledProblem) {
  const manager = new CollisionManager(new CollisionModel(model, scene));
  const found = resolveStartAndGoals(model, scene, manager);
  return found === undefined || 'status' in found ? undefined : { ...found, manager };
}

function pathOf(joints: readonly { readonly name: string }[], path: readonly Configuration[]): Trajectory {
  return { jointNames: joints.map(({ name }) => name), points: path.map((q) => ({ positions: Array.from(q) })) };
}
