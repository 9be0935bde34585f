import { hasMoving, planDefaults, planners, type Scene } from 'elbowroom';
import type { PlannerName } from 'elbowroom/collision';
import { element } from '../dom.ts';

export interface PlanChoice {
  readonly seed: number;
  readonly planner: PlannerName;
  /** Seconds. */
  readonly timeLimit: number;
}

interface PlanPanelOptions {
  readonly scene: Scene;
  readonly onPlan: () => void;
  readonly onCancel: () => void;
  readonly onEnd: (end: 'start' | 'goal') => void;
}

/** Time between two states of the progress bar, milliseconds. */
const TICK = 200;

/** Panel of a planning request: start, goal, planner, seed, time limit, and how far the search is. */
export class PlanPanel {
  readonly root: HTMLElement;
  readonly status = element('p', { class: 'status', role: 'status' });
  private readonly button: HTMLButtonElement;
  private readonly seed: HTMLInputElement;
  private readonly planner: HTMLSelectElement;
  private readonly limit: HTMLInputElement;
  private readonly cancel: HTMLButtonElement;
  private readonly progress = element('progress', { 'aria-label': 'Planning time', hidden: true });
  private ticking: ReturnType<typeof setInterval> | undefined;

  /** Programs have no goal, and only the default planner works among moving objects. */
  constructor({ scene, onPlan, onCancel, onEnd }: PlanPanelOptions) {
    const ends = scene.steps === undefined ? (['start', 'goal'] as const) : (['start'] as const);
    this.seed = element('input', { type: 'number', min: '0', step: '1', value: String(planDefaults.seed), id: 'seed' });
    this.planner = element('select', { id: 'planner' });
    for (const [name, { summary }] of Object.entries(planners)) {
      if (hasMoving(scene) && name !== planDefaults.planner) continue;
      this.planner.append(
        element('option', { value: name, title: summary, selected: name === planDefaults.planner }, name),
      );
    }
    const seconds = String(planDefaults.timeLimit);
    this.limit = element('input', { type: 'number', min: '0.1', step: 'any', value: seconds, id: 'time-limit' });
    this.button = element('button', { type: 'button', class: 'main', id: 'plan', onclick: onPlan }, 'Plan');
    this.cancel = element('button', { type: 'button', id: 'cancel', onclick: onCancel, hidden: true }, 'Cancel');
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
      element('label', { htmlFor: 'time-limit' }, 'limit, s'),
      this.limit,
      this.button,
      this.cancel,
      this.progress,
      this.status,
    );
  }

  get choice(): PlanChoice {
    const seed = this.seed.valueAsNumber;
    const planner = this.planner.value as PlannerName; // its options are the keys of `planners`
    const limit = this.limit.valueAsNumber;
    return {
      seed: Number.isSafeInteger(seed) && seed >= 0 ? seed : planDefaults.seed,
      planner,
      timeLimit: limit > 0 ? limit : planDefaults.timeLimit,
    };
  }

  choose({ seed, planner }: { readonly seed?: number | undefined; readonly planner?: string | undefined }): void {
    if (seed !== undefined) this.seed.value = String(seed);
    const isOffered = [...this.planner.options].some(({ value }) => value === planner);
    if (planner !== undefined && isOffered) this.planner.value = planner;
  }

  /** Shows that a search runs, and for how long; its button cancels it. */
  busy(busy: boolean): void {
    this.button.disabled = busy;
    this.cancel.hidden = !busy;
    this.progress.hidden = !busy;
    clearInterval(this.ticking);
    if (!busy) return;
    this.status.textContent = 'Planning …';
    const began = performance.now();
    this.progress.max = this.choice.timeLimit;
    this.progress.value = 0;
    this.ticking = setInterval(() => {
      this.progress.value = (performance.now() - began) / 1e3;
    }, TICK);
  }
}
