import { quantile, type Table } from './measure.ts';
import { buildPeer, type CppPeer, debianHint, debianVersions } from './peers/cpp.ts';
import { drawBoard } from './referee/drawBoard.ts';
import { type Judgement, judgePaths } from './referee/judgePath.ts';
import { keyOf, type PeerCounts, peerPaths, peerPlanners, peerProblem, peerSteps } from './referee/peerPaths.ts';
import { loadedSuites } from './referee/suites.ts';
import { bundledScenes } from './scenes.ts';

export const about = 'hidden collisions in paths of OMPL: share refuted, depth, share repaired and proved';

export const sections = ['scenes', 'suites'];

/** File into which `--docs` writes the tables. */
export const page = 'docs/referee.md';

/** Runs of each planner at each step: of a scene, and of a problem of a suite. */
const SCENE_RUNS = 3;
const SUITE_RUNS = 1;

type NamedScene = Awaited<ReturnType<typeof bundledScenes>>[number];

export async function* run(section = 'scenes'): AsyncGenerator<Table> {
  const ompl = buildPeer('omplReferee', ['fcl', 'ccd', 'ompl']);
  const fcl = buildPeer('fclStates', ['fcl', 'ccd']);
  if (ompl === undefined || fcl === undefined) {
    yield { title: 'hidden collisions in paths of OMPL', rows: [], notes: [`OMPL or FCL is not here: ${debianHint}`] };
    return;
  }
  if (section === 'scenes') yield board('our scenes', await bundledScenes(), SCENE_RUNS, { ompl, fcl });
  for (const { name, problems } of section === 'suites' ? await loadedSuites() : [])
    yield board(name, problems, SUITE_RUNS, { ompl, fcl });
}

async function board(
  title: string,
  scenes: readonly NamedScene[],
  runs: number,
  peers: Record<'ompl' | 'fcl', CppPeer>,
): Promise<Table> {
  const counts = new Map<string, PeerCounts>();
  const judged: Judgement[] = [];
  let problems = 0;
  for (const { name, scene, robot } of scenes) {
    const problem = peerProblem(name, scene, robot);
    if (problem === undefined) continue;
    problems++;
    judged.push(...judgePaths(problem, peerPaths(peers.ompl, problem, runs, counts), peers.fcl));
  }
  const rows = Object.keys(peerSteps).flatMap((step) =>
    peerPlanners.map((planner) =>
      rowOf(
        planner,
        step,
        judged.filter(({ path }) => path.planner === planner && path.step === step),
        [counts.get(keyOf(planner, step))!],
      ),
    ),
  );
  const all = Object.keys(peerSteps).map((step) =>
    rowOf(
      'all',
      step,
      judged.filter(({ path }) => path.step === step),
      peerPlanners.map((planner) => counts.get(keyOf(planner, step))!),
    ),
  );
  return {
    title: `paths of OMPL, judged by check: ${title}, ${problems} problems, ${runs} run${runs === 1 ? '' : 's'} each`,
    rows: [...rows, ...all],
    notes: [
      'paths: found, simplified by simplifySolution, and accepted by OMPL itself (PathGeometric::check); ' +
        'refuted: proved to collide; undecided: neither proved nor refuted',
      'by FCL: of the refuted paths, those whose deepest state FCL finds in collision too, with the same hulls; ' +
        'depth: penetration depth there, mm',
      'repaired: of the paths that are not proved, those that repair changes so that check proves them; longer: ' +
        'their length after / before, less 1, %',
      'check: one call for a prepared scene, all paths; repair: one call, including the preparation of the ' +
        'scene; both in one process; CPU: time of all threads, which other processes do not change',
      `PRM* uses threads and a wall clock: its paths differ from run to run. ${debianVersions()}`,
    ],
    figures: [{ file: `docs/pictures/referee-${title.replaceAll(/\W+/g, '-')}.svg`, svg: await drawBoard(judged) }],
  };
}

function rowOf(planner: string, step: string, judged: readonly Judgement[], counts: readonly PeerCounts[]) {
  const refuted = judged.filter(({ verdict }) => verdict === 'refuted');
  const bad = judged.filter(({ verdict }) => verdict !== 'proved');
  const repaired = bad.filter((one) => one.repaired);
  const sum = (key: keyof PeerCounts) => counts.reduce((total, count) => total + count[key], 0);
  const percent = (part: number, whole: number) => (whole === 0 ? '–' : `${((100 * part) / whole).toFixed(1)} %`);
  const middle = (numbers: readonly number[], p: number, digits = 2) =>
    numbers.length === 0 ? '–' : quantile(numbers, p).toFixed(digits);
  const depths = refuted.map(({ depth }) => 1000 * depth!);
  const added = repaired.map(({ length }) => 100 * (length! - 1));
  const repairs = bad.map(({ repairMs }) => repairMs!);
  const checks = judged.map(({ checkMs }) => checkMs);
  return {
    planner,
    step,
    solved: `${sum('solved')}/${sum('runs')}`,
    paths: judged.length,
    refuted: refuted.length,
    'share refuted': percent(refuted.length, judged.length),
    'by FCL': percent(refuted.filter(({ confirmed }) => confirmed).length, refuted.length),
    undecided: percent(bad.length - refuted.length, judged.length),
    'depth, median': middle(depths, 0.5),
    'depth, most': middle(depths, 1),
    repaired: percent(repaired.length, bad.length),
    'longer, median': middle(added, 0.5),
    'longer, most': middle(added, 1),
    'repair ms, median': middle(repairs, 0.5, 1),
    'repair ms, 95 %': middle(repairs, 0.95, 1),
    'repair CPU ms, median': middle(
      bad.map(({ repairCpuMs }) => repairCpuMs!),
      0.5,
      1,
    ),
    'check ms, median': middle(checks, 0.5),
    'check ms, 95 %': middle(checks, 0.95),
  };
}
