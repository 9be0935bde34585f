import { element, write } from '../dom.ts';
import type { StateAnswer } from '../engine/questions.ts';
import { clearanceLabels } from './clearancePanel.ts';

/** Pairs in collision that are listed. */
const MOST = 6;

/** Validity of the displayed state as text, a live region for screen readers. */
export class VerdictPanel {
  readonly root = element('div', { class: 'verdict', role: 'status', 'aria-live': 'polite', id: 'verdict' });
  private readonly result = element('strong', {});
  private details: readonly HTMLElement[] = [];

  /** @param isDue if false, a valid state that follows a valid one changes nothing */
  show({ collisions, limits, constraints, clearance }: StateAnswer, isDue: boolean): void {
    const valid = collisions.length === 0 && limits.length === 0 && constraints.length === 0;
    if (!isDue && valid && this.result.className === 'good') return;
    const problem =
      collisions.length > 0 ? 'in collision' : limits.length > 0 ? 'out of limits' : 'violates constraints';
    this.result.className = valid ? 'good' : 'bad';
    write(this.result, valid ? 'free' : problem);
    this.list([
      ...collisions.slice(0, MOST).map(([a, b]) => `${a} and ${b}`),
      ...(collisions.length > MOST ? [`and ${collisions.length - MOST} more`] : []),
      ...constraints.map((name) => `constraint ${name} is violated`),
      ...limits.map((name) => `${name} is out of its limits`),
      ...(valid ? clearanceLabels(clearance) : []),
    ]);
  }

  /** A replay changes the text in every frame: screen readers are to read it when the replay stops. */
  announce(isAnnounced: boolean): void {
    this.root.setAttribute('aria-live', isAnnounced ? 'polite' : 'off');
  }

  /** Shows lines below the result, in the elements of the previous ones if there are as many. */
  private list(lines: readonly string[]): void {
    if (this.root.childElementCount !== lines.length + 1) {
      this.details = lines.map(() => element('div', {}));
      this.root.replaceChildren(this.result, ...this.details);
    }
    for (const [i, line] of lines.entries()) write(this.details[i], line);
  }
}
