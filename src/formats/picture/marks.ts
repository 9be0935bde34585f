import type { View } from './camera.ts';
import { escaped } from './labels.ts';
import { number } from './pathData.ts';
import type { Mark } from './picture.ts';

/** Height of a mark, and approximate width of a letter in it, px. */
const HEIGHT = 17;
const LETTER = 6.4;
/** Texts that are joined in one mark, at most. */
const MAX_JOINED = 3;

/** Rules for marks; those of other texts are in the style sheet of the picture. */
export const MARK_STYLE = [
  '.m rect{fill:#fff;fill-opacity:.92;stroke:#1c2739}.m text{font-weight:600;stroke:none}',
  '@media (prefers-color-scheme:dark){.m rect{fill:#10161f;stroke:#e6ecf7}}',
].join('\n');

/** Returns the marks of a picture as SVG. Marks that would overlap are joined: `2, 5`; long lists end with `…`. */
export function marksText(marks: readonly Mark[], view: View): string {
  const placed: { readonly x: number; readonly y: number; readonly texts: string[] }[] = [];
  for (const { text, at } of marks) {
    const [x, y] = view.project(...at);
    const near = placed.find((other) => Math.abs(other.x - x) < 2 * HEIGHT && Math.abs(other.y - y) < HEIGHT);
    if (near) near.texts.push(text);
    else placed.push({ x, y, texts: [text] });
  }
  return `<g class="m">${placed.map(markText).join('')}</g>`;
}

function markText({ x, y, texts }: { readonly x: number; readonly y: number; readonly texts: string[] }): string {
  const joined = texts.slice(0, MAX_JOINED).join(', ') + (texts.length > MAX_JOINED ? ' …' : '');
  const width = Math.max(HEIGHT, LETTER * joined.length + 8);
  const rect =
    `<rect x="${number(x - width / 2)}" y="${number(y - HEIGHT / 2)}" width="${number(width)}" ` +
    `height="${HEIGHT}" rx="${HEIGHT / 2}"/>`;
  return `${rect}<text x="${number(x)}" y="${number(y + 4)}" text-anchor="middle">${escaped(joined)}</text>`;
}
