import { distanceUnit } from 'elbowroom/collision';
import { Chart, type ChartOptions } from '../chart.ts';
import { element } from '../dom.ts';
import type { KeptPlan } from './keptPlan.ts';

export interface PlansPanelOptions {
  /** Called with the plan that the user opens. */
  readonly onOpen: (plan: KeptPlan) => void;
  /** Called after the user has selected which plans are drawn. */
  readonly onDraw: () => void;
  readonly onRemove: (plan: KeptPlan) => void;
  /** Called when the user selects a time. */
  readonly onChoose: (time: number) => void;
}

/** Kept plans: a list, a table of their figures, and their curves over one time axis. */
export class PlansPanel {
  readonly root = element('div', { class: 'plans', id: 'plans' });
  private charts: readonly Chart[] = [];

  constructor(private readonly options: PlansPanelOptions) {
    this.show([], undefined);
  }

  /** Shows these plans. @param open the one that is replayed */
  show(plans: readonly KeptPlan[], open: KeptPlan | undefined): void {
    if (plans.length === 0) {
      this.charts = [];
      this.root.replaceChildren(
        element(
          'p',
          { class: 'hint' },
          'Each plan of this scene is kept here. Plan with another seed or planner to compare.',
        ),
      );
      return;
    }
    const compared = plans.filter((plan) => plan === open || plan.isOverlaid);
    this.charts = compared.length > 1 ? this.chartsOf(compared) : [];
    this.root.replaceChildren(
      element('ul', { class: 'kept' }, ...plans.map((plan, i) => this.row(plan, i + 1, plan === open))),
      table(plans),
      ...this.charts.map(({ root }) => root),
    );
  }

  showTime(time: number): void {
    for (const chart of this.charts) chart.showTime(time);
  }

  private row(plan: KeptPlan, number: number, isOpen: boolean): HTMLElement {
    const { onOpen, onDraw, onRemove } = this.options;
    const box = element('input', {
      type: 'checkbox',
      checked: isOpen || plan.isOverlaid,
      disabled: isOpen,
      'aria-label': `Draw ${plan.label}`,
      onchange: () => {
        plan.isOverlaid = box.checked;
        onDraw();
      },
    });
    const button = element('button', { type: 'button', onclick: () => onOpen(plan) }, `${number}  ${plan.label}`);
    if (isOpen) button.setAttribute('aria-current', 'true');
    const remove = element(
      'button',
      { type: 'button', 'aria-label': `Remove ${plan.label}`, disabled: isOpen, onclick: () => onRemove(plan) },
      '×',
    );
    return element('li', {}, element('span', { class: `swatch c${plan.color}` }), box, button, remove);
  }

  private chartsOf(plans: readonly KeptPlan[]): Chart[] {
    const { onChoose } = this.options;
    const curves = (points: (plan: KeptPlan) => ChartOptions['curves'][number]['points'] | undefined) =>
      plans.flatMap((plan) => {
        const own = points(plan);
        return own && own.length > 0 ? [{ label: plan.label, color: plan.color, points: own }] : [];
      });
    const range = [
      Math.min(...plans.map(({ replay }) => replay.start)),
      Math.max(...plans.map(({ replay }) => replay.end)),
    ];
    const clearance = curves(({ clearance: samples }) =>
      samples?.map(
        ({ time, obstacles, itself }) => [time, 1000 * Math.min(obstacles.distance, itself.distance)] as const,
      ),
    );
    const charts: Omit<ChartOptions, 'onChoose' | 'range'>[] = [
      { title: 'Clearance', unit: 'mm', curves: clearance, limits: [0] },
      { title: 'Speed of the tool', unit: 'm/s', curves: curves((plan) => plan.curves.toolSpeed) },
      { title: 'Fastest joint', unit: 'of its limit', curves: curves((plan) => plan.curves.fastestJoint), limits: [1] },
    ];
    return charts
      .filter((chart) => chart.curves.length > 0)
      .map((chart) => new Chart({ ...chart, range: range as [number, number], onChoose, alwaysNamed: true }));
  }
}

/** Figures of the plans: a row for each figure, a column for each plan. */
function table(plans: readonly KeptPlan[]): HTMLElement {
  const milliseconds = ({ stats }: KeptPlan) =>
    stats && stats.planning_ms + stats.shortcut_ms + stats.timing_ms + stats.check_ms;
  const least = (kind: 'obstacles' | 'itself') => (plan: KeptPlan) =>
    plan.clearance && Math.min(...plan.clearance.map((sample) => sample[kind].distance));
  const rows: readonly (readonly [string, (plan: KeptPlan) => string | undefined])[] = [
    ['duration, s', ({ trajectory }) => trajectory.points.at(-1)?.time_from_start?.toFixed(3)],
    [`length with blends, ${distanceUnit(plans[0].replay.robot)}`, ({ curves }) => curves.length.toFixed(3)],
    ['tool path, m', ({ curves }) => curves.toolLength.toFixed(3)],
    ['to obstacles, mm', (plan) => millimetres(least('obstacles')(plan))],
    ['to itself, mm', (plan) => millimetres(least('itself')(plan))],
    ['planned in, ms', (plan) => milliseconds(plan)?.toFixed(0)],
    ['waypoints', ({ trajectory }) => String(trajectory.points.length)],
    ['certificate', ({ proof }) => proof],
  ];
  const swatch = ({ color, label }: KeptPlan, i: number) =>
    element('th', { scope: 'col', title: label }, element('span', { class: `swatch c${color}` }), String(i + 1));
  return element(
    'div',
    { class: 'wide', tabIndex: 0, role: 'region', 'aria-label': 'Figures of the plans' },
    element(
      'table',
      {},
      element('thead', {}, element('tr', {}, element('td', {}), ...plans.map(swatch))),
      element(
        'tbody',
        {},
        ...rows.map(([name, textOf]) =>
          element(
            'tr',
            {},
            element('th', { scope: 'row' }, name),
            ...plans.map((plan) => element('td', {}, textOf(plan) ?? '–')),
          ),
        ),
      ),
    ),
  );
}

const millimetres = (distance: number | undefined) =>
  distance === undefined || !Number.isFinite(distance) ? undefined : (1000 * distance).toFixed(1);
