import { polytopeFaces } from '../hulls/polytopeFaces.ts';
import { derived } from '../math/derived.ts';
import { rotate, rotateBack, type Transform, transformPoint } from '../math/transform.ts';
import { cos, PI, sin } from '../math/trigonometry.ts';
import { create, type Vec3 } from '../math/vec3.ts';
import type { ConvexShape } from '../shapes/shape.ts';

/** Vertices of the polygon that replaces the rim of a cylinder, cone or frustum. */
const RIM = 16;
/** Largest number of vertices of a feature. */
export const MAX_FEATURE = 24;
/**
 * Sine of the tilt up to which the polygon of a rim is fixed in the body, so that contacts persist; above it, a vertex
 * is the lowest point of the rim. The error of the fixed polygon is below 2e-4 of the radius.
 */
const FIXED_RIM_TILT = 0.01;
/** Cosine of the angle between a segment and the normal above which only the end of the segment can touch. */
const END_ONLY = 0.95;
/** Smallest cosine between the normals of a face and of the contact: flatter faces are seen edge-on. */
const EDGE_ON = 0.1;

/**
 * Part of the surface of a shape that can touch a plane: a point, a segment or a convex polygon. `count` 0: unknown, as
 * for flat shapes. World frame; without the margin.
 */
export class Feature {
  count = 0;
  readonly points = new Float64Array(3 * MAX_FEATURE);
  /** Unit outward normal of the polygon; valid if `count` > 2. Polygons are counterclockwise about it. */
  readonly normal: Vec3 = create();
}

const rimCosines = Float64Array.from({ length: RIM }, (_, i) => cos((2 * PI * i) / RIM));
const rimSines = Float64Array.from({ length: RIM }, (_, i) => sin((2 * PI * i) / RIM));
const boxLoops: readonly (readonly number[])[] = [
  [0, 4, 6, 2],
  [1, 3, 7, 5],
  [0, 1, 5, 4],
  [2, 6, 7, 3],
  [0, 2, 3, 1],
  [4, 5, 7, 6],
];

/** Faces of a `convex` shape; undefined if it is flat. */
const facesOf = derived(({ vertices }: ConvexShape) => ({ faces: polytopeFaces(vertices) }));

const d = create();
const p = create();

/** Computes the feature of a posed shape that faces along the unit vector `n`, world frame. */
export function computeFeature(out: Feature, shape: ConvexShape, T_world_shape: Transform, n: Vec3): void {
  rotateBack(d, T_world_shape, n);
  const { type, size } = shape;
  if (type === 'box') boxFace(out, size);
  else if (type === 'convex') polytopeFace(out, shape);
  else if (type === 'capsule') segment(out, 0, 0, -size[0], 0, 0, size[0]);
  else if (type === 'cylinder') revolved(out, size[0], size[0], size[1]);
  else if (type === 'cone' || type === 'frustum') revolved(out, size[0], size[1], size[2]);
  else supportPoint(out, shape);
  const { points, normal } = out;
  for (let i = 0; i < out.count; i++) {
    p[0] = points[3 * i];
    p[1] = points[3 * i + 1];
    p[2] = points[3 * i + 2];
    transformPoint(p, T_world_shape, p);
    points[3 * i] = p[0];
    points[3 * i + 1] = p[1];
    points[3 * i + 2] = p[2];
  }
  if (out.count > 2) rotate(normal, T_world_shape, normal);
}

function supportPoint(out: Feature, shape: ConvexShape): void {
  shape.support(p, shape, d, -1);
  out.count = 0;
  add(out, p[0], p[1], p[2]);
}

function add(out: Feature, x: number, y: number, z: number): void {
  const o = 3 * out.count++;
  out.points[o] = x;
  out.points[o + 1] = y;
  out.points[o + 2] = z;
}

function boxFace(out: Feature, half: Float64Array): void {
  const [x, y, z] = [Math.abs(d[0]), Math.abs(d[1]), Math.abs(d[2])];
  const axis = x >= y && x >= z ? 0 : y >= z ? 1 : 2;
  const side = d[axis] < 0 ? 0 : 1;
  out.count = 0;
  for (const k of boxLoops[2 * axis + side]) {
    add(
      out,
      (k & 1) === 1 ? half[0] : -half[0],
      (k & 2) === 2 ? half[1] : -half[1],
      (k & 4) === 4 ? half[2] : -half[2],
    );
  }
  out.normal.fill(0);
  out.normal[axis] = 2 * side - 1;
}

function polytopeFace(out: Feature, shape: ConvexShape): void {
  const { faces } = facesOf(shape);
  out.count = 0;
  if (faces === undefined) return;
  const { normals, loops } = faces;
  let best = 0;
  let most = Number.NEGATIVE_INFINITY;
  for (let f = 0; f < loops.length; f++) {
    const along = normals[3 * f] * d[0] + normals[3 * f + 1] * d[1] + normals[3 * f + 2] * d[2];
    if (along <= most) continue;
    most = along;
    best = f;
  }
  if (most < EDGE_ON) {
    supportPoint(out, shape);
    return;
  }
  const loop = loops[best];
  const count = Math.min(loop.length, MAX_FEATURE); // a face with more vertices: an evenly spaced selection
  for (let k = 0; k < count; k++) {
    const at = 3 * loop[Math.floor((k * loop.length) / count)];
    add(out, shape.vertices[at], shape.vertices[at + 1], shape.vertices[at + 2]);
  }
  for (let k = 0; k < 3; k++) out.normal[k] = normals[3 * best + k];
}

function segment(out: Feature, x0: number, y0: number, z0: number, x1: number, y1: number, z1: number): void {
  const [x, y, z] = [x1 - x0, y1 - y0, z1 - z0];
  const length = Math.sqrt(x * x + y * y + z * z);
  const along = x * d[0] + y * d[1] + z * d[2];
  out.count = 0;
  if (along <= END_ONLY * length) add(out, x0, y0, z0);
  if (along > -END_ONLY * length) add(out, x1, y1, z1);
}

/** Cap or line of the side of a frustum of radii a (bottom) and b (top), whichever faces along d. */
function revolved(out: Feature, a: number, b: number, half: number): void {
  const rho = Math.sqrt(d[0] * d[0] + d[1] * d[1]);
  // Outward normal of the side in the half-plane (ρ, z), of length `slant`.
  const slant = Math.sqrt(4 * half * half + (a - b) * (a - b));
  const side = (2 * half * rho + (a - b) * d[2]) / slant;
  const top = d[2] > 0;
  const radius = top ? b : a;
  const [cosine, sine] = rho > 0 ? [d[0] / rho, d[1] / rho] : [1, 0];
  if (side > Math.abs(d[2]) || radius === 0) {
    segment(out, a * cosine, a * sine, -half, b * cosine, b * sine, half);
    return;
  }
  const [c0, s0] = rho > FIXED_RIM_TILT ? [cosine, sine] : [1, 0];
  const z = top ? half : -half;
  const turn = top ? 1 : -1;
  out.count = 0;
  for (let i = 0; i < RIM; i++) {
    const [c, s] = [rimCosines[i], turn * rimSines[i]];
    add(out, radius * (c0 * c - s0 * s), radius * (s0 * c + c0 * s), z);
  }
  out.normal[0] = 0;
  out.normal[1] = 0;
  out.normal[2] = turn;
}
