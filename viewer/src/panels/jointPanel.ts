import type { Configuration, RobotModel } from 'elbowroom';
import type { PlannedJoint } from 'elbowroom/types';
import { element } from '../dom.ts';

const DEGREES = 180 / Math.PI;

/** Slider and number field of a joint: degrees, or millimetres. */
interface JointControl {
  readonly slider: HTMLInputElement;
  readonly field: HTMLInputElement;
  /** Shown value of 1 rad or 1 m. */
  readonly scale: number;
}

/**
 * A slider and a number field for each planned joint. Sliders end at the limits of the joint, and at half a turn or 1 m
 * where it has none; fields accept any number.
 */
export class JointPanel {
  readonly root: HTMLElement;
  readonly q: Configuration;
  private readonly controls: readonly JointControl[];

  constructor(
    { variables }: RobotModel,
    private readonly onMove: (q: Configuration) => void,
  ) {
    this.q = new Float64Array(variables.length);
    this.controls = variables.map((joint, j) => this.control(joint, j));
    this.root = element(
      'div',
      { class: 'joints' },
      ...variables.flatMap(({ name }, j) => [
        element('label', { htmlFor: `joint-${name}` }, name.replace(/_joint$/, '').replaceAll('_', ' ')),
        this.controls[j].slider,
        this.controls[j].field,
        element('span', { class: 'unit' }, this.controls[j].scale === DEGREES ? '°' : 'mm'),
      ]),
    );
  }

  show(q: ArrayLike<number>): void {
    for (let j = 0; j < this.q.length; j++) {
      this.q[j] = q[j];
      this.write(j);
    }
  }

  private control({ name, type, limits: { lower, upper } }: PlannedJoint, j: number): JointControl {
    const [scale, range] = type === 'prismatic' ? [1000, 1] : [DEGREES, Math.PI];
    const slider = element('input', {
      type: 'range',
      min: String(Number.isFinite(lower) ? lower : -range),
      max: String(Number.isFinite(upper) ? upper : range),
      step: String(0.1 / scale),
      id: `joint-${name}`,
      oninput: () => this.set(j, slider.valueAsNumber),
    });
    const field = element('input', {
      type: 'number',
      step: 'any',
      'aria-label': `${name}, ${type === 'prismatic' ? 'mm' : 'degrees'}`,
      onchange: () => (Number.isNaN(field.valueAsNumber) ? this.write(j) : this.set(j, field.valueAsNumber / scale)),
    });
    return { slider, field, scale };
  }

  private set(j: number, value: number): void {
    this.q[j] = value;
    this.write(j);
    this.onMove(this.q);
  }

  private write(j: number): void {
    const { slider, field, scale } = this.controls[j];
    slider.value = String(this.q[j]);
    const text = (this.q[j] * scale).toFixed(1);
    if (field.value !== text) field.value = text;
  }
}
