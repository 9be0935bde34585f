import { createShape } from 'elbowroom';
import {
  createPairQuery,
  createPlanarShape,
  type PairResult,
  type Quantity,
  type QuerySolverName,
  type ShapePair,
  type TracedStep,
} from 'elbowroom/collision';
import { add, cross, minus, type Point, scaled } from './geometry.ts';

/** A shape on the page: its kind, position in metres, angle about z, then tilt about its x axis, in radians. */
export interface Body {
  kind: BodyKind;
  x: number;
  y: number;
  z: number;
  angle: number;
  tilt: number;
}

/** What the address of the page contains. */
export interface State {
  readonly a: Body;
  readonly b: Body;
  algorithm: AlgorithmName;
  /** The algorithm shown beside it; undefined: none. */
  beside: AlgorithmName | undefined;
  /** Shown step, from 1. */
  step: number;
  /** Direction of the view in space: turned about y, then raised; radians. */
  yaw: number;
  pitch: number;
}

/** A pair has two planar or two solid shapes. */
export type Space = 2 | 3;

const regular = (count: number, width: number, height = width): Point[] =>
  Array.from({ length: count }, (_, k) => {
    const t = (2 * Math.PI * (k + 0.5)) / count;
    return [width * Math.cos(t), height * Math.sin(t), 0];
  });
const SIGNS = [-1, 1];
const box = (x: number, y: number, z: number): Point[] =>
  SIGNS.flatMap((i) => SIGNS.flatMap((j) => SIGNS.map((k): Point => [i * x, j * y, k * z])));
const octahedron = SIGNS.flatMap((sign): Point[] => [
  [sign, 0, 0],
  [0, sign, 0],
  [0, 0, sign],
]);
const GOLDEN = (1 + Math.sqrt(5)) / 2;
const icosahedron = SIGNS.flatMap((i) =>
  SIGNS.flatMap((j): Point[] => [
    [0, i * 0.5, j * 0.5 * GOLDEN],
    [i * 0.5, j * 0.5 * GOLDEN, 0],
    [j * 0.5 * GOLDEN, 0, i * 0.5],
  ]),
);

/** Vertices of each kind about its center, counterclockwise in the plane; a disc or a ball has a radius instead. */
export const kinds = {
  triangle: { space: 2, corners: regular(3, 0.9), radius: 0 },
  square: { space: 2, corners: regular(4, 0.9), radius: 0 },
  needle: { space: 2, corners: regular(4, 1.5, 0.15), radius: 0 },
  hexagon: { space: 2, corners: regular(6, 0.8, 0.6), radius: 0 },
  '24 corners': { space: 2, corners: regular(24, 1, 0.5), radius: 0 },
  disc: { space: 2, corners: [[0, 0, 0]], radius: 0.7 },
  box: { space: 3, corners: box(0.8, 0.55, 0.45), radius: 0 },
  plate: { space: 3, corners: box(1, 0.08, 0.6), radius: 0 },
  tetrahedron: { space: 3, corners: box(0.7, 0.7, 0.7).filter(([x, y, z]) => x * y * z > 0), radius: 0 },
  octahedron: { space: 3, corners: octahedron, radius: 0 },
  icosahedron: { space: 3, corners: icosahedron, radius: 0 },
  ball: { space: 3, corners: [[0, 0, 0]], radius: 0.7 },
} as const satisfies Record<string, { space: Space; corners: readonly Point[]; radius: number }>;
export type BodyKind = keyof typeof kinds;

/** Returns whether the pair is planar or solid. */
export const spaceOf = ({ a }: Pick<State, 'a'>): Space => kinds[a.kind].space;
/** Sum of the radii of both shapes, by which the Minkowski difference of their cores is rounded. */
export const radiiOf = ({ a, b }: State): number => kinds[a.kind].radius + kinds[b.kind].radius;

interface Algorithm {
  readonly title: string;
  readonly paper: string;
  readonly link: string;
  /** Solvers of planar pairs and of pairs in space; undefined if the algorithm is for the other kind. */
  readonly planar?: QuerySolverName;
  readonly solid?: QuerySolverName;
  readonly what: Quantity;
}

const montaut = { paper: 'Montaut24, algorithms 4, 6, 7', link: 'https://doi.org/10.1109/TRO.2024.3386370' };
const inSpace = (solver: QuerySolverName) => ({ planar: solver, solid: solver });

