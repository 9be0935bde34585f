import type { View } from './camera.ts';
import { planarHull } from './facets.ts';
import type { Patch } from './paintOrder.ts';
import { shadeClass, timeClass } from './palette.ts';
import type { Solid } from './solids.ts';

/** Returns the visible faces, with lines at sharp edges and heavier ones at the silhouette; or only the outline. */
export function facePatches(solid: Solid, body: number, view: View): Patch[] {
  const { facets, T, points, material } = solid;
  if (facets.faces.length === 0) return [outlinePatch(solid, body, view, 'e', shadeClass(material, OUTLINE_LIGHT))];
  const normals = facets.faces.map(({ normal: [x, y, z] }): [number, number, number] => [
    T[0] * x + T[1] * y + T[2] * z,
    T[4] * x + T[5] * y + T[6] * z,
    T[8] * x + T[9] * y + T[10] * z,
  ]);
  const seen = facets.faces.map(({ vertices }, f) => {
    const k = 3 * vertices[0];
    return view.facing(normals[f], points[k], points[k + 1], points[k + 2]) > 1e-4;
  });
  const faceAt = new Map<string, number>();
  for (const [f, { vertices }] of facets.faces.entries()) {
    for (const [i, corner] of vertices.entries()) faceAt.set(`${corner} ${vertices[(i + 1) % vertices.length]}`, f);
  }
  return facets.faces.flatMap(({ vertices }, f) => {
    if (!seen[f]) return [];
    const sides = vertices.map((corner, i) => {
      const beyond = faceAt.get(`${vertices[(i + 1) % vertices.length]} ${corner}`);
      if (beyond === undefined) return '';
      if (!seen[beyond]) return 'o';
      const bend = [0, 1, 2].reduce((sum, k) => sum + normals[f][k] * normals[beyond][k], 0);
      return bend < SHARP ? 'e' : '';
    });
    const flat = vertices.flatMap((c) => view.project(points[3 * c], points[3 * c + 1], points[3 * c + 2]));
    return [{ points: flat, sides, fill: shadeClass(material, lightOn(normals[f], view)), body, opaque: true }];
  });
}

/** Cosine of the dihedral angle from which an edge is drawn: 35°. */
const SHARP = 0.82;

/** Computes the light on a face, 0 to 1: a lamp over the viewer's left shoulder, and the sky. */
function lightOn(normal: readonly number[], { right, up, toViewer }: View): number {
  const lamp = [0, 1, 2].map((k) => -0.5 * right[k] + 0.62 * up[k] + 0.6 * toViewer[k]);
  const length = Math.sqrt(lamp.reduce((sum, x) => sum + x * x, 0));
  const direct = lamp.reduce((sum, x, k) => sum + x * normal[k], 0) / length;
  return 0.08 + 0.8 * Math.max(0, 0.25 + 0.75 * direct) + 0.12 * (0.5 + 0.5 * normal[2]);
}

/** Light on outlines. */
const OUTLINE_LIGHT = 0.75;

/** Returns the outline of a translucent part. */
export function ghostPatch(solid: Solid, body: number, view: View): Patch {
  return outlinePatch(solid, body, view, `l ${solid.material}`, `g ${solid.material}`);
}

/** Returns the outline of a part on the picture, and the mean depth of its points. */
export function outlineOf({ points }: Solid, view: View): { outline: { x: number; y: number }[]; depth: number } {
  const corners: { x: number; y: number }[] = [];
  let depth = 0;
  for (let k = 0; k < points.length; k += 3) {
    const [x, y, z] = view.project(points[k], points[k + 1], points[k + 2]);
    corners.push({ x, y });
    depth += (3 * z) / points.length;
  }
  return { outline: planarHull(corners), depth };
}

/** Returns the outline of a part as a flat polygon at the depth of its centre. */
function outlinePatch(solid: Solid, body: number, view: View, side: string, fill: string): Patch {
  const { outline, depth } = outlineOf(solid, view);
  return {
    points: outline.flatMap(({ x, y }) => [x, y, depth]),
    sides: outline.map(() => side),
    fill,
    body,
    opaque: false,
  };
}

/** Returns a path as single segments, each in the colour of its time. */
export function pathPatches(path: readonly number[], body: number, view: View): Patch[] {
  const patches: Patch[] = [];
  for (let k = 0; k + 5 < path.length; k += 3) {
    const ends = [k, k + 3].flatMap((at) => view.project(path[at], path[at + 1], path[at + 2]));
    const tone = timeClass((k + 1.5) / (path.length - 3));
    patches.push({ points: ends, sides: [`p ${tone}`, ''], fill: '', body, opaque: false });
  }
  return patches;
}
