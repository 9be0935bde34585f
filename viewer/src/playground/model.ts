import { createShape } from 'elbowroom';
import {
  createPairQuery,
  createPlanarShape,
  type PairResult,
  type QuerySolverName,
  type ShapePair,
  type TracedStep,
} from 'elbowroom/collision';

export type Point = readonly [number, number];

/** A shape on the page: its kind, position in metres, and angle in radians. */
export interface Body {
  kind: BodyKind;
  x: number;
  y: number;
  angle: number;
}

/** What the address of the page contains. */
export interface State {
  readonly a: Body;
  readonly b: Body;
  algorithm: AlgorithmName;
  /** Shown step, from 1. */
  step: number;
}

const regular = (count: number, width: number, height = width): Point[] =>
  Array.from({ length: count }, (_, k) => {
    const t = (2 * Math.PI * (k + 0.5)) / count;
    return [width * Math.cos(t), height * Math.sin(t)];
  });

/** Corners of each kind, counterclockwise about its center; a disc has a radius instead. */
export const kinds = {
  triangle: { corners: regular(3, 0.9), radius: 0 },
  square: { corners: regular(4, 0.9), radius: 0 },
  needle: { corners: regular(4, 1.5, 0.15), radius: 0 },
  hexagon: { corners: regular(6, 0.8, 0.6), radius: 0 },
  '24 corners': { corners: regular(24, 1, 0.5), radius: 0 },
  disc: { corners: [[0, 0]] as Point[], radius: 0.7 },
} as const satisfies Record<string, { corners: readonly Point[]; radius: number }>;
export type BodyKind = keyof typeof kinds;

interface Algorithm {
  readonly title: string;
  readonly paper: string;
  readonly link: string;
  readonly solver: QuerySolverName;
  readonly what: 'distance' | 'growth';
}

const montaut = { paper: 'Montaut24, algorithms 4, 6, 7', link: 'https://doi.org/10.1109/TRO.2024.3386370' };

/** The algorithms of the papers that the page steps through. */
export const algorithms = {
  growth: {
    title: 'Growth distance',
    paper: 'Thirugnanam26, algorithm 3',
    link: 'https://arxiv.org/abs/2604.10058',
    solver: 'growth-distance-2d',
    what: 'growth',
  },
  gjk: { title: 'GJK', ...montaut, solver: 'gjk-plain', what: 'distance' },
  polyak: { title: 'GJK with Polyak momentum', ...montaut, solver: 'gjk-polyak', what: 'distance' },
  nesterov: { title: 'GJK with Nesterov momentum', ...montaut, solver: 'gjk-nesterov', what: 'distance' },
  barycode: {
    title: 'Barycode GJK',
    paper: 'Zhang20, algorithm 1',
    link: 'https://arxiv.org/abs/2011.09117',
    solver: 'gjk-2d',
    what: 'distance',
  },
} as const satisfies Record<string, Algorithm>;
export type AlgorithmName = keyof typeof algorithms;

/** All iterations of an algorithm on a pair, and its result. */
export interface Run {
  readonly steps: readonly TracedStep[];
  readonly result: PairResult;
}

/** Runs an algorithm on the pair, cold. */
export function run(name: AlgorithmName, { a, b }: State): Run {
  const { solver, what } = algorithms[name];
  const isPlanar = solver === 'gjk-2d' || solver === 'growth-distance-2d';
  const steps: TracedStep[] = [];
  const observe = (step: TracedStep) => void steps.push(step);
  const gap = 1e-6;
  const query = createPairQuery({ solver, what, gap, warm: false, observe });
  return { result: query(isPlanar ? planarPair(a, b) : flatPair(a, b)), steps };
}