/** The algorithms of the papers that the page steps through. */
export const algorithms: Readonly<Record<AlgorithmName, Algorithm>> = {
  growth: {
    title: 'Growth distance',
    paper: 'Thirugnanam26, algorithm 3',
    link: 'https://arxiv.org/abs/2604.10058',
    planar: 'growth-distance-2d',
    solid: 'growth-distance-plain',
    what: 'growth',
  },
  gjk: { title: 'GJK', ...montaut, ...inSpace('gjk-plain'), what: 'distance' },
  polyak: { title: 'GJK with Polyak momentum', ...montaut, ...inSpace('gjk-polyak'), what: 'distance' },
  nesterov: { title: 'GJK with Nesterov momentum', ...montaut, ...inSpace('gjk-nesterov'), what: 'distance' },
  barycode: {
    title: 'Barycode GJK',
    paper: 'Zhang20, algorithm 1',
    link: 'https://arxiv.org/abs/2011.09117',
    planar: 'gjk-2d',
    what: 'distance',
  },
  expanding: {
    title: 'Internal expanding',
    paper: 'Zheng10; Thirugnanam26, section IV',
    link: 'https://arxiv.org/abs/2604.10058',
    solid: 'internal-expanding',
    what: 'growth',
  },
  portal: {
    title: 'Portal refinement (MPR)',
    paper: 'Snethen08',
    link: 'http://xenocollide.snethen.com',
    solid: 'portal-refinement',
    what: 'collide',
  },
  epa: {
    title: 'Expanding polytope (EPA)',
    paper: 'VanDenBergen01',
    link: 'https://graphics.stanford.edu/courses/cs468-01-fall/Papers/van-den-bergen.pdf',
    solid: 'epa',
    what: 'depth',
  },
};
export type AlgorithmName = 'growth' | 'gjk' | 'polyak' | 'nesterov' | 'barycode' | 'expanding' | 'portal' | 'epa';

const solverOf = (name: AlgorithmName, space: Space) =>
  space === 2 ? algorithms[name].planar : algorithms[name].solid;
/** Names of the algorithms for planar pairs, or for pairs in space. */
export const algorithmsOf = (space: Space): AlgorithmName[] =>
  (Object.keys(algorithms) as AlgorithmName[]).filter((name) => solverOf(name, space) !== undefined);

/** All iterations of an algorithm on a pair, and its result. */
export interface Run {
  readonly steps: readonly TracedStep[];
  readonly result: PairResult;
}

/** Runs an algorithm on the pair, cold. */
export function run(name: AlgorithmName, state: State): Run {
  const { what } = algorithms[name];
  const solver = solverOf(name, spaceOf(state))!;
  const isPlanar = solver === 'gjk-2d' || solver === 'growth-distance-2d';
  const steps: TracedStep[] = [];
  const observe = (step: TracedStep) => void steps.push(step);
  const gap = 1e-6;
  const query = createPairQuery({ solver, what, gap, warm: false, observe });
  return { result: query(isPlanar ? planarPair(state) : spatialPair(state)), steps };
}

function planarPair({ a, b }: State): ShapePair {
  const shape = ({ kind }: Body) => {
    const { corners, radius } = kinds[kind];
    const points = corners.map(([x, y]) => [x, y]);
    return createPlanarShape(radius > 0 ? { type: 'disc', radius } : { type: 'polygon', points });
  };
  const pose = ({ x, y, angle }: Body) => Float64Array.of(Math.cos(angle), Math.sin(angle), x, y);
  return { dimension: 2, a: shape(a), T_world_a: pose(a), b: shape(b), T_world_b: pose(b), track: undefined };
}

/** The pair in space. Planar shapes are flat hulls in the plane z = 0, and the iterations stay in it. */
function spatialPair({ a, b }: State): ShapePair {
  const shape = ({ kind }: Body) => {
    const { corners, radius } = kinds[kind];
    return createShape((radius > 0 ? { type: 'sphere', radius } : { type: 'convex', points: corners }) as never);
  };
  const pose = (body: Body) => {
    const [u, v, w] = axesOf(body);
    return Float64Array.of(u[0], v[0], w[0], body.x, u[1], v[1], w[1], body.y, u[2], v[2], w[2], body.z);
  };
  return { dimension: 3, a: shape(a), T_world_a: pose(a), b: shape(b), T_world_b: pose(b), track: undefined };
}

/** Axes of a body in the world. */
function axesOf({ angle, tilt }: Body): readonly [Point, Point, Point] {
  const [c, s] = [Math.cos(angle), Math.sin(angle)];
  const u: Point = [c, s, 0];
  const v: Point = [-s * Math.cos(tilt), c * Math.cos(tilt), Math.sin(tilt)];
  return [u, v, cross(u, v)];
}

