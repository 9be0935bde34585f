import { element } from '../dom.ts';
import type { StateAnswer } from '../engine/questions.ts';
import { clearanceLabels } from './clearancePanel.ts';

/** Validity of the displayed state as text, a live region for screen readers. */
export class VerdictPanel {
  readonly root = element('div', { class: 'verdict', role: 'status', 'aria-live': 'polite', id: 'verdict' });

  show({ collisions, limits, constraints, clearance }: StateAnswer): void {
    const lines: (string | Node)[] = [];
    const valid = collisions.length === 0 && limits.length === 0 && constraints.length === 0;
    const problem =
      collisions.length > 0 ? 'in collision' : limits.length > 0 ? 'out of limits' : 'violates constraints';
    lines.push(element('strong', { class: valid ? 'good' : 'bad' }, valid ? 'free' : problem));
    for (const [a, b] of collisions.slice(0, 6)) lines.push(element('div', {}, `${a} and ${b}`));
    if (collisions.length > 6) lines.push(element('div', {}, `and ${collisions.length - 6} more`));
    for (const name of constraints) lines.push(element('div', {}, `constraint ${name} is violated`));
    for (const name of limits) lines.push(element('div', {}, `${name} is out of its limits`));
    if (valid) for (const label of clearanceLabels(clearance)) lines.push(element('div', {}, label));
    this.root.replaceChildren(...lines);
  }
}
