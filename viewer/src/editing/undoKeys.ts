import type { SceneDocument } from './sceneDocument.ts';

/** Undoes and redoes edits on Ctrl+Z, Ctrl+Shift+Z and Ctrl+Y (Cmd on a Mac); fields of text keep their own. */
export function listenForUndo(edited: SceneDocument | undefined): void {
  if (!edited) return;
  document.addEventListener('keydown', (event) => {
    const { ctrlKey, metaKey, altKey, shiftKey, target } = event;
    if (!(ctrlKey || metaKey) || altKey || isText(target)) return;
    const key = event.key.toLowerCase();
    if (key !== 'z' && key !== 'y') return;
    event.preventDefault();
    void (key === 'z' && !shiftKey ? edited.undo() : edited.redo());
  });
}

const isText = (target: EventTarget | null) =>
  target instanceof HTMLTextAreaElement ||
  (target instanceof HTMLInputElement && (target.type === 'text' || target.type === 'number'));