/** Center of a body. */
export const centerOf = ({ x, y, z }: Body): Point => [x, y, z];

/** Vertices of a body in the world; the center of a disc or ball. */
export function cornersOf(body: Body): Point[] {
  const [u, v, w] = axesOf(body);
  const place = ([x, y, z]: Point) => add(add(scaled(u, x), scaled(v, y)), scaled(w, z));
  return kinds[body.kind].corners.map((corner) => add(centerOf(body), place(corner)));
}

/** Vector from the center of A to that of B. */
export const betweenCenters = ({ a, b }: State): Point => minus(centerOf(b), centerOf(a));

/** The bodies of a new page, of each space. */
const initialBodies = {
  2: {
    a: { kind: 'hexagon', x: -1.2, y: 0.2, z: 0, angle: 0.3, tilt: 0 },
    b: { kind: 'triangle', x: 1, y: -0.1, z: 0, angle: 0.5, tilt: 0 },
  },
  3: {
    a: { kind: 'box', x: -0.5, y: 0.1, z: 0, angle: 0.3, tilt: 0.4 },
    b: { kind: 'octahedron', x: 0.5, y: -0.1, z: 0.2, angle: 0.5, tilt: 0.2 },
  },
} as const satisfies Record<Space, Record<'a' | 'b', Body>>;

/** Returns the state with the first pair of a space. */
export function stateIn(space: Space, { algorithm, beside, yaw, pitch }: State): State {
  const isKnown = (name: AlgorithmName | undefined) => name !== undefined && algorithmsOf(space).includes(name);
  return {
    a: { ...initialBodies[space].a },
    b: { ...initialBodies[space].b },
    algorithm: isKnown(algorithm) ? algorithm : 'growth',
    beside: isKnown(beside) ? beside : undefined,
    step: 1,
    yaw,
    pitch,
  };
}

/** Reads the state from the address after `#`; parts that are not understood keep their default. */
export function readState(hash: string): State {
  const given = new URLSearchParams(hash.replace(/^#/, ''));
  const numbersOf = (text: string) => text.split(',').map((part) => (part === '' ? Number.NaN : Number(part)));
  const body = (name: 'a' | 'b', space?: Space): Body | undefined => {
    const [kind, ...rest] = (given.get(name) ?? '').split(',');
    const values = numbersOf(rest.join(','));
    if (!Object.hasOwn(kinds, kind) || !values.every((v) => Math.abs(v) <= 10)) return undefined;
    const known = kind as BodyKind;
    if ((space ?? kinds[known].space) !== kinds[known].space || values.length !== numbersIn[kinds[known].space])
      return undefined;
    const [x, y] = values;
    const [z, angle, tilt] = values.length === 3 ? [0, values[2], 0] : values.slice(2);
    return { kind: known, x, y, z, angle, tilt };
  };
  const a = body('a');
  const space = a === undefined ? 2 : kinds[a.kind].space;
  const algorithm = (name: string) => {
    const found = given.get(name) as AlgorithmName;
    return algorithmsOf(space).includes(found) ? found : undefined;
  };
  const [yaw, pitch] = numbersOf(given.get('view') ?? '');
  return {
    a: a ?? { ...initialBodies[space].a },
    b: body('b', space) ?? { ...initialBodies[space].b },
    algorithm: algorithm('algorithm') ?? 'growth',
    beside: algorithm('beside'),
    step: Math.max(1, Math.trunc(Number(given.get('step')) || 1)),
    yaw: Math.abs(yaw) <= 4 ? yaw : -0.6,
    pitch: Math.abs(pitch) <= 1.5 ? pitch : 0.35,
  };
}

/** Numbers of a body in the address: x, y and angle in the plane; x, y, z, angle and tilt in space. */
const numbersIn = { 2: 3, 3: 5 } as const;

/** Writes the state as the part of the address after `#`. */
export function writeState(state: State): string {
  const { algorithm, beside, step, yaw, pitch } = state;
  const isSolid = spaceOf(state) === 3;
  const rounded = (values: readonly number[]) => values.map((v) => Number(v.toFixed(3)));
  const body = ({ kind, x, y, z, angle, tilt }: Body) =>
    [kind, ...rounded(isSolid ? [x, y, z, angle, tilt] : [x, y, angle])].join(',');
  const parts = {
    algorithm,
    ...(beside !== undefined && { beside }),
    step: String(step),
    a: body(state.a),
    b: body(state.b),
    ...(isSolid && { view: rounded([yaw, pitch]).join(',') }),
  };
  return `#${new URLSearchParams(parts)}`;
}
