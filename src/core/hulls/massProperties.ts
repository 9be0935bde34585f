import type { Transform } from '../math/transform.ts';
import type { ConvexShape } from '../shapes/shape.ts';
import { type FaceList, polytopeFaces, roundedVertices } from './polytopeFaces.ts';

/**
 * Volume integrals of a solid of density 1. `center`: center of mass, metres; `moments`: second moments ∫ p pᵀ dV about
 * the center of mass, m⁵, in the order xx, yy, zz, xy, xz, yz.
 */
export interface VolumeIntegrals {
  /** Volume, m³. */
  readonly volume: number;
  /** Center of mass in the frame of the solid, metres. */
  readonly center: readonly [number, number, number];
  /** Second moments about the center of mass, in the axes of the frame. */
  readonly moments: readonly number[];
}

const { PI } = Math;

/**
 * Computes volume, center of mass and second moments of a shape in its own frame. Closed forms for primitives, exact
 * integrals over the tetrahedra of the faces for polytopes; shapes with a rounding margin (except spheres and capsules)
 * are replaced by the convex hull of support points along 2168 directions, whose volume is less than 1 % too small.
 * The volume of flat shapes is 0.
 */
export function volumeIntegrals(shape: ConvexShape): VolumeIntegrals {
  const { type, size, margin } = shape;
  if (type === 'sphere') return about(sphereVolume(margin), 0, axial(square(margin) / 5, square(margin) / 5));
  if (type === 'capsule') return capsule(size[0], margin);
  if (margin > 0) return polytope(roundedVertices(shape));
  if (type === 'box') return box(size);
  if (type === 'cylinder') return frustum(size[0], size[0], size[1]);
  if (type === 'cone' || type === 'frustum') return frustum(size[0], size[1], size[2]);
  if (type === 'ellipsoid') {
    const volume = sphereVolume(1) * size[0] * size[1] * size[2];
    return about(volume, 0, [square(size[0]) / 5, square(size[1]) / 5, square(size[2]) / 5]);
  }
  return polytope(type === 'convex' ? shape.vertices : roundedVertices(shape));
}

/** Sums the integrals of parts posed in one frame; overlaps of parts count twice. */
export function combined(parts: readonly { readonly own: VolumeIntegrals; readonly at: Transform }[]): VolumeIntegrals {
  const posed = parts.map(({ own, at }) => inFrame(own, at));
  const volume = posed.reduce((sum, one) => sum + one.volume, 0);
  if (!(volume > 0)) return { volume: 0, center: [0, 0, 0], moments: [0, 0, 0, 0, 0, 0] };
  const center = [0, 1, 2].map((k) => posed.reduce((sum, one) => sum + one.volume * one.center[k], 0) / volume);
  const moments = [0, 0, 0, 0, 0, 0];
  for (const one of posed) {
    const d = [0, 1, 2].map((k) => one.center[k] - center[k]);
    for (let m = 0; m < 6; m++) moments[m] += one.moments[m] + one.volume * d[ROW[m]] * d[COLUMN[m]];
  }
  return { volume, center: center as [number, number, number], moments };
}

/** Inertia tensor about the center of mass from second moments: tr(C) 1 − C, in the order xx, yy, zz, xy, xz, yz. */
export function inertiaOf([xx, yy, zz, xy, xz, yz]: readonly number[]): number[] {
  return [yy + zz, xx + zz, xx + yy, -xy, -xz, -yz];
}

/** Row and column of each of the six second moments. */
const ROW = [0, 1, 2, 0, 0, 1];
const COLUMN = [0, 1, 2, 1, 2, 2];

/** Returns the integrals of a solid with its center at height z and moments per volume. */
const about = (volume: number, z: number, perVolume: readonly number[]): VolumeIntegrals => ({
  volume,
  center: [0, 0, z],
  moments: [...perVolume.map((moment) => volume * moment), 0, 0, 0],
});
const axial = (across: number, along: number): readonly number[] => [across, across, along];
const square = (x: number) => x * x;
const sphereVolume = (radius: number) => (4 / 3) * PI * radius * square(radius);

function box([x, y, z]: Float64Array): VolumeIntegrals {
  return about(8 * x * y * z, 0, [square(x) / 3, square(y) / 3, square(z) / 3]);
}

