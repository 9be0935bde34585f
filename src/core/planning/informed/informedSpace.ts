import type { Configuration } from '../../math/configuration.ts';
import type { Random } from '../../math/random.ts';
import type { JointSpace, PlanningProblem } from '../planner.ts';
import { InformedSet } from './informedSet.ts';

/**
 * A joint space that samples the informed set of `length`; distances and interpolation are those of the given space.
 */
export class InformedSpace implements JointSpace {
  readonly dof: number;
  readonly lower: Float64Array;
  readonly upper: Float64Array;
  readonly weights: Float64Array | undefined;
  readonly halfTurns: Float64Array | undefined;
  readonly constraints: JointSpace['constraints'];
  private readonly informed: InformedSet;

  constructor(
    ends: Pick<PlanningProblem, 'start' | 'goals'>,
    private readonly space: JointSpace,
    private readonly length: number,
  ) {
    this.dof = space.dof;
    this.lower = space.lower;
    this.upper = space.upper;
    this.weights = space.weights;
    this.halfTurns = space.halfTurns;
    this.constraints = space.constraints;
    this.informed = new InformedSet({ space, ...ends });
  }

  sample(out: Configuration, random: Random): void {
    this.informed.sample(out, this.length, random);
  }

  distance(a: Configuration, b: Configuration): number {
    return this.space.distance(a, b);
  }

  interpolate(out: Configuration, a: Configuration, b: Configuration, t: number): void {
    this.space.interpolate(out, a, b, t);
  }
}
