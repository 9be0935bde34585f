import { element } from '../dom.ts';
import type { SceneDocument } from './sceneDocument.ts';
import { type StepContext, stepForm } from './stepForm.ts';

/** Creates the buttons that move and remove one step. */
export function stepRowTools(document: SceneDocument, index: number, count: number): HTMLElement {
  const button = (text: string, label: string, onclick: () => unknown, disabled = false) =>
    element(
      'button',
      { type: 'button', 'aria-label': `${label} step ${index}`, title: label, onclick, disabled },
      text,
    );
  /** Moves the step; the focus follows it. */
  const move = (to: number, label: string) => async () => {
    await document.apply({ kind: 'move-step', index, to });
    window.document.querySelector<HTMLElement>(`[aria-label="${label} step ${to}"]`)?.focus();
  };
  return element(
    'span',
    { class: 'step-tools' },
    button('↑', 'Move up', move(index - 1, 'Move up'), index === 0),
    button('↓', 'Move down', move(index + 1, 'Move down'), index === count - 1),
    button('×', 'Remove', () => document.apply({ kind: 'remove-step', index })),
  );
}

/** Creates the tools that insert a step and change the text of one; the reason of a refused edit is shown below. */
export function stepTools(document: SceneDocument, context: StepContext): HTMLElement {
  const { steps } = document.source;
  const text = element('input', { type: 'text', id: 'step-text', 'aria-label': 'Text of the step' });
  const at = element('input', {
    type: 'number',
    id: 'step-index',
    'aria-label': 'Number of the step',
    min: '0',
    max: String(steps.length),
    step: '1',
    value: String(steps.length),
    onchange: () => {
      text.value = steps[at.valueAsNumber] ?? '';
    },
  });
  const index = () => Math.min(Math.max(0, Math.trunc(at.valueAsNumber || 0)), steps.length);
  const status = element('p', { class: 'hint', role: 'status', id: 'step-status' }, document.message);
  const button = (id: string, label: string, kind: 'insert-step' | 'set-step') =>
    element(
      'button',
      {
        type: 'button',
        id: `step-${id}`,
        onclick: () => void document.apply({ kind, index: index(), text: text.value }),
      },
      label,
    );
  const undo = element(
    'button',
    { type: 'button', onclick: () => void document.undo(), disabled: !document.canUndo },
    'Undo',
  );
  const redo = element(
    'button',
    { type: 'button', onclick: () => void document.redo(), disabled: !document.canRedo },
    'Redo',
  );
  text.placeholder = '{wait: 0.5}';
  return element(
    'div',
    { class: 'edit' },
    stepForm(context, (written) => {
      text.value = written;
    }),
    element('div', { class: 'tools' }, at, text),
    element(
      'div',
      { class: 'tools' },
      button('insert', 'Insert', 'insert-step'),
      button('set', 'Replace', 'set-step'),
      undo,
      redo,
    ),
    status,
  );
}
