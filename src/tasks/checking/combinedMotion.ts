import type { Motion } from '../../core/collision/motions/motion.ts';
import type { Configuration } from '../../core/math/configuration.ts';

/**
 * Several motions at the same time, whose joints follow each other in q: of the planned robot, of moving obstacles and
 * of other robots. Each is evaluated at the time t itself, so that no rounding is added.
 */
export class CombinedMotion implements Motion {
  readonly dof: number;
  readonly terms: Float64Array;
  /** Scratch for the motions after the first one. */
  private readonly values: Float64Array;
  private readonly more: Float64Array;

  /** @param motions motions that are defined over [start, end] at least */
  constructor(
    readonly start: number,
    readonly end: number,
    private readonly motions: readonly Motion[],
  ) {
    let sum = 0;
    let most = 0;
    for (const { dof } of motions) {
      sum += dof;
      most = Math.max(most, dof);
    }
    this.dof = sum;
    this.values = new Float64Array(most);
    this.more = new Float64Array(most);
    this.terms = new Float64Array(sum);
    let at = 0;
    for (const { terms, dof } of motions) {
      if (terms) this.terms.set(terms, at);
      at += dof;
    }
  }

  positionAt(out: Configuration, t: number): void {
    const { motions, values } = this;
    motions[0].positionAt(out, t); // its joints are the first of `out`
    for (let i = 1, at = motions[0].dof; i < motions.length; i++) {
      motions[i].positionAt(values, t);
      for (let j = 0; j < motions[i].dof; j++) out[at++] = values[j];
    }
  }

  velocityAt(out: Float64Array, t: number): void {
    const { motions, values } = this;
    motions[0].velocityAt(out, t);
    for (let i = 1, at = motions[0].dof; i < motions.length; i++) {
      motions[i].velocityAt(values, t);
      for (let j = 0; j < motions[i].dof; j++) out[at++] = values[j];
    }
  }

  boundsOver(velocity: Float64Array, acceleration: Float64Array, from: number, to: number): void {
    const { motions, values, more } = this;
    motions[0].boundsOver(velocity, acceleration, from, to);
    for (let i = 1, at = motions[0].dof; i < motions.length; i++) {
      motions[i].boundsOver(values, more, from, to);
      for (let j = 0; j < motions[i].dof; j++) {
        velocity[at] = values[j];
        acceleration[at++] = more[j];
      }
    }
  }
}
