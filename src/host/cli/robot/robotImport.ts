import { basename, join } from 'node:path';
import type { RobotDescription } from '../../../core/kinematics/robotModel.ts';
import { InputError } from '../../../errors.ts';
import { checkedElements, otherElements, plainGroup, srdfText } from '../../../formats/robots/srdfWriter.ts';
import { withLimits } from '../../../formats/robots/writing/filledLimits.ts';
import { findAllowedPairs } from '../../../tasks/robots/findAllowedPairs.ts';
import { robotDifference } from '../../../tasks/robots/robotDifference.ts';
import { starterMotion } from '../../../tasks/robots/starterMotion.ts';
import { loadRobot, type RobotFiles } from '../../node/files.ts';
import {
  copyDescription,
  type FileContent,
  requireEmptyFolder,
  writeNewFolder,
} from '../../node/import/copiedDescription.ts';
import { readFilledLimits } from '../../node/limitsFile.ts';
import { Observations } from '../../node/packages/observations.ts';
import { loadRobotSources, type RobotSources } from '../../node/robotSources.ts';
import { ExitCode } from '../exitCode.ts';
import type { Io } from '../io.ts';
import { groupAndRest, type Sampling, sampledPairs, samplingRemarks, warningsOfRest } from './robotExamination.ts';

/** Options of `robot --import`. */
export interface ImportOptions extends Sampling {
  /** The folder to create. */
  readonly import: string;
}

/** Runs `robot --import`: copies a robot with all that it needs to a new folder, and checks that the copy is equal. */
export async function importRobot(
  io: Io,
  nameOrPath: string,
  { limits, ...files }: RobotFiles,
  given: ImportOptions,
): Promise<ExitCode> {
  const folder = given.import;
  requireEmptyFolder(folder);
  const sources = await loadRobotSources(nameOrPath, files);
  const filled =
    limits === undefined
      ? { changed: new Map(), warnings: [] }
      : await readFilledLimits(sources.robot.joints, limits, new Observations());
  const copied = await copyDescription(sources, files, filled.changed);
  const name = fileNameOf(sources.robot.name, sources.urdfFile.file);
  const { text: srdf, semantics, warnings: sampled } = await writtenSrdf(sources, given);
  const joints = withLimits(sources.robot.joints, filled);
  const robot: RobotDescription = { ...sources.robot, joints, ...semantics };
  const geometry = copied.needsGeometry && files.geometry === 'visual' ? ('visual' as const) : undefined;
  const scene = sceneText(name, robot, geometry, given.seed);
  const warnings = [...filled.warnings, ...copied.warnings, ...sampled];
  if (scene === undefined) warnings.push('no two valid states were found for a scene: robot --doctor says why');

  const contents = new Map<string, FileContent>([
    [`${name}.urdf`, { text: copied.urdf }],
    [`${name}.srdf`, { text: srdf }],
    ...(scene === undefined ? [] : [['scene.yaml', { text: scene }] as const]),
    ...copied.files,
  ]);
  io.exitOnInterrupt();
  await writeNewFolder(folder, contents, (at) => requireEqual(robot, at, name, { ...files, geometry }));
  io.warn([...sources.robot.warnings, ...warnings]);
  io.say(
    `${contents.size} files in ${folder}: ${[...contents.keys()].filter((path) => !path.includes('/')).join(', ')}`,
  );
  if (scene !== undefined) io.say(`Next: elbowroom plan ${join(folder, 'scene.yaml')}`);
  return ExitCode.Ok;
}

/** Returns a file name without blanks and other characters that need quotes. */
function fileNameOf(robot: string, file: string): string {
  const name = (robot || basename(file)).replace(/[^\w.-]+/g, '_').replace(/^[._-]+|[._-]+$/g, '');
  return name === '' ? 'robot' : name;
}

/**
 * Returns the SRDF of the copy and the pairs and states that it and the robot state: those of the given SRDF, or
 * without one those that sampling finds. What an MJCF file states (pairs, states) goes into the SRDF.
 */
async function writtenSrdf(
  { robot, urdf, srdfFile }: RobotSources,
  given: Sampling,
): Promise<{
  text: string;
  semantics: Pick<RobotDescription, 'allowed' | 'checked' | 'states'>;
  warnings: readonly string[];
}> {
  const { allowed, states, checked = [] } = robot;
  const written = (elements: readonly string[], pairs: RobotDescription['allowed'], remarks: readonly string[]) =>
    srdfText({ robot: robot.name, remarks, elements, pairs: pairs.map(([a, b, reason]) => ({ a, b, reason })) });
  const own = urdf.checked ?? [];
  if (srdfFile !== undefined) {
    const remarks = [`Pairs, groups and states of ${basename(srdfFile.file)}.`];
    const elements = await otherElements(srdfFile.text, srdfFile.file);
    const text = written([...elements, ...checkedElements(own)], allowed, remarks);
    return { text, semantics: { allowed, checked, states }, warnings: [] };
  }
  const found = findAllowedPairs(robot, given);
  const sampled = sampledPairs(found).map(({ a, b, reason }): [string, string, string] => [a, b, reason]);
  const pairs = [...allowed, ...sampled];
  const [name, joints, rest] = groupAndRest(robot, found);
  const stated = { ...rest, ...urdf.states };
  const elements = [...plainGroup(name, joints, stated), ...checkedElements([...own, ...found.enabled])];
  const text = written(elements, pairs, samplingRemarks(robot.name, 'import', found));
  const semantics = { allowed: pairs, checked: [...checked, ...found.enabled], states: { ...states, ...rest } };
  return { text, semantics, warnings: warningsOfRest(found) };
}

function sceneText(
  name: string,
  robot: RobotDescription,
  geometry: RobotFiles['geometry'],
  seed: number,
): string | undefined {
  const motion = starterMotion(robot, seed);
  if (motion === undefined) return undefined;
  const line = (values: Readonly<Record<string, number>>) =>
    `{${Object.entries(values)
      .map(([joint, value]) => `${JSON.stringify(joint)}: ${value}`)
      .join(', ')}}`;
  const joints = motion.isPartial ? `, joints: ${JSON.stringify(Object.keys(motion.start))}` : '';
  const option = (geometry === undefined ? '' : `, geometry: ${geometry}`) + joints;
  return [
    'format: elbowroom-scene/1',
    `robot: {urdf: ${name}.urdf, srdf: ${name}.srdf${option}}`,
    `start: ${line(motion.start)}`,
    `goal: ${line(motion.goal)}`,
    'obstacles: []',
    '',
  ].join('\n');
}

/** Loads the copy and throws if it is not the same robot: a bug, which must not leave a wrong robot behind. */
async function requireEqual(robot: RobotDescription, folder: string, name: string, files: RobotFiles): Promise<void> {
  const copy = await loadRobot(join(folder, `${name}.urdf`), {
    srdf: join(folder, `${name}.srdf`),
    geometry: files.geometry,
  });
  const difference = robotDifference(robot, copy);
  if (difference === undefined) return;
  throw new InputError(
    `the copy of "${robot.name}" differs from the robot: ${difference}`,
    'This is a bug of elbowroom: please report it. Nothing was written.',
  );
}
