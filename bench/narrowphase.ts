import { Random } from '../src/core/math/random.ts';
import { condensed } from './condense.ts';
import type { Table } from './measure.ts';
import { bodySets } from './narrowphase/bodies.ts';
import { convergenceRows, infeasibilityRows } from './narrowphase/convergence.ts';
import { distancePeerRows } from './narrowphase/distancePeer.ts';
import { expandingRows } from './narrowphase/expanding.ts';
import { simulateFalls } from './narrowphase/falling.ts';
import { growthGuessRows, guessRows } from './narrowphase/fallingGuesses.ts';
import { growthIterationRows, planarIterationRows } from './narrowphase/growthIterations.ts';
import { growthPeerRows } from './narrowphase/growthPeer.ts';
import { iterationRows } from './narrowphase/iterations.ts';
import { matrixRows } from './narrowphase/matrix.ts';
import { loadPeers, type PeerRow, pairsOf, peerClasses, peerRow, peerSets } from './narrowphase/peerTable.ts';
import { planarRows } from './narrowphase/planar.ts';
import { planarGrowthPeerRows } from './narrowphase/planarGrowthPeer.ts';
import { qpRows } from './narrowphase/qp.ts';
import type { Measured } from './narrowphase/rows.ts';
import { separationRows } from './narrowphase/separations.ts';
import { booleanRows, growthRows } from './narrowphase/targets.ts';
import { targetRows } from './narrowphase/targetTable.ts';
import { vertexRows } from './narrowphase/vertices.ts';
import { debianHint, debianVersions, distancePeerHint, growthPeerHint } from './peers/cpp.ts';
import { installHint } from './peers/npm.ts';
import { planckPeer } from './peers/planck.ts';

export const about =
  'the narrow phase by itself: every solver on every kind of pair, beside peers, and the tables of the papers';

/** Simulated pairs, as many as in the paper. */
const FALLS = 1000;

export const sections = [
  'ours',
  'planar',
  'peers',
  'matrix',
  'papers',
  'iterations',
  'expanding',
  'growth-peer',
  'distance-peer',
];

/** All sections, or one; the targets that were measured come last. */
export async function* run(section?: string): AsyncGenerator<Table> {
  const measured: Measured = { boolean: [], growth: [], planar: [], peers: [] };
  const besidePeers = { expanding, 'growth-peer': growthPeer, 'distance-peer': distancePeer };
  const parts = { ours, planar, peers, matrix, papers, iterations, ...besidePeers };
  for (const [name, part] of Object.entries(parts)) {
    if (section === undefined || section === name) yield* part(measured);
  }
  const rows = targetRows(measured);
  if (rows.length > 0) yield { title: 'targets', rows };
}

async function* ours(measured: Measured): AsyncGenerator<Table> {
  measured.boolean = await booleanRows(new Random(1));
  yield {
    title: 'Boolean growth distance, nanoseconds a query, least over the rounds',
    rows: measured.boolean,
    notes: [
      'mixed: 1000 pairs, centers 0.3 to 1.1 m apart, one pose each, so a warm query repeats the cold one; the ' +
        'others: 120 pairs that move by 1 %',
      'a round queries every pair once, cold and warm in turn; it. = iterations: support points of the Minkowski ' +
        'difference',
    ],
  };
  measured.growth = await growthRows(new Random(2));
  yield {
    title: 'growth distance in full, nanoseconds, relative gap 1.5e-8',
    rows: measured.growth,
    notes: [
      '200 pairs; repeated pair: one pose again and again, cold, as in the paper; moving: by 1 % of the size a query',
    ],
  };
}

async function* planar(measured: Measured): AsyncGenerator<Table> {
  const planck = await planckPeer();
  measured.planar = planarRows(new Random(3), planck);
  yield {
    title: 'the plane: barycode GJK and its kin, nanoseconds a query, cold, least over the rounds',
    rows: measured.planar,
    notes: [
      'all: tests every vertex; climbing: from vertex to vertex. 300 pairs per row, every variant in turn.',
      ...(planck ? [] : [`planck is not here: ${installHint}`]),
    ],
  };
}

