import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Color } from 'three';
import { describe, expect, test } from 'vitest';
import { dark, light, timeColor } from '../../viewer/src/stage/palette.ts';
import { root } from '../host/cli/run.ts';

/** Full dichromacy in linear RGB: Machado, Oliveira and Fernandes, 2009, doi 10.1109/TVCG.2009.113, severity 1. */
const VISION: Readonly<Record<string, readonly number[]>> = {
  normal: [1, 0, 0, 0, 1, 0, 0, 0, 1],
  protanopia: [0.152286, 1.052583, -0.204868, 0.114503, 0.786281, 0.099216, -0.003882, -0.048116, 1.051998],
  deuteranopia: [0.367322, 0.860646, -0.227968, 0.280085, 0.672501, 0.047413, -0.01182, 0.04294, 0.968881],
  tritanopia: [1.255528, -0.076749, -0.178779, -0.078411, 0.930809, 0.147602, 0.004733, 0.691367, 0.3039],
};
/** Least colour difference (CIE 1976) of two colours with different meanings. Just noticeable: 2.3. */
const DIFFERENCE = 12;

function lab(color: Color, m: readonly number[]): number[] {
  const { r, g, b } = color; // three.js keeps colours in linear RGB
  const seen = [0, 3, 6].map((k) => Math.min(1, Math.max(0, m[k] * r + m[k + 1] * g + m[k + 2] * b)));
  const xyz = [
    [0.4124, 0.3576, 0.1805],
    [0.2126, 0.7152, 0.0722],
    [0.0193, 0.1192, 0.9505],
  ].map((row) => row[0] * seen[0] + row[1] * seen[1] + row[2] * seen[2]);
  const [x, y, z] = xyz.map((value, i) => {
    const t = value / [0.9505, 1, 1.089][i];
    return t > 0.008856 ? Math.cbrt(t) : 7.787 * t + 16 / 116;
  });
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
}

const difference = (a: Color, b: Color, m: readonly number[]) => {
  const [one, other] = [lab(a, m), lab(b, m)];
  return Math.hypot(...one.map((value, i) => value - other[i]));
};

describe.each(Object.entries(VISION))('with %s vision', (_, m) => {
  test.each([
    ['light', light],
    ['dark', dark],
  ] as const)('colours of the %s theme with different meanings differ', (_, palette) => {
    const { background, links, obstacles, attached, start, goal, path, collision, clearance, constraint } = palette;
    const meanings = { background, link: links[0], attached, start, goal, path, collision, clearance, constraint };
    const lists = obstacles.map((obstacle) => Object.entries({ ...meanings, obstacle }));
    for (const list of [...lists, Object.entries(palette.series)]) {
      for (const [i, [name, color]] of list.entries())
        for (const [other, one] of list.slice(i + 1))
          expect(difference(color, one, m), `${name} and ${other}`).toBeGreaterThan(DIFFERENCE);
    }
  });

  test.each([
    ['light', light],
    ['dark', dark],
  ] as const)('the colours of time become lighter in the %s theme', (_, palette) => {
    const lightness = Array.from({ length: 21 }, (_, i) => lab(timeColor(palette, i / 20), m)[0]);
    for (let i = 1; i < lightness.length; i++) expect(lightness[i]).toBeGreaterThan(lightness[i - 1]);
  });
});

test('curves of charts have the colours of the stage', () => {
  const style = readFileSync(join(root, 'viewer/src/style.css'), 'utf8');
  const css = [...style.matchAll(/\.c\d \{\n {2}--c: light-dark\((#\w+), (#\w+)\);/g)];
  expect(css.map(([, one]) => one)).toEqual(light.series.map((color) => `#${color.getHexString()}`));
  expect(css.map(([, , other]) => other)).toEqual(dark.series.map((color) => `#${color.getHexString()}`));
});
