import type { SettlingData } from 'elbowroom/types';
import { Chart } from '../chart.ts';
import { element } from '../dom.ts';

/** Outcome of a simulation of free objects, with energy and deepest overlap over time. */
export class FallPanel {
  readonly root: HTMLElement;
  private readonly charts: readonly Chart[];

  constructor({ summary, atRest, energy, overlap }: SettlingData, onChoose: (time: number) => void) {
    this.charts = [
      new Chart({ title: 'Energy', unit: 'J', curves: [{ label: 'energy', points: energy }], onChoose }),
      new Chart({
        title: 'Deepest overlap',
        unit: 'mm',
        curves: [{ label: 'overlap', points: overlap.map(([time, depth]): [number, number] => [time, 1000 * depth]) }],
        limits: [0.1],
        onChoose,
      }),
    ];
    const state = element('strong', { class: atRest ? 'good' : 'bad' }, atRest ? 'At rest' : 'Not at rest');
    this.root = element(
      'div',
      { class: 'report', id: 'fall' },
      element('p', { class: 'proof', role: 'status' }, state, `: ${summary.replace(/^at rest /, '')}.`),
      ...this.charts.map((chart) => chart.root),
      element(
        'p',
        { class: 'hint' },
        'Energy: kinetic and potential, relative to the origin of the world. Overlap: of the contacts of the ' +
          'simulation; at rest at most 0.1 mm, proved.',
      ),
    );
  }

  showTime(time: number): void {
    for (const chart of this.charts) chart.showTime(time);
  }
}
