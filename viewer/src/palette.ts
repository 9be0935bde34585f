import { Color } from 'three';

/** Colours of one theme of the stage; those of the page are in style.css. */
export interface Palette {
  readonly background: Color;
  readonly grid: Color;
  readonly gridCentre: Color;
  readonly links: readonly Color[];
  /** Links of other robots. */
  readonly otherLinks: readonly Color[];
  /** Segments of a program and robots of a schedule, in turn; `c0` to `c7` of style.css. */
  readonly series: readonly Color[];
  /** Cones and regions of constraints. */
  readonly constraint: Color;
  readonly attached: Color;
  /** Colour of visual geometry without a material. */
  readonly visual: Color;
  readonly obstacle: Color;
  readonly start: Color;
  readonly goal: Color;
  readonly path: Color;
  readonly collision: Color;
  readonly clearance: Color;
}

type Lists = Pick<Palette, 'links' | 'otherLinks' | 'series'>;

const colors = (
  values: Readonly<Record<Exclude<keyof Palette, keyof Lists>, string>>,
  lists: Readonly<Record<keyof Lists, readonly string[]>>,
): Palette =>
  ({
    ...Object.fromEntries(Object.entries(values).map(([name, value]) => [name, new Color(value)])),
    ...Object.fromEntries(Object.entries(lists).map(([name, list]) => [name, list.map((value) => new Color(value))])),
  }) as unknown as Palette;

const shared = {
  visual: '#c9ced4',
  start: '#2f9e6e',
  goal: '#d9822b',
  path: '#3b7dd8',
  collision: '#e03131',
  clearance: '#c2255c',
  constraint: '#0f8a94',
};

export const light: Palette = colors(
  {
    ...shared,
    background: '#f4f6f8',
    grid: '#d5dbe1',
    gridCentre: '#b3bdc7',
    attached: '#e0a83c',
    obstacle: '#b9ab97',
  },
  {
    links: ['#8fa9c4', '#7393b3'],
    otherLinks: ['#b7a6cf', '#a08cc0'],
    series: ['#2f6fb5', '#d9730d', '#2b8a4b', '#b5384d', '#7a52b8', '#0f8a94', '#8a6d1f', '#6b7280'],
  },
);
export const dark: Palette = colors(
  {
    ...shared,
    background: '#14181d',
    grid: '#2a323b',
    gridCentre: '#3c4753',
    attached: '#d79f35',
    obstacle: '#8d8272',
  },
  {
    links: ['#7f9cba', '#67859f'],
    otherLinks: ['#a795c2', '#8f7bb0'],
    series: ['#79aee8', '#f0a35e', '#6cc78b', '#ee8596', '#b79cec', '#5fc9d1', '#d3b35c', '#aab2bd'],
  },
);

/** Returns the theme that the system prefers. */
export const preferredPalette = (): Palette =>
  window.matchMedia('(prefers-color-scheme: dark)').matches ? dark : light;
