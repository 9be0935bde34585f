import { hasMoving, planDefaults, planners, type Scene } from 'elbowroom';
import type { PlannerName } from 'elbowroom/collision';
import { element } from '../dom.ts';

export interface PlanChoice {
  readonly seed: number;
  readonly planner: PlannerName;
}

interface PlanPanelOptions {
  readonly scene: Scene;
  readonly onPlan: () => void;
  readonly onEnd: (end: 'start' | 'goal') => void;
}

/** Panel of a planning request: start, goal, planner, seed. */
export class PlanPanel {
  readonly root: HTMLElement;
  readonly status = element('p', { class: 'status', role: 'status' });
  private readonly button: HTMLButtonElement;
  private readonly seed: HTMLInputElement;
  private readonly planner: HTMLSelectElement;

  /** Programs have no goal, and only the default planner works among moving objects. */
  constructor({ scene, onPlan, onEnd }: PlanPanelOptions) {
    const ends = scene.steps === undefined ? (['start', 'goal'] as const) : (['start'] as const);
    this.seed = element('input', { type: 'number', min: '0', step: '1', value: String(planDefaults.seed), id: 'seed' });
    this.planner = element('select', { id: 'planner' });
    for (const [name, { summary }] of Object.entries(planners)) {
      if (hasMoving(scene) && name !== planDefaults.planner) continue;
      this.planner.append(
        element('option', { value: name, title: summary, selected: name === planDefaults.planner }, name),
      );
    }
    this.button = element('button', { type: 'button', class: 'main', id: 'plan', onclick: onPlan }, 'Plan');
    this.root = element(
      'div',
      { class: 'plan' },
      element(
        'div',
        { class: 'ends' },
        ...ends.map((end) =>
          element(
            'button',
            { type: 'button', onclick: () => onEnd(end) },
            end === 'start' ? 'Start here' : 'Goal here',
          ),
        ),
      ),
      element('label', { htmlFor: 'planner' }, 'planner'),
      this.planner,
      element('label', { htmlFor: 'seed' }, 'seed'),
      this.seed,
      this.button,
      this.status,
    );
  }

  get choice(): PlanChoice {
    const seed = this.seed.valueAsNumber;
    const planner = this.planner.value as PlannerName; // its options are the keys of `planners`
    return { seed: Number.isSafeInteger(seed) && seed >= 0 ? seed : planDefaults.seed, planner };
  }

  choose({ seed, planner }: { readonly seed?: number | undefined; readonly planner?: string | undefined }): void {
    if (seed !== undefined) this.seed.value = String(seed);
    const isOffered = [...this.planner.options].some(({ value }) => value === planner);
    if (planner !== undefined && isOffered) this.planner.value = planner;
  }

  busy(busy: boolean): void {
    this.button.disabled = busy;
    if (busy) this.status.textContent = 'Planning …';
  }
}
