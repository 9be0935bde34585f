import type { Configuration, RobotModel } from 'elbowroom';
import { element, write } from '../dom.ts';

const DEGREES = 180 / Math.PI;

/** A slider for each planned joint, within its limits; continuous joints have one turn. */
export class JointPanel {
  readonly root: HTMLElement;
  private readonly sliders: HTMLInputElement[];
  private readonly values: HTMLOutputElement[];
  private readonly angular: readonly boolean[];
  readonly q: Configuration;

  constructor({ variables }: RobotModel, onMove: (q: Configuration) => void) {
    this.q = new Float64Array(variables.length);
    this.angular = variables.map((joint) => joint.type !== 'prismatic');
    this.values = variables.map(() => element('output', {}));
    this.sliders = variables.map(({ name, limits }, j) =>
      element('input', {
        type: 'range',
        min: String(Math.max(limits.lower, this.angular[j] ? -Math.PI : -1)),
        max: String(Math.min(limits.upper, this.angular[j] ? Math.PI : 1)),
        step: this.angular[j] ? String(0.1 / DEGREES) : '0.0001',
        id: `joint-${name}`,
        oninput: () => {
          this.q[j] = this.sliders[j].valueAsNumber;
          this.write(j);
          onMove(this.q);
        },
      }),
    );
    for (const [j, { limits }] of variables.entries()) {
      if (Number.isFinite(limits.lower)) this.sliders[j].min = String(limits.lower);
      if (Number.isFinite(limits.upper)) this.sliders[j].max = String(limits.upper);
    }
    this.root = element(
      'div',
      { class: 'joints' },
      ...variables.flatMap(({ name }, j) => [
        element('label', { htmlFor: `joint-${name}` }, name.replace(/_joint$/, '').replaceAll('_', ' ')),
        this.sliders[j],
        this.values[j],
      ]),
    );
  }

  show(q: ArrayLike<number>): void {
    for (let j = 0; j < this.q.length; j++) {
      this.q[j] = q[j];
      this.sliders[j].value = String(q[j]);
      this.write(j);
    }
  }

  private write(j: number): void {
    const [value, unit] = this.angular[j] ? [this.q[j] * DEGREES, '°'] : [this.q[j] * 1000, ' mm'];
    write(this.values[j], `${value.toFixed(1)}${unit}`);
  }
}
