import type { SplitClearance } from 'elbowroom/types';
import { Chart } from '../chart.ts';
import { element, write } from '../dom.ts';

const LABELS = { obstacles: 'to obstacles', itself: 'to itself' } as const;
const KINDS = ['obstacles', 'itself'] as const;

/** Returns a distance with the pair that limits it, for obstacles and for the robot itself. */
export function clearanceLabels(clearance: SplitClearance): string[] {
  return KINDS.flatMap((kind) => {
    const { distance, pair } = clearance[kind];
    return pair ? [`${(1000 * distance).toFixed(1)} mm ${LABELS[kind]}: ${pair.join(' and ')}`] : [];
  });
}

/** Clearance of a motion to obstacles and to itself over time, with the padding, and the limiting pairs at a time. */
export class ClearancePanel {
  readonly root: HTMLElement;
  private readonly chart: Chart;
  private readonly now = element('p', { class: 'hint', id: 'limiting-pairs' });

  constructor(
    private readonly samples: readonly SplitClearance[],
    /** Padding of the scene, metres: what is nearer is not valid. */
    padding: number,
    onChoose: (time: number) => void,
  ) {
    const shown = KINDS.filter((kind) => samples.some((sample) => sample[kind].pair !== undefined));
    const curves = shown.map((kind) => ({
      label: LABELS[kind],
      points: samples.map((sample): [number, number] => [sample.time, 1000 * sample[kind].distance]),
    }));
    const levels = padding > 0 ? [{ value: 1000 * padding, label: `padding ${1000 * padding} mm` }] : [];
    this.chart = new Chart({
      title: 'Clearance',
      unit: 'mm',
      curves,
      limits: [0],
      levels,
      onChoose,
      alwaysNamed: true,
    });
    const least = shown.map((kind) => {
      const best = samples.reduce((found, sample) => (sample[kind].distance < found[kind].distance ? sample : found));
      const { distance, pair } = best[kind];
      const text = `${LABELS[kind]} ${(1000 * distance).toFixed(1)} mm at ${best.time.toFixed(2)}: `;
      return element('li', {}, text, pair!.join(' and '));
    });
    this.root = element(
      'div',
      { id: 'clearance' },
      this.chart.root,
      this.now,
      element('p', { class: 'hint' }, `Minimum of ${samples.length} samples:`),
      element('ul', { class: 'reasons' }, ...least),
    );
    this.showTime(samples[0].time);
  }

  /** @param isDue whether the text is updated, too */
  showTime(time: number, isDue = true): void {
    this.chart.showTime(time);
    if (!isDue) return;
    const { samples } = this;
    const last = samples.length - 1;
    const share = (time - samples[0].time) / (samples[last].time - samples[0].time || 1);
    const sample = samples[Math.min(last, Math.max(0, Math.round(share * last)))];
    write(this.now, `At ${sample.time.toFixed(2)}: ${clearanceLabels(sample).join('; ')}.`);
  }
}