function planarPair(a: Body, b: Body): ShapePair {
  const shape = ({ kind }: Body) => {
    const { corners, radius } = kinds[kind];
    return createPlanarShape(radius > 0 ? { type: 'disc', radius } : { type: 'polygon', points: corners });
  };
  const pose = ({ x, y, angle }: Body) => Float64Array.of(Math.cos(angle), Math.sin(angle), x, y);
  return { dimension: 2, a: shape(a), T_world_a: pose(a), b: shape(b), T_world_b: pose(b), track: undefined };
}

/** The same pair as flat hulls in the plane z = 0, for solvers in space; their iterations stay in the plane. */
function flatPair(a: Body, b: Body): ShapePair {
  const shape = ({ kind }: Body) => {
    const { corners, radius } = kinds[kind];
    if (radius > 0) return createShape({ type: 'sphere', radius });
    return createShape({ type: 'convex', points: corners.map(([x, y]) => [x, y, 0]) } as never);
  };
  const pose = ({ x, y, angle }: Body) => {
    const [c, s] = [Math.cos(angle), Math.sin(angle)];
    return Float64Array.of(c, -s, 0, x, s, c, 0, y, 0, 0, 1, 0);
  };
  return { dimension: 3, a: shape(a), T_world_a: pose(a), b: shape(b), T_world_b: pose(b), track: undefined };
}

/** Corners of a body in the world; the center of a disc. */
export function cornersOf({ kind, x, y, angle }: Body): Point[] {
  const [c, s] = [Math.cos(angle), Math.sin(angle)];
  return kinds[kind].corners.map(([u, v]) => [x + c * u - s * v, y + s * u + c * v]);
}

/** Outline of A ⊖ B with both radii added, less `shift`: support points along 360 directions. */
export function differenceOf({ a, b }: State, shift: Point, radius: number): Point[] {
  const [cornersA, cornersB] = [cornersOf(a), cornersOf(b)];
  const farthest = (points: readonly Point[], d: Point) =>
    points.reduce((best, p) => (p[0] * d[0] + p[1] * d[1] > best[0] * d[0] + best[1] * d[1] ? p : best));
  return Array.from({ length: 360 }, (_, k) => {
    const d: Point = [Math.cos((Math.PI * (k + 0.37)) / 180), Math.sin((Math.PI * (k + 0.37)) / 180)];
    const [p, q] = [farthest(cornersA, d), farthest(cornersB, [-d[0], -d[1]])];
    return [p[0] - q[0] + radius * d[0] - shift[0], p[1] - q[1] + radius * d[1] - shift[1]];
  });
}

/** The state of a new page. */
const initial: State = {
  a: { kind: 'hexagon', x: -1.2, y: 0.2, angle: 0.3 },
  b: { kind: 'triangle', x: 1, y: -0.1, angle: 0.5 },
  algorithm: 'growth',
  step: 1,
};

/** Reads the state from the address after `#`; parts that are not understood keep their default. */
export function readState(hash: string): State {
  const given = new URLSearchParams(hash.replace(/^#/, ''));
  const body = (name: 'a' | 'b'): Body => {
    const [kind, ...numbers] = (given.get(name) ?? '').split(',');
    const values = numbers.map(Number);
    const isKnown = Object.hasOwn(kinds, kind) && values.length === 3 && values.every((v) => Math.abs(v) <= 10);
    return isKnown ? { kind: kind as BodyKind, x: values[0], y: values[1], angle: values[2] } : { ...initial[name] };
  };
  const algorithm = given.get('algorithm') ?? '';
  return {
    a: body('a'),
    b: body('b'),
    algorithm: Object.hasOwn(algorithms, algorithm) ? (algorithm as AlgorithmName) : initial.algorithm,
    step: Math.max(1, Math.trunc(Number(given.get('step')) || 1)),
  };
}

/** Writes the state as the part of the address after `#`. */
export function writeState({ a, b, algorithm, step }: State): string {
  const body = ({ kind, x, y, angle }: Body) => [kind, ...[x, y, angle].map((v) => Number(v.toFixed(3)))].join(',');
  return `#${new URLSearchParams({ algorithm, step: String(step), a: body(a), b: body(b) })}`;
}
