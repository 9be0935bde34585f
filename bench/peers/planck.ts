import type { PlanarTransform } from '../../src/core/math/planar.ts';
import { importPeer } from './npm.ts';

type Point = { x: number; y: number };

/** The parts of the package that are used here. */
interface Planck {
  readonly Settings: { maxPolygonVertices: number };
  readonly Polygon: new (points: Point[]) => PlanckShape;
  readonly Transform: new (p: Point, angle: number) => PlanckTransform;
  readonly Distance: ((output: { distance: number }, cache: { count: number }, input: PlanckInput) => void) & {
    testOverlap(
      a: PlanckShape,
      i: number,
      b: PlanckShape,
      j: number,
      T_a: PlanckTransform,
      T_b: PlanckTransform,
    ): boolean;
  };
  readonly DistanceInput: new () => PlanckInput;
  readonly DistanceOutput: new () => { distance: number };
  readonly SimplexCache: new () => { count: number };
}
interface PlanckShape {
  m_radius: number;
}
interface PlanckTransform {
  q: { s: number; c: number };
}
interface PlanckInput {
  useRadii: boolean;
  readonly proxyA: { set(shape: PlanckShape, index: number): void };
  readonly proxyB: { set(shape: PlanckShape, index: number): void };
  transformA: PlanckTransform;
  transformB: PlanckTransform;
}

export interface PlanarPeer {
  readonly name: string;
  shape(points: readonly (readonly [number, number])[]): PlanckShape;
  pose(T: PlanarTransform): PlanckTransform;
  collides(a: PlanckShape, T_a: PlanckTransform, b: PlanckShape, T_b: PlanckTransform): boolean;
  distance(a: PlanckShape, T_a: PlanckTransform, b: PlanckShape, T_b: PlanckTransform): number;
}

/**
 * Box2D's GJK in TypeScript; undefined if it is not installed. Its polygons are rounded by default; here the rounding
 * is disabled.
 */
export async function planckPeer(): Promise<PlanarPeer | undefined> {
  const found = await importPeer<Planck>('planck');
  if (found === undefined) return undefined;
  const { module: planck, version } = found;
  planck.Settings.maxPolygonVertices = 64;
  const input = new planck.DistanceInput();
  input.useRadii = false;
  const output = new planck.DistanceOutput();
  const cache = new planck.SimplexCache();
  return {
    name: `planck ${version}`,
    shape: (points) => {
      const shape = new planck.Polygon(points.map(([x, y]) => ({ x, y })));
      shape.m_radius = 0;
      return shape;
    },
    pose: ([cosine, sine, x, y]) => {
      const T = new planck.Transform({ x, y }, 0);
      T.q.c = cosine;
      T.q.s = sine;
      return T;
    },
    collides: (a, T_a, b, T_b) => planck.Distance.testOverlap(a, 0, b, 0, T_a, T_b),
    distance: (a, T_a, b, T_b) => {
      input.proxyA.set(a, 0);
      input.proxyB.set(b, 0);
      input.transformA = T_a;
      input.transformB = T_b;
      cache.count = 0;
      planck.Distance(output, cache, input);
      return output.distance;
    },
  };
}
