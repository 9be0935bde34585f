import { balancedWeights, RobotJointSpace } from '../../core/collision/validators/robotJointSpace.ts';
import { Random } from '../../core/math/random.ts';
import { PI } from '../../core/math/trigonometry.ts';
import { rrtConnect } from '../../core/planning/rrtConnect.ts';
import { alongCurves, shortcutPath, thoroughShortcuts } from '../../core/planning/shortcut.ts';
import { type Arc, lineArc, stateAt, totalDuration } from '../../core/trajectory/retiming/arc.ts';
import { constrainEdges } from '../planning/constrained/constrainedPlanning.ts';
import { type CountingMotions, edgeValidations } from '../planning/edgeValidation.ts';
import { PlanningBudget } from '../planning/stopwatch.ts';
import type { RepairWorld } from './repairWorld.ts';

/** Rad or m: sampling range about the states of the interval, and the range if the local search fails. */
const LOCAL_RANGE = 0.5;
const WIDE_RANGE = PI;
/** Longest edge of a tree, rad (L2); shorter with constraints, since steps are projected onto them. */
const STEP_SIZE = 0.5;
const CONSTRAINED_STEP = 0.25;
/** States of each arc from which the sampling range is computed. */
const SAMPLES = 8;

/** Effort of one search. */
export interface SearchEffort {
  /** Iteration limit of the planner. */
  readonly iterations: number;
  /** False: samples near the interval; true: half a turn and more about it. */
  readonly wide: boolean;
  /** Seed and stream of random numbers. */
  readonly seed: number;
  readonly stream: number;
}

/**
 * Searches a path of straight lines between the ends of an interval, near it: RRT-Connect with certified edges, then
 * shortcuts. Undefined if an end is not valid, or if none is found. The path has the duration of the interval; it is
 * empty if both ends are the same state.
 */
export function searchDetour(world: RepairWorld, arcs: readonly Arc[], effort: SearchEffort): Arc[] | undefined {
  const start = Float64Array.from(arcs[0].from.positions);
  const goal = Float64Array.from(arcs[arcs.length - 1].to.positions);
  if (!world.isStateValid(start) || !world.isStateValid(goal)) return undefined;
  const space = spaceAbout(world, arcs, effort.wide ? WIDE_RANGE : LOCAL_RANGE);
  const motions = edgesOf(world, space);
  const stepSize = world.constraints.isEmpty ? STEP_SIZE : CONSTRAINED_STEP;
  const budget = new PlanningBudget(effort.iterations, world.interrupt, {});
  const problem = { space, motions, start, goals: [goal] };
  const found = rrtConnect.plan(problem, { stepSize }, new Random(effort.seed, 2 * effort.stream), budget);
  if (found.status !== 'solved') return undefined;
  const random = new Random(effort.seed, 2 * effort.stream + 1);
  const lines = alongCurves(found.path, space);
  if (!lines) return undefined;
  const path = shortcutPath(lines, space, motions, random, thoroughShortcuts, world.interrupt);
  return linesAlong(path, totalDuration(arcs));
}

/**
 * Returns the path shortened by certified shortcuts, with the same ends and the duration of the arcs; the arcs
 * themselves if they lead back to their start and shortcuts leave nothing of them.
 */
export function shortenedLines(world: RepairWorld, arcs: readonly Arc[], seed: number): readonly Arc[] {
  const path = [arcs[0].from, ...arcs.map(({ to }) => to)].map(({ positions }) => Float64Array.from(positions));
  const space = spaceAbout(world, arcs, LOCAL_RANGE);
  const motions = edgesOf(world, space);
  const short = shortcutPath(path, space, motions, new Random(seed), thoroughShortcuts, world.interrupt);
  const lines = linesAlong(short, totalDuration(arcs));
  return lines.length > 0 ? lines : arcs;
}

/** Returns the joint space without full turns: joint values of a trajectory are continuous. */
function spaceAbout({ robot, scene, limits }: RepairWorld, arcs: readonly Arc[], range: number) {
  const space = new RobotJointSpace(robot, { weights: { ...balancedWeights(robot), ...scene.weights } });
  space.lower.fill(Number.POSITIVE_INFINITY);
  space.upper.fill(Number.NEGATIVE_INFINITY);
  for (const arc of arcs) {
    for (let i = 0; i <= SAMPLES; i++) {
      const { positions } = stateAt(arc, (i / SAMPLES) * arc.duration);
      for (const [j, x] of positions.entries()) {
        space.lower[j] = Math.min(space.lower[j], x - range);
        space.upper[j] = Math.max(space.upper[j], x + range);
      }
    }
  }
  for (let j = 0; j < space.dof; j++) {
    space.lower[j] = Math.max(space.lower[j], limits.lower[j]);
    space.upper[j] = Math.min(space.upper[j], limits.upper[j]);
  }
  return space;
}

/** Restricts the space to the constraints, and returns the validation of its edges. */
function edgesOf({ manager, constraints, interrupt }: RepairWorld, space: RobotJointSpace): CountingMotions {
  const motions = edgeValidations.certified.create(manager, space, 0, interrupt);
  return constraints.isEmpty ? motions : constrainEdges(space, constraints)(motions);
}

/** Returns the lines between the states of a path, at equal speed. */
function linesAlong(path: readonly Float64Array[], duration: number): Arc[] {
  const lengths = path.slice(1).map((q, i) => lengthBetween(path[i], q));
  const total = lengths.reduce((sum, length) => sum + length, 0);
  return lengths.flatMap((length, i) =>
    length > 0
      ? [lineArc(Array.from(path[i]), Array.from(path[i + 1]), (length / total) * duration, { mutable: true })]
      : [],
  );
}

const lengthBetween = (a: Float64Array, b: Float64Array) =>
  Math.sqrt(a.reduce((sum, x, j) => sum + (x - b[j]) ** 2, 0));
