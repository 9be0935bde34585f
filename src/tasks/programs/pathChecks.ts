import { cubicPosition, type LegKnot } from '../../core/cartesian/legKnot.ts';
import { ConstraintSet } from '../../core/constraints/constraintSet.ts';
import type { RobotModel } from '../../core/kinematics/robotModel.ts';
import type { Configuration } from '../../core/math/configuration.ts';
import type { Interrupt } from '../../core/math/interrupt.ts';
import { isMotionStep, type StepRules } from '../../core/scene/program.ts';
import type { Scene } from '../../core/scene/scene.ts';
import type { World } from '../world.ts';

/** Why a state of a joint path is invalid. */
export interface StateFault {
  readonly reason: string;
  /** Names of the pair that collides. */
  readonly pair?: readonly [string, string];
}

/** Fraction of a leg to which the first invalid state is located. */
const FRACTION_RESOLUTION = 1e-4;

/** Checks collisions and constraints at the knots of joint paths; the final proof covers the states between them. */
export class PathChecks {
  private readonly sets = new Map<StepRules, ConstraintSet>();
  /**
   * True if a step is blended. Constraints are then not checked at knots, since a blend may leave out a corner that
   * violates one.
   */
  private readonly hasBlends: boolean;

  constructor(
    private readonly robot: RobotModel,
    private readonly scene: Pick<Scene, 'tcp' | 'constraints' | 'steps'>,
    private readonly interrupt: Interrupt,
  ) {
    this.hasBlends = (scene.steps ?? []).some((step) => isMotionStep(step) && step.blend > 0);
  }

  /**
   * Checks the knots of a joint path. Returns the first invalid state, located by bisection of the segment before the
   * first invalid knot; 'interrupted' if the interrupt ended the check, undefined if all knots are valid.
   * @param isStopping true: constraints are checked although steps are blended
   */
  first(
    knots: readonly LegKnot[],
    rules: StepRules,
    world: World,
    isStopping = !this.hasBlends,
  ): (StateFault & { readonly s: number }) | 'interrupted' | undefined {
    const set = isStopping ? this.constraintsOf(rules) : undefined;
    const { manager } = world.still;
    const isValid = validityOf(set, world);
    const hit = knots.findIndex(({ q }) => this.interrupt() || !isValid(q));
    if (hit < 0) return undefined;
    if (this.interrupt()) return 'interrupted';
    const faultAt = (q: Configuration): StateFault | undefined => {
      const pair = manager.firstCollision(q);
      if (pair) return { reason: `${pair.join(' and ')} collide`, pair };
      const labels = set?.violated(q) ?? [];
      return labels.length === 0 ? undefined : { reason: `constraint "${labels.join('", "')}" is violated` };
    };
    const fault = faultAt(knots[hit].q);
    if (!fault) return undefined;
    return hit === 0 ? { s: 0, ...fault } : located(knots[hit - 1], knots[hit], fault, faultAt);
  }

  /** Returns the check of collisions and constraints of states. */
  validity(rules: StepRules, world: World): (q: Configuration) => boolean {
    return validityOf(this.hasBlends ? undefined : this.constraintsOf(rules), world);
  }

  private constraintsOf(rules: StepRules): ConstraintSet | undefined {
    const constraints = [...(this.scene.constraints ?? []), ...rules.constraints];
    if (constraints.length === 0) return undefined;
    const known = this.sets.get(rules);
    if (known) return known;
    const made = new ConstraintSet(this.robot, constraints, this.scene.tcp);
    this.sets.set(rules, made);
    return made;
  }
}

const validityOf =
  (set: ConstraintSet | undefined, { still }: World) =>
  (q: Configuration): boolean =>
    still.manager.isCollisionFree(q) && (set === undefined || set.violated(q).length === 0);

/** Locates the first invalid state in a piece of a joint path by bisection. */
function located(
  before: LegKnot,
  after: LegKnot,
  known: StateFault,
  faultAt: (q: Configuration) => StateFault | undefined,
): StateFault & { readonly s: number } {
  let [low, high, fault] = [before.s, after.s, known];
  while (high - low > FRACTION_RESOLUTION) {
    const middle = 0.5 * (low + high);
    const found = faultAt(cubicPosition(before, after, middle));
    if (found) {
      fault = found;
      high = middle;
    } else low = middle;
  }
  return { ...fault, s: low };
}

/** Returns the s of the point of a joint path that is nearest to a configuration, and the square of the distance. */
export function nearestOnPath(
  knots: readonly LegKnot[],
  q: Configuration,
): { readonly s: number; readonly d2: number } {
  let best = { s: 0, d2: Number.POSITIVE_INFINITY };
  for (let k = 0; k + 1 < knots.length; k++) {
    const [a, b] = [knots[k], knots[k + 1]];
    let along = 0;
    let length2 = 0;
    for (const [j, x] of a.q.entries()) {
      along += (b.q[j] - x) * (q[j] - x);
      length2 += (b.q[j] - x) ** 2;
    }
    const share = length2 > 0 ? Math.min(1, Math.max(0, along / length2)) : 0;
    let d2 = 0;
    for (const [j, x] of a.q.entries()) d2 += (x + share * (b.q[j] - x) - q[j]) ** 2;
    if (d2 < best.d2) best = { s: a.s + share * (b.s - a.s), d2 };
  }
  return best;
}