async function* peers(measured: Measured): AsyncGenerator<Table> {
  const random = new Random(4);
  const found = await loadPeers();
  const sets = await peerSets(random);
  const tables: Record<'Boolean' | 'distance', PeerRow[]> = { Boolean: [], distance: [] };
  for (const set of sets) {
    for (const kind of peerClasses) {
      const pairs = pairsOf(random, set, kind);
      for (const question of ['Boolean', 'distance'] as const) {
        tables[question].push(peerRow(question, set.name, kind, pairs, found));
      }
    }
  }
  measured.peers = tables.Boolean;
  const notes = [
    'ours: growth distance (Boolean), GJK to a relative gap of 1e-8 (distance), cold; all on the same pairs, ' +
      'round by round in turn',
    'npm peers hold their shapes and poses, so the call into WebAssembly is all that is timed; single precision',
    found.fcl
      ? `FCL: its GJKSolver_libccd called directly, double precision; ${debianVersions()}`
      : `FCL is not here: ${debianHint}`,
    ...(found.inProcess.length === 2 ? [] : [`Rapier or Jolt is not here: ${installHint}`]),
    'agree: same verdict; distances within 1e-4 m. At contact (touching: gaps below 1e-8) single precision can ' +
      'only guess.',
  ];
  const inDocs: Table['inDocs'] = (rows) => rows.filter((row) => row.class === 'mixed');
  for (const question of ['Boolean', 'distance'] as const) {
    const title = `${question}, beside peers, nanoseconds a query, least over the rounds`;
    yield { title, rows: tables[question], notes, inDocs };
  }
}

async function* matrix(): AsyncGenerator<Table> {
  const random = new Random(5);
  const sets = await bodySets(random);
  matrixRows(random, sets, 3); // the compiler's warm-up
  for (const [question, rows] of matrixRows(random, sets, 24)) {
    yield {
      title: `every solver, ${question}: nanoseconds a query, median and 95th percentile over pairs`,
      rows,
      inDocs: condensed(['solver', 'class'], ['undecided', 'wrong']),
      notes: [
        '24 pairs a line, 8 poses each, 1 % apart; warm: following them; wrong: verdicts against what the pairs ' +
          'were made to be',
      ],
    };
  }
}

async function* papers(): AsyncGenerator<Table> {
  yield {
    title: '[Thirugnanam26 Fig. 4, Montaut24 Table I] vertices against time, with and without hill climbing',
    rows: await vertexRows(new Random(7)),
    notes: [
      'stand-ins for meshes of daily objects: a third round, a third flat (5:1), a third long (5:1) hulls; close ' +
        'pairs, cold',
      'the same kernels on hulls with three search structures: all vertices as candidates, edges to climb, and ' +
        'what the library builds',
    ],
  };
  yield {
    title: '[Montaut24 Table II] GJK and its kin against a generic QP on the facets',
    rows: await qpRows(new Random(8)),
    notes: [
      'the QP: a primal-dual interior point method of our own on min ‖x − y‖², one row a facet; gap 1e-8; 100 pairs a row',
    ],
  };
}

