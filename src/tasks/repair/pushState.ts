import { distanceBetween } from '../../core/math/configuration.ts';
import { JointGradient, PairGradients } from '../../core/optimization/pairGradients.ts';
import type { RepairWorld } from './repairWorld.ts';

/** Maximum number of gradient steps of one state. */
const MAX_STEPS = 24;
/** Longest gradient step, and longest travel of a state: rad or m, L2 over the joints. */
const MAX_STEP = 0.15;
const MAX_TRAVEL = 0.8;
/** Fraction of the margin by which a step aims beyond its target, since the gradient changes along the step. */
const BEYOND = 0.1;
/** Rad or m: states are pushed this far inside the joint limits. */
const INSIDE = 2e-5;

/** Moves states along clearance gradients; contains scratch memory. */
export class StatePusher {
  private readonly gradients: PairGradients;
  private readonly gradient: JointGradient;

  constructor(private readonly world: RepairWorld) {
    this.gradients = new PairGradients(world.manager.posed);
    this.gradient = new JointGradient(world.robot.dof);
  }

  /**
   * Returns the clearance beyond the padding up to `margin`; negative in collision, out of limits, or if a constraint
   * is violated.
   */
  clearance(q: Float64Array, margin: number): number {
    const { world } = this;
    const clearance = world.manager.clearance(q, world.padding + margin).distance - world.padding;
    if (world.isWithinLimits(q) && world.constraints.isSatisfied(q)) return clearance;
    return Math.min(clearance, -margin);
  }

  /**
   * Returns the state moved by a small distance so that its clearance exceeds the padding by `margin`, metres, within
   * limits and constraints: gradient steps on the nearest pair [Khatib86]. Undefined if that fails.
   */
  push(given: Float64Array, margin: number): Float64Array | undefined {
    const { world } = this;
    const { manager, padding, constraints } = world;
    const q = Float64Array.from(given);
    const target = padding + margin;
    for (let step = 0; step < MAX_STEPS; step++) {
      this.clampToLimits(q);
      if (!constraints.isEmpty && !constraints.project(q)) return undefined;
      if (!(distanceBetween(q, given) <= MAX_TRAVEL)) return undefined;
      const { distance: clearance } = manager.clearance(q, target);
      const pair = manager.nearestPair;
      if (clearance >= target || pair < 0) return world.isWithinLimits(q) ? q : undefined;
      this.step(q, pair, target + BEYOND * margin);
    }
    return undefined;
  }

  /** Moves q along the gradient of a pair by the step that gives the distance `target` if the gradient is constant. */
  private step(q: Float64Array, pair: number, target: number): void {
    const { gradients, gradient, world } = this;
    world.manager.posed.pose(q);
    gradients.signedDistanceUnchecked(gradient, pair);
    let squared = 0;
    for (const g of gradient.gradient) squared += g * g;
    if (!(squared > 0)) return;
    const length = Math.min((target - gradient.value) / Math.sqrt(squared), MAX_STEP);
    for (let j = 0; j < q.length; j++) q[j] += (length / Math.sqrt(squared)) * gradient.gradient[j];
  }

  private clampToLimits(q: Float64Array): void {
    const { lower, upper } = this.world.limits;
    for (let j = 0; j < q.length; j++) {
      const inside = Math.min(INSIDE, 0.5 * (upper[j] - lower[j]));
      if (q[j] < lower[j]) q[j] = lower[j] + inside;
      if (q[j] > upper[j]) q[j] = upper[j] - inside;
    }
  }
}
