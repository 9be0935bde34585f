import { condensed, withColumns } from './condense.ts';
import { quantile, type Table } from './measure.ts';
import { batchRow } from './motion/batches.ts';
import { type CertificateRow, certificateRow } from './motion/certificates.ts';
import { type EdgeRow, edgeRow } from './motion/edges.ts';
import { crowded, sceneOfTwenty } from './motion/samples.ts';
import { buildFclStates, type StateRow, stateRow } from './motion/states.ts';
import { debianHint, debianVersions } from './peers/cpp.ts';
import { bundledScenes } from './scenes.ts';
import { sharedSuites } from './suites.ts';

export const about = 'states beside FCL, motions proved free against sampling, certificates; the targets of both';

export const sections = ['states', 'batches', 'edges', 'certificates'];

const LENGTHS = [0.3, 0.75, 1.5];

/** Of the table of states, what the page shows. */
const STATE_COLUMNS = [
  'scene',
  'obstacles',
  'free µs',
  'FCL, free µs',
  'free: ours / FCL',
  'checks, free',
  'coherent µs',
  'verdicts that differ',
];

export async function* run(section?: string): AsyncGenerator<Table> {
  const wants = (name: string) => section === undefined || section === name;
  const scenes = await bundledScenes();
  const states: StateRow[] = [];
  const edges: EdgeRow[] = [];
  let certificates: CertificateRow[] = [];
  if (wants('states')) {
    const fcl = buildFclStates();
    const twenty = await sceneOfTwenty();
    for (const scene of [twenty, crowded(twenty, 1000)]) states.push(stateRow(scene, fcl));
    for (const scene of scenes) states.push(stateRow(scene, fcl));
    const how =
      'link hulls and obstacles as ours; a dynamic AABB tree over the obstacles, queried link by link, libccd';
    yield {
      title: 'is a configuration free? microseconds a state, least over the rounds',
      rows: states,
      inDocs: withColumns(STATE_COLUMNS),
      notes: [
        'twenty: boxes around a UR5e, then 980 balls far away; coherent: 0.02 rad apart along straight lines',
        fcl
          ? `FCL: ${how}; ${debianVersions()}; nothing where a scene has padding or frusta`
          : `FCL is not here: ${debianHint}`,
      ],
    };
  }
  if (wants('batches')) {
    const suites = await sharedSuites();
    yield {
      title: 'the states that plans check, in batches of four: microseconds of CPU time, least over the rounds',
      rows: suites.map(batchRow),
      notes: [
        suites.length > 0
          ? 'every twelfth problem: one search and thorough shortcuts; targets: 0.5 µs, 0.6 exact checks'
          : 'the suites of MotionBenchMaker are not here',
      ],
    };
    if (section !== undefined) return;
  }
  if (wants('edges')) {
    for (const scene of scenes) for (const length of LENGTHS) edges.push(edgeRow(scene, length));
    yield {
      title: 'straight motions from free states: proved free against sampled at 0.02 rad, least over the rounds',
      rows: edges,
      inDocs: condensed(['rad'], ['sampling misses', 'unresolved']),
      notes: [
        'sequential: samples from start to end; FK: forward kinematics of a certified edge, coarse samples and ' +
          'proof together',
      ],
    };
  }
  if (wants('certificates')) {
    certificates = scenes.map(certificateRow).filter((row) => row !== undefined);
    yield { title: 'planned trajectories, milliseconds', rows: certificates, inDocs: condensed([]) };
  }
  yield { title: 'targets', rows: targetRows(states, edges, certificates) };
}

type Row = Record<string, string | number>;

function targetRows(states: StateRow[], edges: EdgeRow[], certificates: CertificateRow[]): Row[] {
  const rows: Row[] = [];
  const [twenty, thousand] = states;
  if (twenty && thousand) {
    rows.push(line('free random state, 20 obstacles, µs', twenty['free µs'], 2.2));
    rows.push(line('exact checks of it', twenty['checks, free'], 3.5));
    if ('free: ours / FCL' in twenty) rows.push(line('the same, ours / FCL', twenty['free: ours / FCL'], 0.35));
    rows.push(line('coherent state, 20 obstacles, µs', twenty['coherent µs'], 1.1));
    rows.push(line('free state, 1000 obstacles / 20', Number(thousand['free µs']) / Number(twenty['free µs']), 2));
  }
  for (const length of edges.length > 0 ? LENGTHS : []) {
    const some = edges.filter((row) => row.rad === length);
    rows.push(
      line(
        `free edge ${length} rad, certified / sampled, median of scenes`,
        medianOf(some, 'free: certified / sampled'),
        1,
      ),
    );
    if (length === 0.75)
      rows.push(line('FK per free edge 0.75 rad, median of scenes', medianOf(some, 'FK per free edge'), 18));
    rows.push(line(`colliding edge ${length} rad, µs, median of scenes`, medianOf(some, 'certified, hit µs'), 4));
    rows.push(
      line(`colliding edge ${length} rad, certified / sequential`, medianOf(some, 'hit: certified / sequential'), 0.3),
    );
  }
  if (certificates.length > 0) {
    rows.push(line('certify a planned trajectory, ms, worst scene', worstOf(certificates, 'certify ms'), 25));
    rows.push(line('verify it, ms, worst scene', worstOf(certificates, 'verify ms'), 1000));
  }
  return rows;
}

const numbersOf = (rows: readonly Row[], column: string) =>
  rows.map((row) => Number(row[column])).filter((x) => !Number.isNaN(x));
const medianOf = (rows: readonly Row[], column: string) => quantile(numbersOf(rows, column), 0.5);
const worstOf = (rows: readonly Row[], column: string) => Math.max(...numbersOf(rows, column));

function line(target: string, measured: string | number, atMost: number): Row {
  const value = Number(measured);
  return { target, 'at most': atMost, measured: value, met: value <= atMost ? 'yes' : 'NO' };
}
