import type { Transform } from '../math/transform.ts';
import { create, dot, type Vec3 } from '../math/vec3.ts';
import { isHalfspace } from '../shapes/halfspace.ts';
import type { ConvexShape } from '../shapes/shape.ts';
import { computeFeature, Feature, MAX_FEATURE } from './contactFeature.ts';

/** Largest number of contact points of a pair: more are reduced to the ones that span most. */
const MAX_CONTACTS = 8;
/** Capacity during clipping: each edge of the clipping polygon adds at most one vertex. */
const CAPACITY = 2 * MAX_FEATURE + 2;
/** Sine of the angle between two segments below which they count as parallel. */
const PARALLEL = 0.02;

/** A posed pair with the normal of its contact. */
export interface ContactQuery {
  readonly a: ConvexShape;
  readonly T_world_a: Transform;
  readonly b: ConvexShape;
  readonly T_world_b: Transform;
  /** Unit vector from A to B, world frame. */
  readonly normal: Vec3;
  /** Gap of the support planes along the normal, metres; negative: they overlap. */
  gap: number;
  /** Point between the two shapes where they are nearest, or overlap. */
  readonly witness: Vec3;
}

/**
 * Contact points of a pair: the intersection of the facing features of both shapes, projected along the normal. Face
 * against face is clipped; each point has its own gap.
 */
export class ContactManifold {
  count = 0;
  /** Points halfway between the surfaces, world frame. */
  readonly points = new Float64Array(3 * CAPACITY);
  /** Gap along the normal at each point, metres; negative: overlap. */
  readonly gaps = new Float64Array(CAPACITY);

  private readonly featureA = new Feature();
  private readonly featureB = new Feature();
  private readonly back: Vec3 = create();
  private readonly u: Vec3 = create();
  private readonly v: Vec3 = create();
  /** Projected features and clipped polygons: u, v and the height along the normal. */
  private readonly flatA = new Float64Array(3 * CAPACITY);
  private readonly flatB = new Float64Array(3 * CAPACITY);
  private clipped = new Float64Array(3 * CAPACITY);
  private scratch = new Float64Array(3 * CAPACITY);

  /** Computes the contact points whose gap is at most `maxGap`; at least one if the gap of the pair is. */
  compute(query: ContactQuery, maxGap: number): void {
    this.count = 0;
    const { a, T_world_a, b, T_world_b, normal, gap } = query;
    const { featureA, featureB, back } = this;
    for (let k = 0; k < 3; k++) back[k] = -normal[k];
    computeFeature(featureA, a, T_world_a, normal);
    if (!isHalfspace(b)) computeFeature(featureB, b, T_world_b, back);
    if (isHalfspace(b)) this.ontoPlane(query, maxGap);
    else if (featureA.count === 1) this.addOnto(featureA, normal, a.margin + gap / 2, gap);
    else if (featureB.count === 1) this.addOnto(featureB, normal, -b.margin - gap / 2, gap);
    else if (featureA.count > 1 && featureB.count > 1) this.intersect(query, maxGap);
    if (this.count === 0 && gap <= maxGap) this.add(query.witness, gap);
    if (this.count > MAX_CONTACTS) this.reduce();
  }

  private addOnto({ points }: Feature, n: Vec3, height: number, gap: number): void {
    const { back } = this;
    for (let k = 0; k < 3; k++) back[k] = points[k] + height * n[k];
    this.add(back, gap);
  }

  /** Adds the vertices of the feature of A over the half-space B. */
  private ontoPlane({ a, b, T_world_b: T, normal }: ContactQuery, maxGap: number): void {
    const { featureA, back } = this;
    const plane = normal[0] * T[3] + normal[1] * T[7] + normal[2] * T[11] - b.margin;
    for (let i = 0; i < featureA.count; i++) {
      for (let k = 0; k < 3; k++) back[k] = featureA.points[3 * i + k];
      const gap = plane - dot(normal, back) - a.margin;
      if (gap > maxGap) continue;
      for (let k = 0; k < 3; k++) back[k] += (a.margin + gap / 2) * normal[k];
      this.add(back, gap);
    }
  }

