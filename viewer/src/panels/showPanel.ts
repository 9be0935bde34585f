import { element } from '../dom.ts';

/** Layers of the stage that can be shown or hidden. */
export const layers = {
  bodies: { label: 'collision geometry', shown: true },
  visuals: { label: 'visual geometry', shown: true },
  obstacles: { label: 'obstacles', shown: true },
  seeThrough: { label: 'transparent obstacles', shown: false },
  ends: { label: 'start and goal', shown: true },
  toolPath: { label: 'tool path', shown: true },
  timeColors: { label: 'path coloured by time', shown: true },
  ghosts: { label: 'poses along the motion', shown: false },
  trees: { label: 'trees of a failed search', shown: true },
  constraints: { label: 'constraints', shown: true },
  clearance: { label: 'minimum distances', shown: true },
  frames: { label: 'frames of the links', shown: false },
  boxes: { label: 'bounding boxes', shown: false },
  names: { label: 'names', shown: false },
  grid: { label: 'grid', shown: true },
} as const;

export type Layer = keyof typeof layers;

/** A check box for each layer. */
export class ShowPanel {
  readonly root: HTMLElement;
  private readonly boxes: Readonly<Record<string, HTMLInputElement>>;

  constructor(onToggle: (layer: Layer, shown: boolean) => void) {
    this.boxes = Object.fromEntries(
      Object.entries(layers).map(([layer, { shown }]) => {
        const box: HTMLInputElement = element('input', {
          type: 'checkbox',
          checked: shown,
          onchange: () => onToggle(layer as Layer, box.checked),
        });
        return [layer, box];
      }),
    );
    this.root = element(
      'div',
      { class: 'layers' },
      ...Object.entries(layers).map(([layer, { label }]) => element('label', {}, this.boxes[layer], label)),
    );
  }

  show(layer: Layer, shown: boolean): void {
    this.boxes[layer].checked = shown;
  }

  isShown(layer: Layer): boolean {
    return this.boxes[layer].checked;
  }
}
