import { type Configuration, squaredDistance } from '../../math/configuration.ts';
import type { Interrupt } from '../../math/interrupt.ts';
import { create } from '../../math/transform.ts';
import { jointBeyondLimits } from '../followLeg.ts';
import { selfMotionDirections } from '../selfMotion.ts';
import type { SearchedLeg } from '../selfMotionSearch.ts';
import type { ToolTracker } from '../toolTracker.ts';

/** Length (metres) and angle (radians) of a leg from one layer of the ladder to the next, at density 1. */
const LAYER_LENGTH = 0.04;
const LAYER_ANGLE = 0.15;
const MIN_LAYERS = 4;
/** Configurations kept per layer; half of them are far from each other, the others those of least cost. */
const BEAM = 400;
/** rad or m, L2: step of self-motion, distance of the configurations of a layer; for one self-motion, for several. */
const SINGLE = { step: 0.15, same: 0.1 };
const SEVERAL = { step: 0.35, same: 0.25 };
/** Ratio of the distance of those that are far from each other to that of the others. */
const FAR = 3;
/** Number of steps of self-motion, in both directions, from one layer to the next. */
const SPREAD = 2;
/** rad or m: a joint that moves by more from one layer to the next is taken as a jump to another IK branch. */
const MAX_CHANGE = 0.6;

/** A configuration on a leg, with the one before it on the cheapest path to it. */
interface Vertex {
  readonly q: Configuration;
  readonly before: Vertex | undefined;
  /** Sum of squared changes of the joints of the robot. */
  readonly cost: number;
}

/**
 * Searches the joint paths along consecutive legs: a layer of configurations at equal fractions of each leg, each
 * continued from those of the layer before, and moved along the self-motions of the chain. Returns the configurations
 * at equal fractions of each leg on the path with the least sum of squared joint changes that the beam contains;
 * undefined if none reaches the end.
 * @param sources configurations at the start of the first leg
 * @param joints number of joints, the first ones, whose changes count; free rotations of the tool do not
 * @param density of the layers
 */
export function searchLadder(
  tracker: ToolTracker,
  legs: readonly SearchedLeg[],
  sources: readonly Configuration[],
  joints: number,
  density: number,
  interrupt: Interrupt,
): Configuration[][] | undefined {
  let vertices: Vertex[] = sources.map((q) => ({ q, before: undefined, cost: 0 }));
  const counts: number[] = [];
  for (const searched of legs) {
    const { length, angle } = searched.leg;
    const count = Math.max(MIN_LAYERS, Math.ceil(density * (length / LAYER_LENGTH + angle / LAYER_ANGLE)));
    counts.push(count);
    for (let k = 0; k < count && vertices.length > 0; k++) {
      vertices = new Layer(tracker, searched, joints, [k / count, (k + 1) / count], interrupt).after(vertices);
      if (interrupt()) return undefined;
    }
  }
  const best = vertices.reduce<Vertex | undefined>((a, b) => (a && a.cost <= b.cost ? a : b), undefined);
  if (!best) return undefined;
  const all: Configuration[] = [];
  for (let at: Vertex | undefined = best; at; at = at.before) all.push(at.q);
  all.reverse();
  let first = 0;
  return counts.map((count) => {
    first += count;
    return all.slice(first - count, first + 1);
  });
}

/** The configurations at one fraction of a leg, reached from those at the fraction before. */
class Layer {
  private readonly T_target = create();
  private readonly T_middle = create();

  constructor(
    private readonly tracker: ToolTracker,
    private readonly searched: SearchedLeg,
    private readonly joints: number,
    [from, to]: readonly [number, number],
    private readonly interrupt: Interrupt,
  ) {
    const { leg } = searched;
    leg.poseAt(this.T_target, to);
    leg.poseAt(this.T_middle, 0.5 * (from + to));
  }

  after(before: readonly Vertex[]): Vertex[] {
    let same = SINGLE.same;
    const reached: Vertex[] = [];
    for (const vertex of before) {
      const q = vertex.q.slice();
      if (this.interrupt() || !this.tracker.correct(q, this.T_target)) continue;
      this.add(reached, q, vertex);
      const directions = selfMotionBasis(this.tracker, q);
      if (directions.length > 1) same = SEVERAL.same;
      for (const direction of directions) this.spread(reached, q, direction, vertex);
    }
    reached.sort((a, b) => a.cost - b.cost);
    const kept: Vertex[] = [];
    const known = new Set<Vertex>();
    for (const [radius, most] of [
      [FAR * same, BEAM / 2],
      [same, BEAM],
    ])
      for (const one of reached) {
        if (kept.length >= most || this.interrupt()) break;
        if (known.has(one) || kept.some(({ q }) => squaredDistance(q, one.q) < radius * radius)) continue;
        known.add(one);
        if (this.isEdgeValid(one.before!.q, one.q)) kept.push(one);
      }
    return kept;
  }

  /** Adds the configurations along a self-motion in both directions. */
  private spread(reached: Vertex[], q: Configuration, { rates, step }: SelfMotion, before: Vertex): void {
    for (const sign of [step, -step]) {
      const moved = q.slice();
      for (let i = 0; i < SPREAD; i++) {
        for (let j = 0; j < moved.length; j++) moved[j] += sign * rates[j];
        if (!this.tracker.correct(moved, this.T_target)) break;
        this.add(reached, moved.slice(), before);
      }
    }
  }

  private add(reached: Vertex[], q: Configuration, before: Vertex): void {
    for (let j = 0; j < this.joints; j++) if (!(Math.abs(q[j] - before.q[j]) <= MAX_CHANGE)) return;
    if (jointBeyondLimits(this.tracker, q) !== undefined) return;
    let cost = before.cost;
    for (let j = 0; j < this.joints; j++) cost += (q[j] - before.q[j]) ** 2;
    reached.push({ q, before, cost });
  }

  private isEdgeValid(a: Configuration, b: Configuration): boolean {
    const { tracker, searched } = this;
    const middle = a.map((value, j) => 0.5 * (value + b[j]));
    if (!tracker.correct(middle, this.T_middle) || jointBeyondLimits(tracker, middle) !== undefined) return false;
    return searched.isValid(b) && searched.isValid(middle);
  }
}

/** A self-motion of unit length, and the step along it. */
interface SelfMotion {
  readonly rates: Float64Array;
  readonly step: number;
}

/** Below: a direction depends on others. */
const DEPENDENT = 0.3;

/** Returns nearly orthogonal self-motions that span all. */
function selfMotionBasis(tracker: ToolTracker, q: Configuration): SelfMotion[] {
  const basis: Float64Array[] = [];
  for (const direction of selfMotionDirections(tracker, q)) {
    const rest = direction.slice();
    for (const known of basis) {
      const along = rest.reduce((sum, value, j) => sum + value * known[j], 0);
      for (let j = 0; j < rest.length; j++) rest[j] -= along * known[j];
    }
    const size = Math.sqrt(rest.reduce((sum, value) => sum + value * value, 0));
    if (size > DEPENDENT) basis.push(rest.map((value) => value / size));
  }
  const { step } = basis.length > 1 ? SEVERAL : SINGLE;
  return basis.map((rates) => ({ rates, step }));
}
