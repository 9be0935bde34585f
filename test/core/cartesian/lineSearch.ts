import type { CartesianLeg } from '../../../src/core/cartesian/cartesianLeg.ts';
import type { Random } from '../../../src/core/math/random.ts';
import type { ChainOracle } from './chainOracle.ts';
import type { LineWorld } from './lineWorld.ts';

/** Metres of a line between two steps, and radians of its rotation. */
const STEP = { length: 1e-3, angle: 5e-3 };
/** rad: a joint that moves by more between two steps jumps to another solution. */
const MAX_JUMP = 0.1;

/** Search for a joint path along a line, from solutions that are found by iterations from random states. */
export class LineSearch {
  constructor(
    private readonly chain: ChainOracle,
    /** Collisions; default: none. */
    private readonly world?: LineWorld,
  ) {}

  /** Returns the first solution of the start from which the line is feasible. */
  search(leg: CartesianLeg, random: Random, most: number): Float64Array | undefined {
    const { variables, dof } = this.chain.model;
    const known: Float64Array[] = [];
    const isRedundant = dof > 6;
    for (let k = 0; k < most; k++) {
      const q = Float64Array.from(variables, ({ limits: { lower, upper } }) =>
        random.between(Math.max(-Math.PI, lower), Math.min(Math.PI, upper)),
      );
      if (this.chain.correct(q, leg.start, 100, 0.02, 1e-6) > 1e-6) continue;
      for (let j = 0; j < dof; j++) q[j] -= 2 * Math.PI * Math.round(q[j] / (2 * Math.PI));
      if (!isRedundant && known.some((one) => one.every((value, j) => Math.abs(value - q[j]) < 1e-3))) continue;
      known.push(q.slice());
      if (this.isFeasible(q.slice(), leg)) return q;
    }
    return undefined;
  }

  private isFeasible(q: Float64Array, leg: CartesianLeg): boolean {
    const { chain, world } = this;
    const steps = Math.ceil(Math.max(leg.length / STEP.length, leg.angle / STEP.angle));
    const [lowest, highest] = [q.slice(), q.slice()];
    const T = new Float64Array(12);
    for (let k = 0; k <= steps; k++) {
      const before = q.slice();
      leg.poseAt(T, k / steps);
      if (chain.correct(q, T, 8, 1e-6, 1e-9) > 1e-6) return false;
      for (let j = 0; j < q.length; j++) {
        if (k > 0 && Math.abs(q[j] - before[j]) > MAX_JUMP) return false;
        lowest[j] = Math.min(lowest[j], q[j]);
        highest[j] = Math.max(highest[j], q[j]);
      }
      if (!this.fitsLimits(lowest, highest) || world?.collision(q)) return false;
    }
    return true;
  }

  /** True if a shift by full turns puts the range of each joint within its limits. */
  private fitsLimits(lowest: Float64Array, highest: Float64Array): boolean {
    return this.chain.model.variables.every(({ limits: { lower, upper } }, j) =>
      [-2, -1, 0, 1, 2].some(
        (turns) => lowest[j] + 2 * Math.PI * turns >= lower && highest[j] + 2 * Math.PI * turns <= upper,
      ),
    );
  }
}
