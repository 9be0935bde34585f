import { Color } from 'three';

/** Colours of one theme of the stage; those of the page are in style.css. */
export interface Palette {
  readonly background: Color;
  readonly grid: Color;
  readonly gridCentre: Color;
  readonly links: readonly Color[];
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

const colors = (values: Readonly<Record<Exclude<keyof Palette, 'links'>, string>>, links: readonly string[]): Palette =>
  ({
    ...Object.fromEntries(Object.entries(values).map(([name, value]) => [name, new Color(value)])),
    links: links.map((value) => new Color(value)),
  }) as unknown as Palette;

const shared = {
  visual: '#c9ced4',
  start: '#2f9e6e',
  goal: '#d9822b',
  path: '#3b7dd8',
  collision: '#e03131',
  clearance: '#c2255c',
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
  ['#8fa9c4', '#7393b3'],
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
  ['#7f9cba', '#67859f'],
);

/** Returns the theme that the system prefers. */
export const preferredPalette = (): Palette =>
  window.matchMedia('(prefers-color-scheme: dark)').matches ? dark : light;
