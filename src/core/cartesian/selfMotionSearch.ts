import { type Configuration, squaredDistance } from '../math/configuration.ts';
import { type Interrupt, never } from '../math/interrupt.ts';
import { create } from '../math/transform.ts';
import type { CartesianLeg } from './cartesianLeg.ts';
import { jointBeyondLimits } from './followLeg.ts';
import { selfMotionDirections } from './selfMotion.ts';
import type { ToolTracker } from './toolTracker.ts';

/** A leg along which a redundant arm is moved, and the validity of its states. */
export interface SearchedLeg {
  readonly leg: CartesianLeg;
  /** Collisions and constraints of a state; joint limits are checked by the search. */
  readonly isValid: (q: Configuration) => boolean;
}

/** Length (metres) and angle (radians) of a leg from one layer of the graph to the next. */
const LAYER_LENGTH = 0.03;
const LAYER_ANGLE = 0.12;
const MIN_LAYERS = 4;
const MAX_LAYERS = 40;
/** rad, L2: step of self-motion; configurations of a layer that are nearer than SAME are one vertex. */
const STEP = 0.15;
const SAME = 0.1;
/** Number of steps of self-motion, in both directions, from one layer to the next. */
const SPREAD = 2;
/** rad or m: a joint that moves by more from one layer to the next is taken as a jump to another IK branch. */
const MAX_CHANGE = 0.6;
/** Beam width: vertices kept per layer, those of least cost. */
const MAX_VERTICES = 120;

/** A configuration on a leg, with the one before it on the cheapest path to it. */
interface Vertex {
  readonly q: Configuration;
  before: Vertex | undefined;
  /** Sum of squared changes of the joints. */
  cost: number;
}

/**
 * Searches the self-motion of a redundant arm along consecutive legs: beam search in a layered graph. A layer is a
 * fraction of a leg; its vertices are configurations with the tool pose there. Each vertex is continued to the next
 * layer, and moved there along its self-motion. Returns the configurations at equal fractions of each leg on the path
 * with the least sum of squared joint changes that the beam contains; undefined if none reaches the end.
 * @param sources configurations at the start of the first leg
 */
export function searchSelfMotion(
  tracker: ToolTracker,
  legs: readonly SearchedLeg[],
  sources: readonly Configuration[],
  interrupt: Interrupt = never,
): Configuration[][] | undefined {
  let vertices: Vertex[] = sources.map((q) => ({ q, before: undefined, cost: 0 }));
  const counts: number[] = [];
  for (const searched of legs) {
    const count = layersOf(searched.leg);
    counts.push(count);
    for (let k = 0; k < count && vertices.length > 0; k++) {
      if (interrupt()) return undefined;
      vertices = new Layer(tracker, searched, k / count, (k + 1) / count).after(vertices);
    }
  }
  if (vertices.length === 0) return undefined;
  const all: Configuration[] = [];
  for (let at: Vertex | undefined = vertices[0]; at; at = at.before) all.unshift(at.q);
  let first = 0;
  return counts.map((count) => {
    const along = all.slice(first, first + count + 1);
    first += count;
    return along;
  });
}

const layersOf = ({ length, angle }: CartesianLeg) =>
  Math.min(MAX_LAYERS, Math.max(MIN_LAYERS, Math.ceil(length / LAYER_LENGTH + angle / LAYER_ANGLE)));

/** The vertices at one fraction of a leg, reached from those at the fraction before. */
class Layer {
  private readonly vertices: Vertex[] = [];
  private readonly T_target = create();
  private readonly T_middle = create();
  private readonly twist = new Float64Array(6);
  private readonly rates: Float64Array;

  constructor(
    private readonly tracker: ToolTracker,
    private readonly searched: SearchedLeg,
    from: number,
    to: number,
  ) {
    const { leg } = searched;
    leg.poseAt(this.T_target, to);
    leg.poseAt(this.T_middle, 0.5 * (from + to));
    leg.twistAt(this.twist, from);
    for (let i = 0; i < 6; i++) this.twist[i] *= to - from;
    this.rates = new Float64Array(tracker.model.dof);
  }

  /** Returns the vertices of this layer in order of increasing cost. */
  after(before: readonly Vertex[]): Vertex[] {
    const { tracker, twist, rates, T_target, vertices } = this;
    for (const vertex of before) {
      tracker.tangent(rates, vertex.q, twist, Number.POSITIVE_INFINITY);
      const reached = vertex.q.map((value, j) => value + rates[j]);
      if (!tracker.correct(reached, T_target)) continue;
      this.add(reached, vertex);
      for (const direction of selfMotionDirections(tracker, reached))
        for (const sign of [1, -1]) {
          const moved = reached.slice();
          for (let i = 0; i < SPREAD; i++) {
            for (let j = 0; j < moved.length; j++) moved[j] += sign * STEP * direction[j];
            if (!tracker.correct(moved, T_target)) break;
            this.add(moved.slice(), vertex);
          }
        }
    }
    vertices.sort((a, b) => a.cost - b.cost);
    return vertices.slice(0, MAX_VERTICES);
  }

  /** Adds a vertex; if it is known, the cheaper of the edges to it is kept. */
  private add(q: Configuration, before: Vertex): void {
    const { vertices } = this;
    const known = vertices.find((one) => squaredDistance(one.q, q) < SAME * SAME);
    const cost = before.cost + squaredDistance(before.q, known?.q ?? q);
    if (known && known.cost <= cost) return;
    if (!this.isEdgeValid(before.q, known?.q ?? q)) return;
    if (known) {
      known.before = before;
      known.cost = cost;
    } else if (this.isValid(q)) vertices.push({ q, before, cost });
  }

  private isEdgeValid(a: Configuration, b: Configuration): boolean {
    for (let j = 0; j < a.length; j++) if (!(Math.abs(b[j] - a[j]) <= MAX_CHANGE)) return false;
    const middle = a.map((value, j) => 0.5 * (value + b[j]));
    return this.tracker.correct(middle, this.T_middle) && this.isValid(middle);
  }

  private isValid(q: Configuration): boolean {
    return jointBeyondLimits(this.tracker, q) === undefined && this.searched.isValid(q);
  }
}
