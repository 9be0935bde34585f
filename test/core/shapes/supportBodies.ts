import type { Vec3 } from '../../../src/core/math/vec3.ts';
import type { SupportSpec } from '../../../src/core/shapes/supportShape.ts';

/**
 * {x : Σ |xᵢ / aᵢ|ᵖ <= 1}, the unit sphere of a p-norm: distances and growth distances of pairs along axes and about
 * centers have closed forms.
 */
export function superellipsoid(a: readonly number[], p: number): SupportSpec {
  const q = p / (p - 1);
  return {
    type: 'support',
    support: (out, d) => {
      const height = Math.hypot(...stretched(a, d).map((x) => Math.abs(x) ** (q / 2))) ** (2 / q);
      for (let i = 0; i < 3; i++) {
        const x = (a[i] * d[i]) / height;
        out[i] = a[i] * Math.sign(x) * Math.abs(x) ** (q - 1);
      }
    },
  };
}

/** Returns the norm with that unit sphere, and its gradient. */
export function superNorm(
  a: readonly number[],
  p: number,
  x: ArrayLike<number>,
): { value: number; gradient: number[] } {
  const parts = a.map((radius, i) => Math.abs(x[i] / radius));
  const value = parts.reduce((sum, part) => sum + part ** p, 0) ** (1 / p);
  return { value, gradient: a.map((radius, i) => (Math.sign(x[i]) * (parts[i] / value) ** (p - 1)) / radius) };
}

/**
 * A smooth hull: h(d) = (Σ max(0, v·d)ᵖ)^(1/p) over vertices v, differentiable; the support point is its gradient. It
 * contains the convex hull of the vertices and converges to it as p grows.
 */
export function smoothHull(vertices: readonly (readonly number[])[], p: number): SupportSpec {
  return {
    type: 'support',
    support: (out, d) => {
      const along = vertices.map((v) => Math.max(0, v[0] * d[0] + v[1] * d[1] + v[2] * d[2]));
      const max = Math.max(...along);
      const sum = along.reduce((total, x) => total + (x / max) ** p, 0);
      out.fill(0);
      vertices.forEach((v, i) => {
        const share = (along[i] / max) ** (p - 1) / sum ** ((p - 1) / p);
        for (let k = 0; k < 3; k++) out[k] += share * v[k];
      });
    },
  };
}

export const cubeVertices: readonly number[][] = Array.from({ length: 8 }, (_, i) => [
  i & 1 ? 1 : -1,
  i & 2 ? 1 : -1,
  i & 4 ? 1 : -1,
]);

const stretched = (a: readonly number[], d: Vec3): number[] => a.map((radius, i) => radius * d[i]);