/** Deterministic counters: equal on every machine, whatever its load. */
async function* iterations(): AsyncGenerator<Table> {
  yield {
    title:
      '[Montaut22 Table II] iterations of distance solvers, mean ± deviation, duality gap 2⟨x, x − s⟩ at most 1e-8 m²',
    rows: iterationRows(new Random(6)),
    notes: ['support points / updates of the simplex, which the papers count; Frank-Wolfe stops at 4096 at the latest'],
  };
  const { boolean, distance } = await separationRows(new Random(12));
  const notes = [
    'metres, negative: overlap along the normal, at most the smaller inner radius; 100 pairs a row, cold; ' +
      'distance to a duality gap 2⟨x, x − s⟩ of 1e-8 m²',
    'Boolean: support points; distance: support points / updates of the simplex, which the papers and the program ' +
      'released with them count: without the last support point, and without that at which momentum is dropped',
    'nesterov: normalized for two hulls, without normalization otherwise, as in the released program; -printed: ' +
      'normalized, weights as printed; -unnormalized: weights and step as printed',
  ];
  yield { title: '[Montaut22 Figs. 5-9] iterations against separation, Boolean', rows: boolean, notes };
  yield { title: '[Montaut22 Figs. 5-9] iterations against separation, distance', rows: distance, notes };
  yield {
    title: '[Thirugnanam26 Fig. 5] growth distance: iterations to a relative gap',
    rows: await convergenceRows(new Random(10)),
  };
  yield {
    title: '[Thirugnanam26 §IV-B] growth distance: primal infeasibility at the default gap',
    rows: await infeasibilityRows(new Random(11)),
  };
  yield {
    title:
      '[Thirugnanam26 Table III] growth distance: support points at the default gap: ours, as printed, internal expanding',
    rows: await growthIterationRows(new Random(13)),
    notes: [
      '200 pairs, 7 poses each, that differ by 1 %; warm: from the previous pose; as printed (growth-distance-plain) and internal expanding: cold',
    ],
  };
  yield {
    title: '[Thirugnanam26 §IV-B] growth distance in the plane: iterations at the default gap',
    rows: planarIterationRows(new Random(14)),
    notes: ['1000 pairs of polygons, or of ellipses with radii of 0.5 m and 5 mm to 0.5 m, centers 0.3 to 1.5 m apart'],
  };
  const falls = await simulateFalls(new Random(15), FALLS);
  const title = '[Montaut24 Fig. 13] iterations on trajectories of falling bodies by initial guess, Boolean';
  if (falls === undefined) yield { title, rows: [], notes: [`needs Rapier: ${installHint}`] };
  else {
    const about =
      `${FALLS} pairs of hulls of 240 vertices dropped into a funnel, simulated by Rapier at 120 Hz for 1 s; ` +
      'poses in which the boxes overlap';
    const warm = 'each query starts from its guess only; without one after a collision: box centers';
    yield { title, rows: [...guessRows(falls), ...growthGuessRows(falls)], notes: [about, warm] };
  }
}

async function* expanding(): AsyncGenerator<Table> {
  yield {
    title: '[Thirugnanam26 Table III] full growth distance: internal expanding, as printed and ours',
    rows: await expandingRows(new Random(18)),
    notes: [
      '60 pairs, 8 poses each, cold, all at a relative gap of 1.5e-8; blocks of each in turn, least times',
      'internal expanding and the algorithm as printed (growth-distance-plain): same gap, first simplex and support ' +
        'calls, no proposals; ours adds proposals and Newton steps in kernels without calls',
      'smooth hulls: differentiable support function (Σ max(0, v·d)⁸)^(1/8) over the vertices v, by supportShape',
    ],
  };
}

async function* growthPeer(): AsyncGenerator<Table> {
  const rows = await growthPeerRows(new Random(16));
  const notes = [
    'dgd: the library of the authors of the growth distance, by cutting planes or trust region Newton, whichever ' +
      'is faster',
    '60 pairs, 8 poses each, cold, every pair once per round; both at a relative gap of 1.5e-8; blocks of both ' +
      'in turn, least times; warm: each pose after the one before, dgd by cutting planes, its only method with a warm start',
  ];
  yield {
    title: 'growth distance beside dgd',
    rows: rows ?? [],
    notes: rows ? notes : [`dgd is not here: ${growthPeerHint}`],
  };
  const planar = planarGrowthPeerRows(new Random(17));
  if (planar === undefined) return;
  yield {
    title: 'planar growth distance beside dgd: polygons',
    rows: planar,
    notes: ['cold, centres 0.3 to 1.5 m apart; blocks of both in turn, least times'],
  };
}

async function* distancePeer(): AsyncGenerator<Table> {
  const rows = await distancePeerRows(new Random(17));
  const notes = [
    'Coal: the library of the authors of GJK++; its GJKSolver with the same pair, without a guess',
    '60 pairs, 8 poses each, cold, every pair once per round; ours at a relative gap of 1e-6, Coal at its absolute ' +
      'tolerance of 1e-6 m; blocks of both in turn, least times',
  ];
  yield {
    title: 'distances beside Coal',
    rows: rows ?? [],
    notes: rows ? notes : [`Coal is not here: ${distancePeerHint}`],
  };
}
