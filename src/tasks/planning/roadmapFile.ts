import { InputError } from '../../errors.ts';
import { sha256 } from '../../math/sha256.ts';
import type { RoadmapData } from '../../planning/planner.ts';
import { Roadmap } from '../../planning/roadmap.ts';
import { createSceneRobot, type Problem } from '../sceneRobot.ts';
import { planningSpace } from './planningSpace.ts';
import type { PlanOptions } from './planOptions.ts';

/** What a roadmap file says of its form. */
export const ROADMAP_FORMAT = 'elbowroom-roadmap/1';

/** What a roadmap is made with: another checker or step may call other motions free. */
type Settings = Pick<PlanOptions, 'checker' | 'edges' | 'step' | 'weights'>;

/** A roadmap from a file, for one robot and scene. */
export interface ReadRoadmap {
  readonly roadmap: RoadmapData;
  /** It was made for this robot, scene and settings, and nobody has changed it: else its motions count as not looked at yet. */
  readonly trusted: boolean;
}

const OF_US = `A roadmap is what "elbowroom plan --roadmap FILE" writes, of format ${ROADMAP_FORMAT}.`;

/** The roadmap as JSON, a line for each point and each kind of motion, with the hash that ties it to robot, scene and settings. */
export function roadmapText(data: RoadmapData, problem: Problem, settings: Settings): string {
  const { variables, name } = createSceneRobot(problem);
  const joints = variables.map((joint) => joint.name);
  const head = { format: ROADMAP_FORMAT, robot: name, scene: problem.scene.name, joint_names: joints };
  const hash = hashOf(data, joints, problem, settings);
  const points = data.points.map((point) => JSON.stringify(point)).join(',\n');
  const { free, unchecked } = data;
  return `${JSON.stringify({ ...head, hash }).slice(0, -1)},"points":[\n${points}\n],\n"free":${JSON.stringify(free)},\n"unchecked":${JSON.stringify(unchecked)}}\n`;
}

/** Reads what `roadmapText` writes. Throws InputError, `file` first, for what is no roadmap, or none of this robot's joints. */
export function readRoadmap(text: string, file: string, problem: Problem, settings: Settings): ReadRoadmap {
  const robot = createSceneRobot(problem);
  const joints = robot.variables.map((joint) => joint.name);
  const data = parse(text, file);
  if (!isNames(data['joint_names']) || data['joint_names'].join() !== joints.join())
    throw new InputError(
      `${file}: joint_names: the roadmap is not of the joints ${joints.join(', ')}`,
      'Give another file; a new one is begun where there is none.',
    );
  for (const key of ['points', 'free', 'unchecked']) {
    if (!Array.isArray(data[key]) || !(data[key] as unknown[]).every(Array.isArray))
      throw new InputError(`${file}: ${key}: this is not a list of lists`, OF_US);
    const rows = data[key] as unknown[][];
    const bad = rows.findIndex((row) => !row.every((value) => typeof value === 'number'));
    if (bad >= 0) throw new InputError(`${file}: ${key}[${bad}]: this is not a list of numbers`, OF_US);
  }
  const { points, free, unchecked } = data as unknown as RoadmapData;
  const roadmap: RoadmapData = { dof: joints.length, points, free, unchecked };
  requireWhole(roadmap, file, problem);
  const trusted = data['hash'] === hashOf(roadmap, joints, problem, settings);
  return { roadmap: trusted ? roadmap : { ...roadmap, free: [], unchecked: [...free, ...unchecked] }, trusted };
}

function parse(text: string, file: string): Readonly<Record<string, unknown>> {
  let data: unknown;
  try {
    data = JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch {
    throw new InputError(`${file}: not JSON`, OF_US);
  }
  if (typeof data === 'object' && data !== null && 'format' in data && data.format === ROADMAP_FORMAT)
    return { ...data };
  throw new InputError(`${file}: this is not a roadmap`, OF_US);
}

const isNames = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((name) => typeof name === 'string');

/** Points of finite numbers, and motions between two of them. */
function requireWhole(roadmap: RoadmapData, file: string, problem: Problem): void {
  try {
    Roadmap.fromData(roadmap, planningSpace(createSceneRobot(problem)));
  } catch (error) {
    throw error instanceof InputError ? new InputError(`${file}: ${error.message}`, error.note) : error;
  }
}

/** Of the roadmap, and of all that decides which of its motions are free: not of start and goal. */
function hashOf(
  { points, free, unchecked }: RoadmapData,
  joints: readonly string[],
  { robot, scene }: Problem,
  { checker, edges, step, weights }: Settings,
): string {
  const { links, joints: tree, allowed } = robot;
  const { obstacles, attached, allow, padding } = scene;
  const judge = { links, tree, allowed, reference: scene.robot, obstacles, attached, allow, padding, checker, edges };
  // Samples stand apart as the weighted metric says; proofs do not depend on it.
  const counts = { ...scene.weights, ...weights };
  const weighted = Object.entries(counts).sort(([a], [b]) => (a < b ? -1 : 1));
  const samples = edges !== 'sampled' ? 0 : weighted.length > 0 ? [step, weighted] : step;
  return sha256(JSON.stringify([judge, samples, joints, points, free, unchecked]));
}
