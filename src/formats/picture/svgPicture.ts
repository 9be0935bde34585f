import { cos, PI, sin } from '../../core/math/trigonometry.ts';
import { type BoundingSphere, type Camera, cameraDefaults, View } from './camera.ts';
import { planarHull } from './facets.ts';
import { escaped, labelsText } from './labels.ts';
import { type Patch, paintOrder } from './paintOrder.ts';
import { styleSheet } from './palette.ts';
import { facePatches, ghostPatch, pathPatches } from './patches.ts';
import { number, pathOf } from './pathData.ts';
import type { Mark, PathLine, Picture } from './picture.ts';
import { boundingSphere, ghostsOf, minHeight, type Solid, solidsOf } from './solids.ts';

/** Options of `svgPicture`: viewpoint, width, labels. */
export interface PictureOptions extends Camera {
  /** px. The height depends on the contents. */
  readonly width: number;
  /** Whether bodies are labelled with their names. */
  readonly names: boolean;
}

/** Defaults of `PictureOptions`. */
export const pictureDefaults: PictureOptions = { ...cameraDefaults, width: 900, names: false };

/**
 * Renders a picture as an SVG document: shaded faces with hidden surfaces removed, also where bodies intersect; light
 * or dark as the reader's system prefers. Equal data give equal bytes.
 */
export async function svgPicture(picture: Picture, options: Partial<PictureOptions> = {}): Promise<string> {
  const { width, names, ...camera } = { ...pictureDefaults, ...options };
  const solids = await solidsOf(picture);
  const ghosts = await ghostsOf(picture);
  const shown = [...solids, ...ghosts].map(({ points }) => points);
  const { lines: parts = [] } = picture;
  const contents = focusOf(picture, solids) ?? [
    ...shown,
    ...(picture.paths ?? []),
    ...parts.map(({ points }) => points),
  ];
  const sphere = boundingSphere(contents);
  const view = new View(sphere, camera);
  const lines = [...(picture.caption === undefined ? [] : [picture.caption]), ...(picture.legend ?? [])];
  const height = fitView(view, contents, width, lines.length);
  const floor = picture.floor ?? Math.min(...solids.map(({ points }) => minHeight(points)));
  const id = idOf(picture.title);
  const patches = [
    ...solids.flatMap((solid, i) => facePatches(solid, i, view)),
    ...ghosts.map((ghost, i) => ghostPatch(ghost, solids.length + i, view)),
    ...(picture.paths ?? []).flatMap((path, i) => pathPatches(path, -1 - i, view)),
  ];
  const ordered = paintOrder(patches);
  const above = camera.elevation > 0;
  const marks = `${parts.length > 0 ? `\n${LINE_STYLE}` : ''}${picture.marks === undefined ? '' : `\n${MARK_STYLE}`}`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" ` +
      `height="${height}" role="img">`,
    `<title>${escaped(picture.title)}</title>`,
    `<style>\n${styleSheet(new Set(ordered.map(({ fill }) => fill)))}${marks}\n</style>`,
    ...(above ? [gridText(view, sphere, floor, id), shadowText(view, shown.slice(0, solids.length), floor, id)] : []),
    `<g class="f">\n${patchesText(ordered)}\n</g>`,
    `<g class="h">${(picture.paths ?? []).map((path) => hintText(path, view)).join('')}</g>`,
    ...(parts.length > 0 ? [`<g class="w">${parts.map((part) => partText(part, view)).join('')}</g>`] : []),
    ...(picture.marks === undefined ? [] : [marksText(picture.marks, view)]),
    ...(names ? [labelsText(solids, view, width, height)] : []),
    ...lines.flatMap((line, i) => (line === '' ? [] : [lineText(line, height - 12 - LINE * (lines.length - 1 - i))])),
    '</svg>\n',
  ].join('\n');
}

const lineText = (line: string, y: number) => `<text class="c" x="14" y="${y}">${escaped(line)}</text>`;

/** Radius of the region that is shown, relative to that of the bodies in focus. */
const SURROUNDINGS = 1.5;