  private add(point: Vec3, gap: number): void {
    const i = this.count++;
    this.gaps[i] = gap;
    for (let k = 0; k < 3; k++) this.points[3 * i + k] = point[k];
  }

  private intersect({ a, b, normal }: ContactQuery, maxGap: number): void {
    const { featureA, featureB, flatA, flatB, u, v } = this;
    axes(u, v, normal);
    project(flatA, featureA, u, v, normal, a.margin);
    project(flatB, featureB, u, v, normal, -b.margin);
    const isFaceA = featureA.count > 2;
    const isFaceB = featureB.count > 2;
    if (!isFaceA && !isFaceB) {
      this.crossSegments(maxGap, normal);
      return;
    }
    // The face clips the other feature. Face B is seen from behind, so that its vertices run clockwise.
    const face = isFaceA ? featureA : featureB;
    const [clipper, subject] = isFaceA ? [flatA, flatB] : [flatB, flatA];
    const count = this.clip(subject, isFaceA ? featureB.count : featureA.count, clipper, face.count, isFaceA ? 1 : -1);
    const { normal: N } = face;
    const [Nu, Nv, Nn] = [dot(N, u), dot(N, v), dot(N, normal)];
    const offset = Nu * clipper[0] + Nv * clipper[1] + Nn * clipper[2];
    const { clipped } = this;
    for (let i = 0; i < count; i++) {
      const x = clipped[3 * i];
      const y = clipped[3 * i + 1];
      const onFace = (offset - Nu * x - Nv * y) / Nn;
      const other = clipped[3 * i + 2];
      const gap = isFaceA ? other - onFace : onFace - other;
      if (gap <= maxGap) this.addProjected(x, y, (onFace + other) / 2, gap, normal);
    }
  }

  private addProjected(x: number, y: number, height: number, gap: number, normal: Vec3): void {
    const { back, u, v } = this;
    for (let k = 0; k < 3; k++) back[k] = x * u[k] + y * v[k] + height * normal[k];
    this.add(back, gap);
  }

  /** Clips a polygon or a segment by a convex polygon [Sutherland74]; returns the number of vertices left. */
  private clip(subject: Float64Array, count: number, clipper: Float64Array, sides: number, turn: number): number {
    for (let i = 0; i < 3 * count; i++) this.clipped[i] = subject[i];
    let left = count;
    for (let i = 0; i < sides && left > 0; i++) {
      const from = 3 * i;
      const to = i === sides - 1 ? 0 : 3 * (i + 1);
      const ex = turn * (clipper[to] - clipper[from]);
      const ey = turn * (clipper[to + 1] - clipper[from + 1]);
      left = this.cut(left, clipper[from], clipper[from + 1], ex, ey, count === 2);
    }
    return left;
  }

  /** Keeps what is to the left of the line through (x, y) along (ex, ey). */
  private cut(count: number, x: number, y: number, ex: number, ey: number, isSegment: boolean): number {
    const { clipped: given, scratch: out } = this;
    const side = (i: number) => ex * (given[3 * i + 1] - y) - ey * (given[3 * i] - x);
    let kept = 0;
    const edges = isSegment && count < 3 ? count - 1 : count;
    if (isSegment && count === 1) return side(0) >= 0 ? 1 : 0;
    for (let i = 0; i < edges; i++) {
      const j = i + 1 < count ? i + 1 : 0;
      const [s, t] = [side(i), side(j)];
      if (s >= 0) kept = copyPoint(out, kept, given, i);
      if (s >= 0 === t >= 0) continue;
      const share = s / (s - t);
      for (let k = 0; k < 3; k++) out[3 * kept + k] = given[3 * i + k] + share * (given[3 * j + k] - given[3 * i + k]);
      kept++;
    }
    if (isSegment && side(count - 1) >= 0) kept = copyPoint(out, kept, given, count - 1);
    this.clipped = out;
    this.scratch = given;
    return Math.min(kept, CAPACITY - 2);
  }