/** Cylinder between z = ±half and two hemispheres, whose centers of mass are 3/8 of the radius above their planes. */
function capsule(half: number, radius: number): VolumeIntegrals {
  const middle = 2 * PI * square(radius) * half;
  const caps = sphereVolume(radius);
  const across = middle * (square(radius) / 4) + caps * (square(radius) / 5);
  const along = middle * (square(half) / 3) + caps * (square(radius) / 5 + square(half) + 0.75 * half * radius);
  const volume = middle + caps;
  return about(volume, 0, axial(across / volume, along / volume));
}

/** Frustum of radii a at z = −half and b at z = half: integrals of π r(z)² and π r(z)⁴ / 4 along the axis. */
function frustum(a: number, b: number, half: number): VolumeIntegrals {
  const d = b - a;
  const length = 2 * half;
  const area = (a * a + a * b + b * b) / 3; // ∫ r² dt over t = 0 … 1, then with the factors t and t²
  const first = a * a * (1 / 2) + a * d * (2 / 3) + (d * d) / 4;
  const second = (a * a) / 3 + (a * d) / 2 + (d * d) / 5;
  const fourth = (a * a * a * a + a * a * a * b + a * a * b * b + a * b * b * b + b * b * b * b) / 5;
  const center = first / area;
  const across = fourth / (4 * area);
  const along = length * length * (second / area - center * center);
  return about(PI * length * area, length * (center - 0.5), axial(across, along));
}

/** Sums over the tetrahedra of the faces and a point within: exact up to rounding. */
function polytope(vertices: Float64Array): VolumeIntegrals {
  const faces = polytopeFaces(vertices);
  return faces === undefined
    ? { volume: 0, center: [0, 0, 0], moments: [0, 0, 0, 0, 0, 0] }
    : tetrahedra(vertices, faces);
}

function tetrahedra(vertices: Float64Array, { triangles }: FaceList): VolumeIntegrals {
  const from = [vertices[0], vertices[1], vertices[2]];
  let volume = 0;
  const first = [0, 0, 0];
  const moments = [0, 0, 0, 0, 0, 0];
  for (let f = 0; f < triangles.length; f += 3) {
    const p = [0, 1, 2].map((c) => [0, 1, 2].map((k) => vertices[3 * triangles[f + c] + k] - from[k]));
    const [a, b, c] = p;
    const det =
      a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) + a[2] * (b[0] * c[1] - b[1] * c[0]);
    const sum = [0, 1, 2].map((k) => a[k] + b[k] + c[k]);
    volume += det / 6;
    for (let k = 0; k < 3; k++) first[k] += (det / 24) * sum[k];
    for (let m = 0; m < 6; m++) {
      const [i, j] = [ROW[m], COLUMN[m]];
      moments[m] += (det / 120) * (a[i] * a[j] + b[i] * b[j] + c[i] * c[j] + sum[i] * sum[j]);
    }
  }
  const mean = first.map((x) => x / volume);
  return {
    volume,
    center: [from[0] + mean[0], from[1] + mean[1], from[2] + mean[2]],
    moments: moments.map((x, m) => x - volume * mean[ROW[m]] * mean[COLUMN[m]]),
  };
}

/** Moments are transformed as C' = R C Rᵀ. */
function inFrame({ volume, center, moments }: VolumeIntegrals, T: Transform): VolumeIntegrals {
  const [xx, yy, zz, xy, xz, yz] = moments;
  const C = [
    [xx, xy, xz],
    [xy, yy, yz],
    [xz, yz, zz],
  ];
  const R = [0, 4, 8].map((row) => [T[row], T[row + 1], T[row + 2]]);
  const turned = ROW.map((i, m) => {
    let sum = 0;
    for (let k = 0; k < 3; k++) for (let l = 0; l < 3; l++) sum += R[i][k] * C[k][l] * R[COLUMN[m]][l];
    return sum;
  });
  const at = [0, 1, 2].map((i) => T[4 * i + 3] + R[i][0] * center[0] + R[i][1] * center[1] + R[i][2] * center[2]);
  return { volume, center: at as [number, number, number], moments: turned };
}
