import type { Pose } from 'elbowroom';
import { Quaternion } from 'three';
import { element } from '../dom.ts';
import { fromRollPitchYaw, poseOf, rollPitchYaw } from '../stage/rollPitchYaw.ts';

/** A named obstacle or frame whose pose the user changes. */
export interface Placed {
  readonly name: string;
  readonly pose: Pose;
  /** True if it can only be rotated. */
  readonly turnsOnly?: boolean;
}

interface ObstaclePanelOptions {
  /** Prefix of the ids of the rows. */
  readonly kind: 'obstacle' | 'frame';
  /** How things are selected. */
  readonly hint: string;
  readonly onMove: (name: string, pose: Pose) => void;
  /** Called with the obstacle whose handles are shown; undefined: none. */
  readonly onChoose: (name: string | undefined) => void;
}

/** Number fields of one obstacle: x, y, z in metres, or roll, pitch, yaw in degrees. */
type Fields = readonly HTMLInputElement[];

/** Lists obstacles, or frames, by name with their positions; the selected one has its orientation, too. */
export class ObstaclePanel {
  readonly root: HTMLElement;
  private readonly rows = new Map<string, { readonly box: HTMLInputElement; readonly at: Fields }>();
  private readonly poses: Map<string, Pose>;
  /** Orientation of the selected obstacle, below its row. */
  private readonly turn: Fields;
  private readonly turnRow: HTMLElement;
  private selected: string | undefined;
  /** Returns the name of the selected obstacle. */
  readonly chosen = () => this.selected;

  constructor(
    obstacles: readonly Placed[],
    private readonly options: ObstaclePanelOptions,
  ) {
    this.poses = new Map(obstacles.map(({ name, pose }) => [name, pose]));
    this.turn = ['roll', 'pitch', 'yaw'].map((name) => this.field(name, '1', () => this.selected));
    this.turnRow = element(
      'div',
      { class: 'obstacle' },
      element('span', {}),
      element('span', {}, 'rpy, °'),
      ...this.turn,
    );
    const list = obstacles.map((one) => this.row(one));
    const hint = element('p', { class: 'hint' }, options.hint);
    this.root = element(
      'div',
      { class: 'obstacles' },
      ...(list.length > 0 ? [hint, ...list] : ['The scene has none.']),
    );
  }

  private row({ name, turnsOnly }: Placed): HTMLElement {
    const at = turnsOnly ? [] : ['x', 'y', 'z'].map((axis) => this.field(`${name} ${axis}`, '0.01', () => name));
    const box = element('input', {
      type: 'checkbox',
      id: `${this.options.kind}-${name}`,
      onchange: () => {
        this.select(box.checked ? name : undefined);
        this.options.onChoose(this.selected);
      },
    });
    this.rows.set(name, { box, at });
    this.show(name, this.poses.get(name)!);
    return element('div', { class: 'obstacle' }, box, element('label', { htmlFor: box.id, title: name }, name), ...at);
  }

  /** Field of a pose; a change of it moves the obstacle. */
  private field(label: string, step: string, name: () => string | undefined): HTMLInputElement {
    return element('input', { type: 'number', step, 'aria-label': label, onchange: () => this.read(name()) });
  }

  /** Moves an obstacle to where its fields say; the orientation is read only where it is shown. */
  private read(name: string | undefined): void {
    if (name === undefined) return;
    const known = this.poses.get(name)!;
    const { at } = this.rows.get(name)!;
    const [x, y, z] = at.length === 0 ? known.xyz : at.map((field) => field.valueAsNumber);
    const angles = this.turn.map((field) => field.valueAsNumber);
    if (![x, y, z].every(Number.isFinite)) return;
    const isTurned = name === this.selected && angles.every(Number.isFinite) && !isShown(this.turn, anglesOf(known));
    const pose = isTurned ? poseOf({ x, y, z }, fromRollPitchYaw(angles)) : { ...known, xyz: [x, y, z] as const };
    this.show(name, pose);
    this.options.onMove(name, pose);
  }

  /** Clears the selection of an obstacle whose handles were removed. */
  deselect(name: string): void {
    if (this.selected === name) this.select(undefined);
  }

  has(name: string): boolean {
    return this.rows.has(name);
  }

  /** Marks an obstacle as selected; undefined: none. */
  select(name: string | undefined): void {
    this.selected = name;
    for (const [own, { box }] of this.rows) box.checked = own === name;
    const box = name === undefined ? undefined : this.rows.get(name)?.box;
    if (box) box.parentElement!.after(this.turnRow);
    else this.turnRow.remove();
    if (name !== undefined) this.show(name, this.poses.get(name)!);
  }

  /** Scrolls to an obstacle that was selected on the stage. */
  reveal(name: string): void {
    this.rows.get(name)?.box.scrollIntoView({ block: 'nearest' });
  }

  show(name: string, pose: Pose): void {
    this.poses.set(name, pose);
    fill(this.rows.get(name)?.at ?? [], pose.xyz);
    if (name === this.selected) fill(this.turn, anglesOf(pose));
  }
}

const anglesOf = ({ quat_wxyz: [w, x, y, z] }: Pose) => rollPitchYaw(new Quaternion(x, y, z, w));
const shownText = (value: number) => String(Number(value.toFixed(4)));
const isShown = (fields: Fields, values: readonly number[]) =>
  fields.every((field, k) => field.value === shownText(values[k]));

function fill(fields: Fields, values: readonly number[]): void {
  for (const [k, field] of fields.entries()) field.value = shownText(values[k]);
}