  /** Adds where two segments cross, or both ends of the common part of parallel ones. */
  private crossSegments(maxGap: number, normal: Vec3): void {
    const { flatA: a, flatB: b } = this;
    const [ax, ay] = [a[3] - a[0], a[4] - a[1]];
    const [bx, by] = [b[3] - b[0], b[4] - b[1]];
    const lengthA = ax * ax + ay * ay;
    const cross = ax * by - ay * bx;
    const add = (s: number, t: number) => {
      const [ha, hb] = [a[2] + s * (a[5] - a[2]), b[2] + t * (b[5] - b[2])];
      const x = (a[0] + s * ax + b[0] + t * bx) / 2;
      const y = (a[1] + s * ay + b[1] + t * by) / 2;
      if (hb - ha <= maxGap) this.addProjected(x, y, (ha + hb) / 2, hb - ha, normal);
    };
    const [dx, dy] = [b[0] - a[0], b[1] - a[1]];
    if (cross * cross > PARALLEL * PARALLEL * lengthA * (bx * bx + by * by)) {
      add(clamp((dx * by - dy * bx) / cross), clamp((dx * ay - dy * ax) / cross));
      return;
    }
    const s0 = (dx * ax + dy * ay) / lengthA;
    const s1 = s0 + (bx * ax + by * ay) / lengthA;
    const [low, high] = [Math.max(0, Math.min(s0, s1)), Math.min(1, Math.max(s0, s1))];
    if (low > high) return;
    const along = (s: number) => (s1 === s0 ? 0 : clamp((s - s0) / (s1 - s0)));
    add(low, along(low));
    if (high > low) add(high, along(high));
  }

  /** Keeps the deepest point, then repeatedly the one farthest from those kept. */
  private reduce(): void {
    const { points, gaps, count } = this;
    const swap = (i: number, j: number) => {
      [gaps[i], gaps[j]] = [gaps[j], gaps[i]];
      for (let k = 0; k < 3; k++) [points[3 * i + k], points[3 * j + k]] = [points[3 * j + k], points[3 * i + k]];
    };
    let deepest = 0;
    for (let i = 1; i < count; i++) if (gaps[i] < gaps[deepest]) deepest = i;
    swap(0, deepest);
    for (let kept = 1; kept < MAX_CONTACTS; kept++) {
      let best = kept;
      let farthest = -1;
      for (let i = kept; i < count; i++) {
        let nearest = Number.POSITIVE_INFINITY;
        for (let j = 0; j < kept; j++) nearest = Math.min(nearest, squaredDistance(points, i, j));
        if (nearest <= farthest) continue;
        farthest = nearest;
        best = i;
      }
      swap(kept, best);
    }
    this.count = MAX_CONTACTS;
  }
}

/** Computes two unit vectors perpendicular to the unit vector n, with u × v = n. */
export function axes(u: Vec3, v: Vec3, n: Vec3): void {
  const [x, y, z] = n;
  if (Math.abs(x) < 0.6) {
    const length = Math.sqrt(y * y + z * z);
    u[0] = 0;
    u[1] = z / length;
    u[2] = -y / length;
  } else {
    const length = Math.sqrt(x * x + z * z);
    u[0] = -z / length;
    u[1] = 0;
    u[2] = x / length;
  }
  v[0] = y * u[2] - z * u[1];
  v[1] = z * u[0] - x * u[2];
  v[2] = x * u[1] - y * u[0];
}

function project(out: Float64Array, { points, count }: Feature, u: Vec3, v: Vec3, n: Vec3, margin: number): void {
  for (let i = 0; i < 3 * count; i += 3) {
    const [x, y, z] = [points[i], points[i + 1], points[i + 2]];
    out[i] = u[0] * x + u[1] * y + u[2] * z;
    out[i + 1] = v[0] * x + v[1] * y + v[2] * z;
    out[i + 2] = n[0] * x + n[1] * y + n[2] * z + margin;
  }
}

function copyPoint(out: Float64Array, at: number, given: Float64Array, i: number): number {
  for (let k = 0; k < 3; k++) out[3 * at + k] = given[3 * i + k];
  return at + 1;
}

const clamp = (x: number) => Math.min(1, Math.max(0, x));

function squaredDistance(points: Float64Array, i: number, j: number): number {
  let sum = 0;
  for (let k = 0; k < 3; k++) {
    const d = points[3 * i + k] - points[3 * j + k];
    sum += d * d;
  }
  return sum;
}