/** Returns the vertices of a box about the bodies in focus; undefined without any. */
function focusOf({ focus }: Picture, solids: readonly Solid[]): readonly (readonly number[])[] | undefined {
  const seen = solids.filter(({ name }) => focus?.has(name));
  if (seen.length === 0) return undefined;
  const { center, radius } = boundingSphere(seen.map(({ points }) => points));
  const half = (SURROUNDINGS * radius) / Math.sqrt(3);
  const side = (k: number, bit: number) => center[k] + ((bit >> k) & 1 ? half : -half);
  return [[0, 1, 2, 3, 4, 5, 6, 7].flatMap((corner) => [0, 1, 2].map((k) => side(k, corner)))];
}

/** Returns the whole path, dotted, on top of everything else, to show its hidden parts. */
const hintText = (path: readonly number[], view: View) => `<path class="t5" d="${projected(path, view)}"/>`;

const partText = ({ status, points }: PathLine, view: View) =>
  `<path class="${status}" d="${projected(points, view)}"/>`;

function projected(path: readonly number[], view: View): string {
  const points: number[] = [];
  for (let k = 0; k < path.length; k += 3) points.push(...view.project(path[k], path[k + 1], path[k + 2]));
  return pathOf(points, false);
}

/** Rules for tool paths. */
const LINE_STYLE =
  '.w path{fill:none;stroke-width:2;stroke-linejoin:round;stroke-linecap:round}' +
  '.w .reachable{stroke:#1f9d4d}.w .slow{stroke:#e3a008}.w .blocked{stroke:#dc2626}';

/** Makes the gradients of several pictures on one page unique: letters and digits of the title. */
const idOf = (title: string): string => `e-${title.replace(/[^a-z0-9]+/gi, '-')}`;

/**
 * Returns the patches as SVG. Consecutive patches of one body do not hide each other: faces of one class are merged to
 * one path, and lines are drawn after all faces.
 */
function patchesText(patches: readonly Patch[]): string {
  const texts: string[] = [];
  for (let from = 0, to = 0; from < patches.length; from = to) {
    while (to < patches.length && patches[to].body === patches[from].body) to++;
    const drawn = new Map<string, string>();
    const add = (name: string, data: string) => drawn.set(name, (drawn.get(name) ?? '') + data);
    const run = patches.slice(from, to);
    for (const { fill, points } of run) if (fill !== '') add(fill, pathOf(points, true));
    for (const kind of ['e', 'l', 'p', 'o']) {
      for (const { sides, points } of run) {
        for (const [i, side] of sides.entries()) if (side.startsWith(kind)) add(side, pathOf(sideOf(points, i), false));
      }
    }
    for (const [name, data] of drawn) texts.push(`<path class="${name}" d="${data}"/>`);
  }
  return texts.join('\n');
}

function sideOf(points: readonly number[], i: number): number[] {
  const next = (3 * (i + 1)) % points.length;
  return [...points.slice(3 * i, 3 * i + 3), ...points.slice(next, next + 3)];
}

/** px around the contents, and below for the first line of text. */
const BORDER = 26;
const CAPTION = 22;
/** Height of each line below the first, px. */
const LINE = 18;

/** Maximum height of a picture, relative to its inner width. */
const HIGHEST = 0.8;

/**
 * Scales the contents to the width, or less if the height would exceed its maximum; returns the height of the picture,
 * px.
 * @param lines number of lines of text below
 */
function fitView(view: View, clouds: readonly (readonly number[])[], width: number, lines: number): number {
  let [x0, x1] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  let [y0, y1] = [x0, x1];
  for (const points of clouds) {
    for (let k = 0; k < points.length; k += 3) {
      const [x, y] = view.project(points[k], points[k + 1], points[k + 2]);
      [x0, x1, y0, y1] = [Math.min(x0, x), Math.max(x1, x), Math.min(y0, y), Math.max(y1, y)];
    }
  }
  if (!(x0 <= x1)) [x0, x1, y0, y1] = [-1, 1, -1, 1]; // no contents
  const room = width - 2 * BORDER;
  const scale = Math.min(room / Math.max(x1 - x0, 1e-9), (HIGHEST * room) / Math.max(y1 - y0, 1e-9));
  view.fit(scale, [width / 2 - (scale * (x0 + x1)) / 2, BORDER - scale * y0]);
  return Math.ceil(scale * (y1 - y0) + 2 * BORDER + (lines > 0 ? CAPTION + LINE * (lines - 1) : 0));
}

/** Height of a mark, and approximate width of a letter in it, px. */
const HEIGHT = 17;
const LETTER = 6.4;
/** Texts that are joined in one mark, at most. */
const MAX_JOINED = 3;

