import type { Step, Trajectory } from 'elbowroom';
import { element } from '../dom.ts';
import type { SceneDocument } from '../editing/sceneDocument.ts';
import type { StepContext } from '../editing/stepForm.ts';
import { stepRowTools, stepTools } from '../editing/stepTools.ts';

/** What a step does, in a few words. */
function describe(step: Step): string {
  if (step.kind === 'attach' || step.kind === 'detach') return `${step.kind} ${step.object}`;
  if (step.kind === 'wait' && step.moves) {
    const { joints, values } = step.moves;
    const { joints: _joints, time: _time, ...others } = values as Readonly<Record<string, unknown>>;
    const moved = Object.entries(joints).map(([name, value]) => `${name} to ${value}`);
    const all = Object.keys(others).length === 0 ? moved : [...moved, valuesText(others)];
    return `set ${step.name ?? all.join(', ')}`;
  }
  if (step.kind === 'wait') return `wait ${step.duration} s`;
  if (step.kind === 'set') return `set ${valuesText(step.values)}`;
  if (step.kind === 'allow' || step.kind === 'forbid')
    return `${step.kind} ${step.pairs.map((pair) => pair.join(' – ')).join(', ')}`;
  return step.name === undefined ? step.kind : `${step.kind}: ${step.name}`;
}

/** The steps of a program with their times; a click on one goes to its beginning. */
export class StepPanel {
  readonly root: HTMLElement;
  private readonly list = element('ol', {
    class: 'steps',
    id: 'steps',
    tabIndex: 0,
    'aria-label': 'Steps of the program',
  });
  private readonly buttons: readonly HTMLButtonElement[];
  private readonly times: readonly HTMLElement[];
  private starts: readonly number[] = [];
  private shown = -1;

  constructor(
    private readonly steps: readonly Step[],
    private readonly onChoose: (time: number) => void,
    /** The text of the scene, and what its forms offer; undefined: the steps are not edited. */
    editing?: { readonly document: SceneDocument; readonly context: StepContext },
  ) {
    // Tools are shown if each step is one of the text.
    const edited = editing?.document.source.steps.length === steps.length ? editing : undefined;
    this.times = steps.map(() => element('span', { class: 'when' }));
    this.buttons = steps.map((step, i) =>
      element(
        'button',
        { type: 'button', disabled: true, onclick: () => this.onChoose(this.starts[i]) },
        element('span', { class: 'what' }, describe(step)),
        this.times[i],
      ),
    );
    this.list.append(
      ...this.buttons.map((button, i) =>
        element(
          'li',
          {},
          element('span', { class: 'index' }, `${i}`),
          button,
          ...(edited ? [stepRowTools(edited.document, i, steps.length)] : []),
        ),
      ),
    );
    this.root = element('div', {}, this.list, ...(edited ? [stepTools(edited.document, edited.context)] : []));
  }

  /** Shows the times of a motion. */
  show({ segments = [], events = [] }: Trajectory): void {
    const colors = new Map(segments.map(({ step }, i) => [step, `c${i % 8}`]));
    this.starts = this.steps.map(
      (_, i) => segments.find(({ step }) => step === i)?.from ?? events.find(({ step }) => step === i)?.time ?? 0,
    );
    for (const [i, button] of this.buttons.entries()) {
      const segment = segments.find(({ step }) => step === i);
      button.disabled = segments.length === 0;
      button.className = colors.get(i) ?? 'event';
      this.times[i].textContent = segment
        ? `${segment.from.toFixed(2)} – ${segment.to.toFixed(2)} s`
        : `${this.starts[i].toFixed(2)} s`;
    }
    this.showTime(this.starts[0] ?? 0);
  }

  /** Marks the step at a time: of several that begin then, the last one. */
  showTime(time: number): void {
    const now = this.starts.findLastIndex((start) => start <= time + 1e-9);
    for (const [i, button] of this.buttons.entries()) {
      if (i === now) button.setAttribute('aria-current', 'step');
      else button.removeAttribute('aria-current');
    }
    if (now !== this.shown) this.reveal(now);
    this.shown = now;
  }

  /** Scrolls the list, and nothing else, until a step is visible. */
  private reveal(index: number): void {
    const item = this.buttons[index]?.parentElement;
    if (!item) return;
    const { list: root } = this;
    const top = item.offsetTop - root.offsetTop;
    if (top < root.scrollTop) root.scrollTop = top;
    else if (top + item.offsetHeight > root.scrollTop + root.clientHeight)
      root.scrollTop = top + item.offsetHeight - root.clientHeight;
  }

  clear(): void {
    this.starts = [];
    for (const [i, button] of this.buttons.entries()) {
      button.disabled = true;
      button.removeAttribute('aria-current');
      this.times[i].textContent = '';
    }
  }
}

/** Values as in a scene file: `digital_out: [0, true]`. */
function valuesText(values: unknown): string {
  if (typeof values !== 'object' || values === null || Array.isArray(values)) return flowText(values);
  return Object.entries(values)
    .map(([name, value]) => `${name}: ${flowText(value)}`)
    .join(', ');
}

const flowText = (value: unknown): string =>
  Array.isArray(value) ? `[${value.map(flowText).join(', ')}]` : JSON.stringify(value);
