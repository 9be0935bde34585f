import type { Configuration } from '../../math/configuration.ts';
import type { Random } from '../../math/random.ts';
import { sinCos, TWO_PI } from '../../math/trigonometry.ts';

/**
 * Uniform samples of the unit ball, without logarithms and without rejection. On a sphere in even dimension the squared
 * lengths of coordinate pairs are distributed like the spacings of sorted uniform numbers, and their angles are
 * uniform; removing a coordinate and normalizing keeps directions uniform [Devroye86 §V.2, V.4]. The radius U^(1/n) is
 * the maximum of n uniform numbers.
 */
export class UnitBall {
  private readonly cuts: Float64Array;
  private readonly angle = new Float64Array(2);

  constructor(private readonly dof: number) {
    this.cuts = new Float64Array(Math.ceil(dof / 2) - 1);
  }

  sample(out: Configuration, random: Random): void {
    const { dof, cuts, angle } = this;
    for (let i = 0; i < cuts.length; i++) cuts[i] = random.next();
    cuts.sort();
    let square = 0;
    for (let pair = 0; pair <= cuts.length; pair++) {
      const length = Math.sqrt((pair < cuts.length ? cuts[pair] : 1) - (pair > 0 ? cuts[pair - 1] : 0));
      sinCos(angle, TWO_PI * random.next());
      for (let side = 0; side < 2 && 2 * pair + side < dof; side++) {
        const value = length * angle[side];
        out[2 * pair + side] = value;
        square += value * value;
      }
    }
    let radius = 0;
    for (let i = 0; i < dof; i++) radius = Math.max(radius, random.next());
    const scale = square > 0 ? radius / Math.sqrt(square) : 0;
    for (let i = 0; i < dof; i++) out[i] *= scale;
  }
}
