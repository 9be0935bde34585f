/** Tables by their title: from a run, or from docs/benchmarks.md, where cells are texts. */
export type RowsOf = (title: string) => readonly Readonly<Record<string, string | number>>[];

/** A value that a paper prints, and where our tables have the same quantity. */
export interface Printed {
  readonly paper: string;
  /** First cell of the row of docs/papers.md. */
  readonly place: string;
  readonly quantity: string;
  /** The printed value, or the range. */
  readonly theirs: number | readonly [number, number];
  /** Section of the bench `narrowphase`. */
  readonly section: 'iterations' | 'papers' | 'planar' | 'expanding';
  readonly title: string;
  readonly row: Readonly<Record<string, string>>;
  /** A column, or two whose ratio is taken; a final `*` matches a version. */
  readonly columns: readonly [string] | readonly [string, string];
  /** Pairs of one row. */
  readonly pairs: number;
}

const solverTable =
  '[Montaut22 Table II] iterations of distance solvers, mean ± deviation, duality gap 2⟨x, x − s⟩ at most 1e-8 m²';

const iterations = (place: string, bodies: string, kind: string, values: Readonly<Record<string, number>>) =>
  Object.entries(values).map(
    ([solver, theirs]): Printed => ({
      paper: 'Montaut22',
      place,
      quantity: `iterations (ours: ${solver === 'frank-wolfe' ? 'at most 4096' : 'updates'}), ${solver}, ${bodies}, ${kind}`,
      theirs,
      section: 'iterations',
      title: solverTable,
      row: { bodies, class: kind },
      columns: [solver],
      pairs: 60,
    }),
  );

const updates = (what: string, place: string, solver: string, theirs: readonly [number, number]) =>
  ['240', '626', '1800'].map(
    (vertices): Printed => ({
      paper: 'Montaut24',
      place,
      quantity: `${what}, gjk / ${solver}, hulls of ${vertices}, 1 cm apart`,
      theirs,
      section: 'iterations',
      title: '[Montaut22 Figs. 5-9] iterations against separation, distance',
      row: { bodies: `hulls of ${vertices}`, separation: '0.01' },
      columns: ['gjk', solver],
      pairs: 100,
    }),
  );

const expanding = (bodies: string, theirs: number): Printed => ({
  paper: 'Thirugnanam26',
  place: 'Table III, Fig. 3a: primitives and meshes, cold',
  quantity: `time, internal expanding / own algorithm as printed, ${bodies}`,
  theirs,
  section: 'expanding',
  title: '[Thirugnanam26 Table III] full growth distance: internal expanding, as printed and ours',
  row: { bodies },
  columns: ['internal expanding / as printed'],
  pairs: 60,
});

const program = (vertices: string, theirs: number): Printed => ({
  paper: 'Montaut24',
  place: 'T-RO Table II: quadratic programs',
  quantity: `time, quadratic program / gjk, ${vertices} vertices`,
  theirs,
  section: 'papers',
  title: '[Montaut24 Table II] GJK and its kin against a generic QP on the facets',
  row: { vertices },
  columns: ['QP / gjk'],
  pairs: 100,
});

const planar = (what: 'Boolean' | 'distance', place: string, values: Readonly<Record<string, number>>) =>
  Object.entries(values).map(
    ([kind, theirs]): Printed => ({
      paper: 'Zhang20',
      place,
      quantity: `time, Box2D (ours: planck) / own, ${what}, 8 vertices, ${kind}`,
      theirs,
      section: 'planar',
      title: 'the plane: barycode GJK and its kin, nanoseconds a query, cold, least over the rounds',
      row: { vertices: '8', class: kind },
      columns: [`${what}, planck *`, `${what}, climbing`],
      pairs: 300,
    }),
  );

export const printed: readonly Printed[] = [
  expanding('primitives, 100:1', 1.53),
  ...['20', '100', '500'].map((vertices) => expanding(`hulls of ${vertices}`, 1.35)),
  ...iterations('RSS Table II: ellipsoids', 'ellipsoids', 'close-proximity', {
    'frank-wolfe': 48,
    gjk: 16,
    'gjk-nesterov': 7,
  }),
  ...iterations('RSS Table II: cubes', 'cubes', 'close-proximity', {
    'frank-wolfe': 14300,
    gjk: 5,
    'gjk-nesterov': 4,
  }),
  ...iterations('RSS Table II: distant ellipsoids', 'ellipsoids', 'distant', { 'frank-wolfe': 4, gjk: 4 }),
  ...updates('updates', 'RSS Figs. 7-9, T-RO Figs. 9-11: meshes', 'gjk-nesterov', [1.5, 2]),
  ...updates('time (ours: updates)', 'Table I: times by number of vertices', 'gjk-polyak', [1.2, 1.5]),
  program('8', 26),
  program('250', 2500),
  program('940', 9500),
  ...planar('Boolean', 'Tables I-VI: Boolean, 4 to 24 vertices', { distant: 9.2, overlapping: 2.5, touching: 2.1 }),
  ...planar('distance', 'Tables I-VI: distance', { distant: 1.8, overlapping: 2.4, touching: 2.1 }),
];

/** Returns our value of a printed one; undefined if the table lacks it, as without a peer. */
export function oursOf({ title, row, columns }: Printed, rowsOf: RowsOf): number | undefined {
  const found = rowsOf(title).find((cells) =>
    Object.entries(row).every(([name, cell]) => String(cells[name]) === cell),
  );
  if (found === undefined) return undefined;
  const values = columns.map((column) => {
    const isOf = (name: string) => (column.endsWith('*') ? name.startsWith(column.slice(0, -1)) : name === column);
    const name = Object.keys(found).find(isOf);
    return name === undefined ? Number.NaN : meanOf(found[name]);
  });
  const value = values.length === 2 ? values[0] / values[1] : values[0];
  return Number.isNaN(value) ? undefined : value;
}

/** The number, the mean of `mean ± deviation`, or the updates of `support points / updates`. */
const meanOf = (cell: string | number) => Number.parseFloat(String(cell).split(' / ').at(-1) ?? '');

/** Deviation of our value in per cent, from the nearer end of a range; 0 inside. */
export function deviationOf({ theirs }: Printed, ours: number): number {
  const [low, high] = typeof theirs === 'number' ? [theirs, theirs] : theirs;
  const nearest = Math.max(low, Math.min(high, ours));
  return 100 * (ours / nearest - 1);
}
