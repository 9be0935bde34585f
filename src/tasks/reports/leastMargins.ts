import { Separation } from '../../core/narrowphase/solver.ts';
import { clearanceLabel, isSamePair, type PairClearance } from '../../core/scene/clearances.ts';
import { inJointOrder, type Trajectory } from '../../core/trajectory/trajectory.ts';
import { TrajectoryCurve } from '../../core/trajectory/trajectoryCurve.ts';
import { constraintMargins } from '../checking/constraintProfile.ts';
import { timelineOf, type WorldInterval } from '../timeline.ts';
import type { World } from '../world.ts';

/** Instants per second at which margins are evaluated first, and least number of them. */
const RATE = 500;
const MIN_SAMPLES = 200;
/** Number of the smallest minima that are refined, and steps of each search. */
const REFINED = 4;
const STEPS = 40;
const GOLDEN = 0.381966011250105;

/**
 * Returns the least margin of each constraint and of each clearance along a trajectory, in the unit of the limit:
 * negative if it is violated. Found by sampling and by refining the smallest minima; the proofs of limits do not
 * depend on it.
 */
export function leastMargins(world: World, given: Trajectory): Record<string, number> {
  const { robot, scene } = world;
  const out: Record<string, number> = {};
  const add = (label: string, margin: (time: number) => number, from: number, to: number) => {
    const least = leastOf(margin, from, to);
    if (least < (Object.hasOwn(out, label) ? out[label] : Number.POSITIVE_INFINITY)) out[label] = least;
  };
  for (const { label, margin, from, to } of constraintMargins(robot, scene, given)) add(label, margin, from, to);
  const { clearances = [] } = scene;
  if (clearances.length === 0) return out;
  const trajectory = inJointOrder(
    given,
    robot.variables.map(({ name }) => name),
  );
  const curve = new TrajectoryCurve(trajectory);
  for (const interval of timelineOf(world, trajectory, curve))
    for (const clearance of clearances) {
      const margin = clearanceMargin(interval, curve, clearance);
      if (margin) add(clearanceLabel(clearance), margin, interval.from, interval.to);
    }
  return out;
}

/** Returns the margin of a clearance as a function of time; undefined if the pair does not exist in an interval. */
function clearanceMargin({ world }: WorldInterval, curve: TrajectoryCurve, clearance: PairClearance) {
  const { manager, model } = world;
  const pairs = Array.from({ length: model.pairCount }, (_, pair) => pair).filter((pair) => {
    const [a, b] = model.namesOf(pair);
    return model.isEnlarged(pair) && isSamePair({ a, b }, clearance);
  });
  if (pairs.length === 0) return undefined;
  const found = new Separation();
  const q = new Float64Array(curve.dof);
  return (time: number) => {
    curve.position(q, Math.min(curve.end, Math.max(curve.start, time)));
    manager.posed.pose(world.stateAt(q, time));
    return Math.min(...pairs.map((pair) => manager.pairSeparation(found, pair))) - model.scene.padding;
  };
}

/** Returns the least value of a function that is found in an interval. */
function leastOf(valueAt: (time: number) => number, from: number, to: number): number {
  if (!(to > from)) return valueAt(from);
  const count = Math.max(MIN_SAMPLES, Math.ceil((to - from) * RATE));
  const at = (i: number) => from + ((to - from) * i) / count;
  const values = Float64Array.from({ length: count + 1 }, (_, i) => valueAt(at(i)));
  const minima = Array.from(values.keys())
    .filter((i) => !(values[i] > values[i - 1]) && !(values[i] > values[i + 1]))
    .sort((i, k) => values[i] - values[k]);
  let least = values.reduce((a, b) => Math.min(a, b));
  for (const i of minima.slice(0, REFINED)) {
    let [low, high] = [at(Math.max(0, i - 1)), at(Math.min(count, i + 1))];
    for (let n = 0; n < STEPS; n++) {
      const [a, b] = [low + GOLDEN * (high - low), high - GOLDEN * (high - low)];
      const [atA, atB] = [valueAt(a), valueAt(b)];
      least = Math.min(least, atA, atB);
      if (atA < atB) high = b;
      else low = a;
    }
  }
  return least;
}
