import { Color } from 'three';

/** Colours of one theme of the stage; those of the page are in style.css. */
export interface Palette {
  readonly background: Color;
  readonly grid: Color;
  readonly gridCentre: Color;
  readonly links: readonly Color[];
  /** Links of other robots. */
  readonly otherLinks: readonly Color[];
  /** Begin to end of a motion, in order of lightness; the colours between them are interpolated. */
  readonly time: readonly Color[];
  /** Segments of a program, compared plans and robots of a schedule, in turn; `c0` to `c7` of style.css. */
  readonly series: readonly Color[];
  /** Cones and regions of constraints. */
  readonly constraint: Color;
  readonly attached: Color;
  /** Colour of visual geometry without a material. */
  readonly visual: Color;
  /** Obstacles in turn: one hue in several lightnesses, so that neighbours differ and no meaning is suggested. */
  readonly obstacles: readonly Color[];
  readonly start: Color;
  readonly goal: Color;
  readonly path: Color;
  readonly collision: Color;
  readonly clearance: Color;
}

type Lists = Pick<Palette, 'links' | 'obstacles' | 'otherLinks' | 'series' | 'time'>;

const colors = (
  values: Readonly<Record<Exclude<keyof Palette, keyof Lists>, string>>,
  lists: Readonly<Record<keyof Lists, readonly string[]>>,
): Palette =>
  ({
    ...Object.fromEntries(Object.entries(values).map(([name, value]) => [name, new Color(value)])),
    ...Object.fromEntries(Object.entries(lists).map(([name, list]) => [name, list.map((value) => new Color(value))])),
  }) as unknown as Palette;

export const light: Palette = colors(
  {
    visual: '#c9ced4',
    start: '#109352',
    goal: '#cc8100',
    path: '#001966',
    collision: '#a50d0d',
    clearance: '#aa00cc',
    constraint: '#135b6c',
    background: '#f4f6f8',
    grid: '#d5dbe1',
    gridCentre: '#b3bdc7',
    attached: '#ffcc00',
  },
  {
    links: ['#8fa9c4', '#7393b3'],
    obstacles: ['#b9ab97', '#cfc2ae', '#a3937d', '#c4b08c'],
    otherLinks: ['#b7a6cf', '#a08cc0'],
    series: ['#0072b2', '#d55e00', '#009e73', '#aa3377', '#332288', '#cc79a7', '#003c30', '#000000'],
    time: ['#440154', '#3b528b', '#21918c', '#3fae5f', '#8fbc1c'],
  },
);
export const dark: Palette = colors(
  {
    visual: '#c9ced4',
    start: '#22c358',
    goal: '#ffbb00',
    path: '#2a5cff',
    collision: '#ff3b1f',
    clearance: '#e14dff',
    constraint: '#66f2ff',
    background: '#14181d',
    grid: '#2a323b',
    gridCentre: '#3c4753',
    attached: '#fff3a0',
  },
  {
    links: ['#7f9cba', '#67859f'],
    obstacles: ['#8d8272', '#756a5b', '#a69a88', '#8f7d5c'],
    otherLinks: ['#a795c2', '#8f7bb0'],
    series: ['#56b4e9', '#e69f00', '#f5d6e0', '#cc3311', '#7fbf7b', '#0072b2', '#6b7280', '#d9f0a3'],
    time: ['#5a5fa8', '#2a788e', '#22a884', '#7ad151', '#fde725'],
  },
);

/** Returns the colour of a share of the duration, 0 to 1. */
export function timeColor({ time }: Palette, share: number): Color {
  const at = Math.min(1, Math.max(0, share)) * (time.length - 1);
  const low = Math.min(time.length - 2, Math.floor(at));
  return time[low].clone().lerp(time[low + 1], at - low);
}
