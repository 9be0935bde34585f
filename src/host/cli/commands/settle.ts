import { dirname, isAbsolute, join, relative } from 'node:path';
import { contactFinders } from '../../../core/dynamics/contactFinder.ts';
import { droppedNames, settledSceneText } from '../../../formats/scenes/free/settledText.ts';
import { readSceneFile } from '../../../formats/scenes/sceneFile.ts';
import { pageWith } from '../../../tasks/pictures/page.ts';
import { sceneAfterFall, settledPage } from '../../../tasks/pictures/settledPage.ts';
import { type SettledScene, settleScene } from '../../../tasks/settling/settleScene.ts';
import { loadUnsettledScene } from '../../node/files.ts';
import { checkOutputs } from '../../node/outputTarget.ts';
import { readPageTemplate } from '../../node/pageTemplate.ts';
import { includesFrom } from '../../node/scenes/sceneFiles.ts';
import { defineCommand } from '../command.ts';
import { ExitCode } from '../exitCode.ts';
import { choice, integer, optionalInteger, quantity, text } from '../options.ts';
import { counted } from '../printable.ts';
import { sceneOperand } from '../sceneOperand.ts';

type Loaded = Awaited<ReturnType<typeof loadUnsettledScene>>;

export const settle = defineCommand({
  summary: 'rigid body simulation: free objects fall and come to rest, as a scene with their final poses',
  operands: [sceneOperand],
  options: {
    output: text('FILE', 'output scene, .yaml or .json, written completely or not at all (default: stdout)', 'o'),
    seed: integer(1, 'seed of the poses of dropped objects; equal seeds give equal bytes', { min: 0 }),
    steps: optionalInteger('60 simulated seconds', 'largest number of time steps', { min: 1 }),
    timeLimit: quantity(60, 's', 'time limit of the simulation', { min: 0, exclusive: true }),
    checker: choice(contactFinders, 'growth-distance', 'narrow-phase algorithm of the contacts'),
    stats: text('FILE', 'output file of one JSON line with counts, energy and depths; - for stdout (needs -o)'),
    svg: text('FILE', 'output file of a drawing of the final poses, SVG'),
    report: text(
      'FILE',
      'output file of an HTML page that replays the fall, with energy and deepest overlap over time',
    ),
  },
  details: `Obstacles with "free: {density | mass, friction, restitution}" fall under gravity (0, 0, -9.81, or "gravity"
of the scene) onto the other obstacles, which are fixed. "drop: {from: {type: box, size, pose}, count: 20, shapes:
[...]}" creates objects before the simulation. The robot and attached objects take no part. Friction and restitution of
a contact: the value of the free object against a fixed one, the geometric mean of two free ones.

At rest, proved by the narrow phase before anything is written: no pair overlaps by more than 0.1 mm, each free object
touches another within 0.1 mm, and contact forces within the friction cones hold it. A settled scene that is settled
again stays as it is.
Free objects that overlap at the start are pushed apart first, or refused.

--stats: {"scene", "status", "seed", "checker", "bodies", "steps", "time_step", "contacts", "max_penetration",
"energy": [start, end], "checks", "warnings"}.
Exit code 0: all rest, 1: some still move at the end; they are named, and nothing is written but --stats and --report.`,
  examples: [
    ['elbowroom settle bin-of-parts -o bin.yaml', 'a bin of parts of the package; then: plan bin.yaml'],
    ['elbowroom settle bin-of-parts --seed 7 -o bin-7.json', 'another heap, as JSON'],
  ],

  async run(io, [scenePath], { output, seed, steps, timeLimit, checker, stats, svg, report }) {
    checkOutputs([output, stats === '-' ? undefined : stats, svg, report]);
    const loaded = await loadUnsettledScene(scenePath!);
    io.warn(loaded.warnings);
    await refuseMotion(loaded);
    await refuseIncludedBodies(loaded);
    if (loaded.scene.drop === undefined && loaded.scene.obstacles.every(({ free }) => free === undefined))
      io.warn([`${scenePath}: no object is free, so that none falls: mark obstacles with free, or state drop`]);
    const until = io.clock() + 1000 * timeLimit;
    const isInterrupted = () => io.clock() > until;
    const options = { seed, checker, isInterrupted, record: report !== undefined, steps };
    const result = io.compute('simulating the fall', () => settleScene(loaded.scene, options));
    const names = namesOf(loaded, result);
    if (result.status === 'overlap') throw await overlapError(loaded, result);
    if (result.status === 'rest') {
      const content = await settledText(loaded, result, output, names);
      await io.put(output, content);
    }
    if (svg !== undefined && result.status === 'rest') io.save(svg, await pictureOf(loaded, result, names));
    const lines = outcome(result, names, loaded);
    for (const line of lines) io.say(line);
    if (report !== undefined) io.save(report, await pageOf(loaded, result, lines, names));
    if (stats !== undefined) {
      const line = {
        scene: loaded.scene.name,
        status: result.status,
        seed,
        checker,
        ...result.stats,
        warnings: io.warnings,
      };
      await io.put(stats, `${JSON.stringify(line)}\n`);
    }
    return result.status === 'rest' ? ExitCode.Ok : ExitCode.No;
  },
});

