import type { Obstacle } from 'elbowroom';
import { element } from '../dom.ts';

/** Lists the obstacles by name with their positions in metres, which can be edited or dragged on the stage. */
export class ObstaclePanel {
  readonly root: HTMLElement;
  private readonly fields = new Map<string, readonly HTMLInputElement[]>();

  private readonly boxes = new Map<string, HTMLInputElement>();
  private selected: string | undefined;
  /** Returns the name of the selected obstacle. */
  readonly chosen = () => this.selected;

  constructor(
    obstacles: readonly Obstacle[],
    {
      onMove,
      onChoose,
    }: {
      readonly onMove: (name: string, xyz: readonly [number, number, number]) => void;
      /** Called with the obstacle whose handles are shown; undefined: none. */
      readonly onChoose: (name: string | undefined) => void;
    },
  ) {
    const rows = obstacles.map(({ name, pose }) => {
      const fields = pose.xyz.map((value, k) =>
        element('input', {
          type: 'number',
          step: '0.01',
          value: String(value),
          'aria-label': `${name} ${'xyz'[k]}`,
          onchange: () => {
            const xyz = fields.map((field) => field.valueAsNumber);
            if (xyz.every(Number.isFinite)) onMove(name, xyz as [number, number, number]);
          },
        }),
      );
      this.fields.set(name, fields);
      const chosen = element('input', {
        type: 'checkbox',
        id: `obstacle-${name}`,
        onchange: () => {
          this.select(chosen.checked ? name : undefined);
          onChoose(this.selected);
        },
      });
      this.boxes.set(name, chosen);
      return element('div', { class: 'obstacle' }, chosen, element('label', { htmlFor: chosen.id }, name), ...fields);
    });
    const hint = element('p', { class: 'hint' }, 'Select an obstacle to drag it; x, y, z in metres.');
    this.root = element(
      'div',
      { class: 'obstacles' },
      ...(rows.length > 0 ? [hint, ...rows] : ['The scene has none.']),
    );
  }

  /** Clears the selection of an obstacle whose handles were removed. */
  deselect(name: string): void {
    if (this.selected === name) this.select(undefined);
  }

  has(name: string): boolean {
    return this.boxes.has(name);
  }

  /** Marks an obstacle as selected; undefined: none. */
  select(name: string | undefined): void {
    this.selected = name;
    for (const [own, box] of this.boxes) box.checked = own === name;
  }

  show(name: string, xyz: readonly number[]): void {
    for (const [k, field] of (this.fields.get(name) ?? []).entries()) field.value = String(Number(xyz[k].toFixed(4)));
  }
}
