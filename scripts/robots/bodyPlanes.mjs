// Planes and extents of bodies, for the checks that they contain the published meshes.
import { readFileSync } from 'node:fs';
import { cross, dot } from './convexBody.mjs';

/** Reads a Wavefront OBJ file that `objText` wrote: {vertices, faces}, faces as lists of vertex indices. */
export function readObj(file) {
  const lines = readFileSync(file, 'utf8').split('\n');
  const rows = (kind) =>
    lines.filter((line) => line.startsWith(`${kind} `)).map((line) => line.split(' ').slice(1).map(Number));
  return { vertices: rows('v'), faces: rows('f').map((face) => face.map((n) => n - 1)) };
}

/**
 * Returns the planes of the faces, outward: {normal, offset}; the normal of a face is that of its whole outline
 * (Newell), for its vertices are rounded.
 */
export function planesOf({ vertices, faces }) {
  return faces.map((face) => {
    const points = face.map((n) => vertices[n]);
    const sum = [0, 0, 0];
    for (const [i, a] of points.entries()) {
      const b = points[(i + 1) % points.length];
      for (const [k, c] of cross(a, b).entries()) sum[k] += c;
    }
    const normal = sum.map((c) => c / Math.hypot(...sum));
    return { normal, offset: Math.min(...points.map((p) => dot(normal, p))) };
  });
}

/** Returns directions spread evenly over the sphere, along a spiral. */
export function directions(count) {
  return Array.from({ length: count }, (_, i) => {
    const z = 1 - (2 * i + 1) / count;
    const [angle, r] = [i * Math.PI * (3 - Math.sqrt(5)), Math.sqrt(1 - z * z)];
    return [r * Math.cos(angle), r * Math.sin(angle), z];
  });
}

/** Returns the greatest extent of points along a direction. */
export function support(points, d) {
  return points.reduce((best, p) => Math.max(best, dot(d, p)), Number.NEGATIVE_INFINITY);
}