/** Throws `InputError` for obstacles that move: objects come to rest only among fixed ones. */
async function refuseMotion({ draft: { obstacles, errorAt } }: Loaded): Promise<void> {
  const moving = obstacles.find(({ motion }) => motion !== undefined);
  if (moving === undefined) return;
  const note = 'Nothing rests among moving objects: give it a pose instead.';
  throw await errorAt([...moving.path, 'motion'], 'a scene to settle has no moving objects', note, moving.source);
}

/** The poses of included objects are in another file, which stays as it is. */
async function refuseIncludedBodies({ draft: { obstacles, errorAt } }: Loaded): Promise<void> {
  const included = obstacles.find(({ free, source }) => free !== undefined && source !== undefined);
  if (included === undefined) return;
  const note = 'Settle the included file by itself, or list its objects in the scene.';
  throw await errorAt([...included.path, 'free'], 'an included object cannot be free', note, included.source);
}

/** Names of all obstacles, then of the dropped objects. */
function namesOf({ scene, robot }: Loaded, { dropped }: SettledScene): string[] {
  const own = scene.obstacles.map(({ name }) => name);
  const taken = [...own, ...scene.attached.map(({ name }) => name), ...robot.links.map(({ name }) => name)];
  return [...own, ...droppedNames(dropped.length, taken)];
}

async function overlapError({ draft: { obstacles, errorAt } }: Loaded, { overlapping }: SettledScene): Promise<Error> {
  const [i, j] = overlapping[0];
  const others = overlapping.length > 1 ? ` (and ${overlapping.length - 1} more pairs)` : '';
  const what = `"${obstacles[i].name}" overlaps "${obstacles[j].name}"${others}, and they cannot be pushed apart`;
  return errorAt(obstacles[i].path, what, 'Move them apart.', obstacles[i].source);
}

async function settledText(
  { draft, file, scene }: Loaded,
  { moved, dropped }: SettledScene,
  output: string | undefined,
  names: readonly string[],
): Promise<string> {
  const from = dirname(file);
  const folder = output === undefined ? '.' : dirname(output);
  const relocate = (path: string) =>
    isAbsolute(path) ? path : (relative(folder, join(from, path)) || '.').replaceAll('\\', '/');
  const created = dropped.map((pose, i) => ({ name: names[scene.obstacles.length + i], pose }));
  const format = output !== undefined && /\.json$/i.test(output) ? 'json' : 'yaml';
  const content = await settledSceneText(draft.raw, { moved, dropped: created, relocate }, format);
  // Includes are only opened near the scene: the new place may be too far away.
  if (draft.raw.include !== undefined) await readSceneFile(content, output ?? 'stdout', {}, includesFrom(folder));
  return content;
}

/** Describes the outcome, one line or two. */
function outcome(
  { status, moving, stats, dropped }: SettledScene,
  names: readonly string[],
  loaded: Loaded,
): readonly string[] {
  const seconds = (stats.steps * stats.time_step).toFixed(2);
  const taken = counted(stats.steps, 'step', 'steps');
  if (status === 'rest') {
    const millimetres = (1000 * stats.max_penetration).toFixed(3);
    const found = `${counted(stats.bodies, 'body', 'bodies')}, ${counted(stats.contacts, 'contact', 'contacts')}`;
    return [`at rest after ${seconds} s (${taken}): ${found}, overlap at most ${millimetres} mm`];
  }
  const shown = moving.slice(0, 20).map((i) => `"${names[i]}"`);
  const more = moving.length > shown.length ? `, and ${moving.length - shown.length} more` : '';
  return [
    ...(status === 'no-room'
      ? [`only ${dropped.length} of ${loaded.scene.drop?.count} objects found room in the region of the drop`]
      : []),
    `still moving after ${seconds} s (${taken}): ${shown.join(', ')}${more}`,
  ];
}

/** Draws the final poses as SVG; the module is loaded on use. */
async function pictureOf({ scene }: Loaded, result: SettledScene, names: readonly string[]): Promise<string> {
  const { drawObjects } = await import('../../../tasks/pictures/drawMotion.ts');
  const { fall: _, ...final } = result;
  const settled = sceneAfterFall(scene, final, names);
  const free = settled.obstacles.filter((obstacle) => obstacle.free !== undefined).map(({ name }) => name);
  return drawObjects(settled, new Set(free), scene.description);
}

/** Returns the HTML page that replays the simulation. */
async function pageOf(
  loaded: Loaded,
  result: SettledScene,
  lines: readonly string[],
  names: readonly string[],
): Promise<string> {
  return pageWith(await readPageTemplate(), settledPage(loaded, result, lines.join('; '), names));
}
