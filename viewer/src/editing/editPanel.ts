import type { Scene, SceneEdit } from 'elbowroom';
import type { NewObstacle } from 'elbowroom/types';
import { element } from '../dom.ts';
import type { SceneDocument } from './sceneDocument.ts';

/** Shapes that can be added, with the sizes of a new one, metres. */
const NEW: Readonly<Record<string, Omit<NewObstacle, 'name' | 'type'>>> = {
  box: { size: [0.1, 0.1, 0.1] },
  sphere: { radius: 0.05 },
  cylinder: { radius: 0.05, length: 0.1 },
  capsule: { radius: 0.05, length: 0.1 },
};
/** Position of a new obstacle, and offset of a copy, metres. */
const PLACE = [0.5, 0, 0.5];
const OFFSET = 0.1;

/** An obstacle that an edit makes or changes. */
export interface EditedObstacle {
  readonly name: string;
  /** True if its sizes are edited: their fields stay open. */
  readonly isSizing: boolean;
}

interface EditPanelOptions {
  /** Returns the name of the selected obstacle. */
  readonly chosen: () => string | undefined;
  /** Called before and after an edit with the obstacle that it makes or changes. */
  readonly onEdit: (edited: EditedObstacle) => void;
  readonly onEdited: (edited: EditedObstacle) => void;
}

/** Tools that edit the obstacles of a scene file: add, duplicate, delete, rename, resize; undo, redo, save. */
export class EditPanel {
  readonly root: HTMLElement;
  private readonly name = element('input', { type: 'text', id: 'edit-name', 'aria-label': 'Name' });
  private readonly sizes = element('div', { class: 'sizes' });
  private readonly status = element('p', { class: 'hint', role: 'status', id: 'edit-status' });

  constructor(
    private readonly document: SceneDocument,
    private readonly scene: Scene,
    private readonly options: EditPanelOptions,
  ) {
    const kind = element('select', { id: 'edit-type', 'aria-label': 'Shape' });
    for (const type of Object.keys(NEW)) kind.append(element('option', { value: type }, type));
    const button = (id: string, text: string, onclick: () => void, disabled = false) =>
      element('button', { type: 'button', id: `edit-${id}`, onclick, disabled }, text);
    const add = () => {
      const type = kind.value;
      const obstacle = { ...NEW[type], name: this.newName(type), type } as NewObstacle;
      void this.edit({ kind: 'add', obstacle, xyz: PLACE }, obstacle.name);
    };
    const { writable } = document.source;
    this.root = element(
      'div',
      { class: 'edit' },
      element('div', { class: 'tools' }, kind, button('add', 'Add', add)),
      element(
        'div',
        { class: 'tools' },
        button('duplicate', 'Duplicate', () => this.duplicate()),
        button('delete', 'Delete', () => this.withChosen((name) => document.apply({ kind: 'delete', name }))),
      ),
      element(
        'div',
        { class: 'tools' },
        this.name,
        button('rename', 'Rename', () =>
          this.withChosen((name) => void this.edit({ kind: 'rename', name, to: this.name.value }, this.name.value)),
        ),
        button('size', 'Edit size', () => this.withChosen((name) => this.showSizes(name))),
      ),
      this.sizes,
      element(
        'div',
        { class: 'tools' },
        button('undo', 'Undo', () => void document.undo(), !document.canUndo),
        button('redo', 'Redo', () => void document.redo(), !document.canRedo),
        button('download', 'Download', () => void this.download()),
        ...(writable ? [button('save', 'Save', () => void document.save())] : []),
      ),
      this.status,
    );
    document.onMessage = () => this.showStatus();
    this.showStatus();
  }

  /** Shows the name of the selected obstacle; undefined: none is selected. */
  open(name: string | undefined, isSizing = false): void {
    this.name.value = name ?? '';
    if (name !== undefined && isSizing) this.showSizes(name);
    else this.sizes.replaceChildren();
  }

  /** Applies an edit that makes or changes an obstacle, which is selected then. */
  private async edit(edit: SceneEdit, name: string): Promise<void> {
    const edited = { name, isSizing: edit.kind === 'resize' };
    this.options.onEdit(edited);
    await this.document.apply(edit);
    this.options.onEdited(edited);
  }

  private showStatus(): void {
    const { message, isChanged } = this.document;
    this.status.textContent = message !== '' ? message : isChanged ? 'Edited, not saved.' : '';
  }

  /** Calls back with the selected obstacle, or shows why there is none that can be edited. */
  private withChosen(work: (name: string) => void): void {
    const name = this.options.chosen();
    if (name !== undefined && this.document.source.obstacles.includes(name)) work(name);
    else
      this.status.textContent =
        name === undefined ? 'Select an obstacle first.' : `${name} is part of an included file.`;
  }

  private duplicate(): void {
    this.withChosen((name) => {
      const [x, y, z] = this.scene.obstacles.find((one) => one.name === name)!.pose.xyz;
      const to = this.newName(name);
      void this.edit({ kind: 'duplicate', name, to, xyz: [x, y, z + OFFSET] }, to);
    });
  }

  /** Shows a field for each size of the shape of an obstacle. */
  private showSizes(name: string): void {
    const parts = this.scene.obstacles.find((one) => one.name === name)?.parts ?? [];
    const sizes = Object.entries(parts.length === 1 ? parts[0].shape : {}).filter(
      (entry): entry is [string, number | number[]] =>
        typeof entry[1] === 'number' || (Array.isArray(entry[1]) && entry[1].every((one) => typeof one === 'number')),
    );
    if (sizes.length === 0) this.status.textContent = `${name} has no sizes that can be edited.`;
    this.sizes.replaceChildren(
      ...sizes.flatMap(([field, value]) => {
        const inputs = [value].flat().map((size, i) =>
          element('input', {
            type: 'number',
            step: '0.01',
            value: String(size),
            id: `size-${field}-${i}`,
            'aria-label': `${field}${Array.isArray(value) ? ` ${'xyz'[i]}` : ''}`,
            onchange: () => {
              const edited = inputs.map((input) => input.valueAsNumber);
              const fields = { [field]: Array.isArray(value) ? edited : edited[0] };
              if (edited.every(Number.isFinite)) void this.edit({ kind: 'resize', name, fields }, name);
            },
          }),
        );
        return [element('span', {}, field), ...inputs];
      }),
    );
  }

  private newName(like: string): string {
    const taken = new Set(this.scene.obstacles.map(({ name }) => name));
    let count = 2;
    while (taken.has(`${like}-${count}`)) count++;
    return `${like}-${count}`;
  }

  private async download(): Promise<void> {
    const url = URL.createObjectURL(new Blob([await this.document.complete()], { type: 'application/yaml' }));
    element('a', { href: url, download: `${this.scene.name}.yaml` }).click();
    setTimeout(() => URL.revokeObjectURL(url), 1000);
  }
}
