import type { View } from './camera.ts';
import { number } from './pathData.ts';
import type { Solid } from './solids.ts';

/** Approximate width and height of text in px, at the size of the style sheet. */
const LETTER = 6.2;
const LINE = 14;

interface Rectangle {
  readonly x0: number;
  readonly x1: number;
  readonly y0: number;
  readonly y1: number;
}

/**
 * Returns a label for each body as SVG, at its centre, above it or below it; labels that would overlap another one are
 * left out.
 */
export function labelsText(solids: readonly Solid[], view: View, width: number, height: number): string {
  const taken: Rectangle[] = [{ x0: 0, x1: width, y0: height - 26, y1: height }];
  const texts: string[] = [];
  for (const name of new Set(solids.map((solid) => solid.name))) {
    const points = solids.filter((solid) => solid.name === name).flatMap((solid) => solid.points);
    const { x0, x1, y0, y1 } = outlineOf(points, view);
    const half = (LETTER * name.length) / 2;
    const x = Math.min(Math.max((x0 + x1) / 2, half + 4), width - half - 4);
    for (const y of [(y0 + y1) / 2 + 4, y0 - 5, y1 + 13]) {
      const own = { x0: x - half, x1: x + half, y0: y - LINE, y1: y };
      if (y > height - 4 || y < LINE || taken.some((other) => overlap(own, other))) continue;
      taken.push(own);
      texts.push(`<text x="${number(x)}" y="${number(y)}" text-anchor="middle">${escaped(name)}</text>`);
      break;
    }
  }
  return `<g>${texts.join('')}</g>`;
}

/** Escapes text for XML. */
export function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}

function outlineOf(points: readonly number[], view: View): Rectangle {
  const seen: [number, number, number][] = [];
  for (let k = 0; k < points.length; k += 3) seen.push(view.project(points[k], points[k + 1], points[k + 2]));
  const [xs, ys] = [seen.map(([x]) => x), seen.map(([, y]) => y)];
  return { x0: Math.min(...xs), x1: Math.max(...xs), y0: Math.min(...ys), y1: Math.max(...ys) };
}

const overlap = (a: Rectangle, b: Rectangle): boolean => a.x0 < b.x1 && b.x0 < a.x1 && a.y0 < b.y1 && b.y0 < a.y1;
