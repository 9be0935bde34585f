import { derived } from '../../core/math/derived.ts';
import type { Transform } from '../../core/math/transform.ts';
import type { ConvexShape } from '../../core/shapes/shape.ts';
import type { BoundingSphere } from './camera.ts';
import { type Facets, facetsOf, supportPoints } from './facets.ts';
import { SOLIDS, timeClass } from './palette.ts';
import type { Picture, PosedShape } from './picture.ts';

/** Directions about the axis of a round body. */
const AROUND = 24;

/**
 * Bodies of more rounded parts (clouds) are drawn as outlines of this many points per part: thousands of faces would
 * intersect each other.
 */
const MANY_PARTS = 32;
const AROUND_OUTLINES = 10;

/** A convex part in the world frame, with its material. */
export interface Solid {
  readonly name: string;
  readonly material: string;
  /** Without faces: only its outline is drawn. */
  readonly facets: Facets;
  readonly T: Transform;
  /** Vertices in the world frame, x, y, z each. */
  readonly points: readonly number[];
}

/**
 * Returns the parts of the bodies of a picture. Obstacles whose names differ only in a number (`board_1`, `board_2`)
 * have the same tone.
 */
export async function solidsOf({ bodies }: Picture): Promise<Solid[]> {
  const solids: Solid[] = [];
  const turns = { link: 0, carried: 0, obstacle: 0 };
  const tones = new Map<string, number>();
  for (const { name, parts, kind, family: stated } of bodies) {
    if (parts.length === 0) continue;
    const family = stated ?? (kind === 'obstacle' ? name.replace(/[-_ ]?\d*$/, '').replace(/[-_ ].*$/, '') : name);
    const turn = tones.get(family) ?? turns[kind]++;
    if (kind === 'obstacle') tones.set(family, turn);
    const material = kind === 'carried' ? 'carried' : kind === 'link' ? `link${turn % 2}` : `solid${turn % SOLIDS}`;
    const isCloud = parts.length > MANY_PARTS;
    for (const part of parts) solids.push(await solidOf(part, name, material, isCloud));
  }
  return solids;
}

/** Returns the parts of its ghosts; the material is the class of their time. */
export async function ghostsOf({ ghosts = [] }: Picture): Promise<Solid[]> {
  const solids: Solid[] = [];
  for (const { when, parts } of ghosts) for (const part of parts) solids.push(await solidOf(part, '', timeClass(when)));
  return solids;
}

/** Faces of a shape. */
const facesOf = derived((shape: ConvexShape) => facetsOf(shape, AROUND));
/** Points on the outline of a shape. */
const outlineOf = derived(
  (shape: ConvexShape): Facets => ({ points: supportPoints(shape, AROUND_OUTLINES), faces: [] }),
);

async function solidOf(
  { shape, T_world_shape: T }: PosedShape,
  name: string,
  material: string,
  isOfMany = false,
): Promise<Solid> {
  const facets = await (isOfMany && shape.margin > 0 ? outlineOf(shape) : facesOf(shape));
  const points: number[] = [];
  for (let k = 0; k < facets.points.length; k += 3) {
    const [x, y, z] = facets.points.subarray(k, k + 3);
    for (let row = 0; row < 12; row += 4) points.push(T[row] * x + T[row + 1] * y + T[row + 2] * z + T[row + 3]);
  }
  return { name, material, facets, T, points };
}

/** Computes the sphere around the bounding box of all points. */
export function boundingSphere(clouds: readonly (readonly number[])[]): BoundingSphere {
  const low = [0, 1, 2].map(() => Number.POSITIVE_INFINITY);
  const high = [0, 1, 2].map(() => Number.NEGATIVE_INFINITY);
  for (const points of clouds) {
    for (let k = 0; k < points.length; k++) {
      low[k % 3] = Math.min(low[k % 3], points[k]);
      high[k % 3] = Math.max(high[k % 3], points[k]);
    }
  }
  if (!(low[0] <= high[0])) return { center: [0, 0, 0], radius: 1 };
  const half = [0, 1, 2].map((k) => (high[k] - low[k]) / 2);
  const radius = Math.sqrt(half[0] * half[0] + half[1] * half[1] + half[2] * half[2]);
  return { center: [low[0] + half[0], low[1] + half[1], low[2] + half[2]], radius: Math.max(radius, 1e-6) };
}

/** Returns the minimum z of points x, y, z each. */
export function minHeight(points: readonly number[]): number {
  let least = Number.POSITIVE_INFINITY;
  for (let k = 2; k < points.length; k += 3) least = Math.min(least, points[k]);
  return least;
}
