import type { Motion } from '../../collision/motion.ts';
import type { Configuration } from '../../math/configuration.ts';

/**
 * Several motions at the same time, whose joints follow each other in q: of the planned robot, of moving obstacles and
 * of other robots. Each is evaluated at the time t itself, so that no rounding is added.
 */
export class CombinedMotion implements Motion {
  readonly dof: number;
  readonly terms: Float64Array;
  private readonly scratch: readonly { readonly values: Float64Array; readonly more: Float64Array }[];

  /** @param motions motions that are defined over [start, end] at least */
  constructor(
    readonly start: number,
    readonly end: number,
    private readonly motions: readonly Motion[],
  ) {
    this.dof = motions.reduce((sum, { dof }) => sum + dof, 0);
    this.scratch = motions.map(({ dof }) => ({ values: new Float64Array(dof), more: new Float64Array(dof) }));
    this.terms = new Float64Array(this.dof);
    let at = 0;
    for (const { terms, dof } of motions) {
      if (terms) this.terms.set(terms, at);
      at += dof;
    }
  }

  positionAt(out: Configuration, t: number): void {
    let at = 0;
    for (let i = 0; i < this.motions.length; i++) {
      const { values } = this.scratch[i];
      this.motions[i].positionAt(values, t);
      out.set(values, at);
      at += values.length;
    }
  }

  velocityAt(out: Float64Array, t: number): void {
    let at = 0;
    for (let i = 0; i < this.motions.length; i++) {
      const { values } = this.scratch[i];
      this.motions[i].velocityAt(values, t);
      out.set(values, at);
      at += values.length;
    }
  }

  boundsOver(velocity: Float64Array, acceleration: Float64Array, from: number, to: number): void {
    let at = 0;
    for (let i = 0; i < this.motions.length; i++) {
      const { values, more } = this.scratch[i];
      this.motions[i].boundsOver(values, more, from, to);
      velocity.set(values, at);
      acceleration.set(more, at);
      at += values.length;
    }
  }
}
