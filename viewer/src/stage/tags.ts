import { Vector3 } from 'three';
import type { Contents } from '../contents.ts';
import { element, write } from '../dom.ts';
import type { Layer } from '../panels/showPanel.ts';
import type { Stage } from './stage.ts';

/**
 * Text labels on the stage: the minimum distances, the moved tool frame, and names of objects. Positioned in every
 * frame.
 */
export class Tags {
  private readonly near = [0, 1].map(() => element('div', { class: 'tag near', hidden: true }));
  private readonly tool = element('div', { class: 'tag', id: 'tool-tag', hidden: true });
  private readonly names = new Map<string, HTMLElement>();

  constructor(
    private readonly frame: HTMLElement,
    private readonly stage: Stage,
    private readonly contents: Contents,
    private readonly isShown: (layer: Layer) => boolean,
  ) {
    frame.append(...this.near, this.tool);
    stage.onFrame = () => this.place();
  }

  private place(): void {
    const { nearest, objects, robot, handle } = this.contents;
    write(this.tool, handle.name);
    this.hang(this.tool, handle.visible ? handle.position : undefined);
    const heights = this.near.map((tag, i) => {
      if (nearest[i]) write(tag, nearest[i].text);
      return this.hang(tag, this.isShown('clearance') ? nearest[i]?.at : undefined)?.y;
    });
    const [first = 0, second = first] = heights; // the label of the lower point hangs below it, so that none overlap
    for (const [i, tag] of this.near.entries()) tag.classList.toggle('below', i === (second < first ? 0 : 1));
    const held = objects.all().filter((one) => one === this.stage.held);
    const figures = this.isShown('names') ? [...objects.all(), ...robot.bodies()] : held;
    const shown = new Set(figures.map(({ name }) => name));
    for (const [name, tag] of this.names) if (!shown.has(name)) tag.hidden = true;
    const at = new Vector3();
    for (const figure of figures) {
      let tag = this.names.get(figure.name);
      if (!tag) {
        tag = element('div', { class: 'tag', hidden: true }, figure.name);
        this.names.set(figure.name, tag);
        this.frame.append(tag);
      }
      this.hang(tag, figure.middle(at));
    }
  }

  /** Returns where the label hangs, pixels of the canvas; undefined if it is hidden. */
  private hang(tag: HTMLElement, at: Vector3 | undefined): { readonly y: number } | undefined {
    const where = at && this.stage.toScreen(at);
    tag.hidden = where === undefined;
    if (!where) return undefined;
    // A transform moves the label without a layout of the page; style.css places it relative to its point.
    tag.style.translate = `${where.x}px ${where.y}px`;
    return where;
  }
}