/** Rules for marks; those of other texts are in the style sheet of the picture. */
const MARK_STYLE = [
  '.m rect{fill:#fff;fill-opacity:.92;stroke:#1c2739}.m text{font-weight:600;stroke:none}',
  '@media (prefers-color-scheme:dark){.m rect{fill:#10161f;stroke:#e6ecf7}}',
].join('\n');

/** Returns the marks of a picture as SVG. Marks that would overlap are joined: `2, 5`; long lists end with `…`. */
function marksText(marks: readonly Mark[], view: View): string {
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

/**
 * Approximate number of grid lines from the centre to the edge of the floor; the spacing is 1 m for large machines, 10
 * cm for small ones.
 */
const LINES = 8;

/** Radius of the floor, in radii of the bounding sphere. */
const REACH = 1.5;

/** Height of the light that casts shadows, per unit of horizontal distance. */
const STEEPNESS = 2.4;

/**
 * Returns the floor grid as SVG, faded out towards the edge. `id` makes the gradients of several pictures on one page
 * unique.
 */
function gridText(view: View, { center, radius }: BoundingSphere, height: number, id: string): string {
  const reach = REACH * radius;
  const step = [0.02, 0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10].find((size) => reach / size <= LINES) ?? reach / LINES;
  const [cx, cy] = center;
  const lines: string[] = [];
  for (const along of [0, 1]) {
    const middle = along === 0 ? cx : cy;
    for (let k = Math.ceil((middle - reach) / step); k * step <= middle + reach; k++) {
      const off = k * step - middle;
      const half = Math.sqrt(Math.max(0, reach * reach - off * off));
      const ends = [-half, half].map((end) =>
        along === 0 ? view.project(k * step, cy + end, height) : view.project(cx + end, k * step, height),
      );
      lines.push(pathOf(ends.flat(), false));
    }
  }
  const rim = Array.from({ length: 48 }, (_, i) => {
    const angle = (2 * PI * i) / 48;
    return view.project(cx + reach * cos(angle), cy + reach * sin(angle), height);
  });
  const xs = rim.map(([x]) => x);
  const ys = rim.map(([, y]) => y);
  const [x0, x1] = [Math.min(...xs), Math.max(...xs)];
  const [y0, y1] = [Math.min(...ys), Math.max(...ys)];
  const squeeze = Math.max((y1 - y0) / (x1 - x0), 1e-3);
  const place = `translate(${number((x0 + x1) / 2)} ${number((y0 + y1) / 2)}) scale(1 ${number(squeeze, 4)})`;
  return (
    `<g class="grid"><defs><radialGradient id="${id}-fade" gradientUnits="userSpaceOnUse" cx="0" cy="0" ` +
    `r="${number((x1 - x0) / 2)}" gradientTransform="${place}"><stop offset="0" stop-opacity=".42"/><stop ` +
    'offset=".55" stop-opacity=".24"/><stop offset="1" stop-opacity="0"/></radialGradient></defs><path ' +
    `stroke="url(#${id}-fade)" d="${lines.join('')}"/></g>`
  );
}

/**
 * Returns the shadow of the bodies on the floor as SVG: one path, however many shadows overlap.
 * @param clouds vertices of each convex body, x, y, z each, in the world frame
 */
function shadowText(view: View, clouds: readonly (readonly number[])[], height: number, id: string): string {
  const outlines = clouds.map((points) => {
    const fallen: { x: number; y: number }[] = [];
    for (let k = 0; k < points.length; k += 3) {
      const drop = Math.max(0, points[k + 2] - height) / STEEPNESS;
      const [x, y] = view.project(
        points[k] + drop * (view.right[0] * 0.8 - view.toViewer[0] * 0.5),
        points[k + 1] + drop * (view.right[1] * 0.8 - view.toViewer[1] * 0.5),
        height,
      );
      fallen.push({ x, y });
    }
    return pathOf(
      planarHull(fallen).flatMap(({ x, y }) => [x, y, 0]),
      true,
    );
  });
  return (
    `<filter id="${id}-soft" x="-5%" y="-5%" width="110%" height="110%"><feGaussianBlur ` +
    `stdDeviation="3"/></filter><path class="shadow" filter="url(#${id}-soft)" d="${outlines.join('')}"/>`
  );
}
