import { sha256 } from '../../core/math/sha256.ts';
import type { RoadmapData } from '../../core/planning/planner.ts';
import { Roadmap } from '../../core/planning/roadmap.ts';
import { InputError, parseJson } from '../../errors.ts';
import { createSceneRobot, type Problem } from '../sceneRobot.ts';
import { planningSpace } from './planningSpace.ts';
import type { PlanOptions } from './planOptions.ts';

/** Format identifier of a roadmap file. */
const ROADMAP_FORMAT = 'elbowroom-roadmap/1';

/** Options that decide which edges of a roadmap are valid. */
export type RoadmapSettings = Pick<PlanOptions, 'checker' | 'edges' | 'step' | 'weights'>;

/** A roadmap read from a file for one robot and scene. */
export interface ReadRoadmap {
  /** The roadmap. */
  readonly roadmap: RoadmapData;
  /** True if its hash matches this robot, scene and settings; otherwise all of its edges count as unchecked. */
  readonly trusted: boolean;
}

const FORMAT_NOTE = `Give a file that "elbowroom plan --roadmap FILE" has written, of format ${ROADMAP_FORMAT}.`;

/**
 * Returns the roadmap as JSON, one line per point and one per kind of edge, with a hash of roadmap, robot, scene and
 * settings.
 */
export function roadmapText(data: RoadmapData, problem: Problem, settings: RoadmapSettings): string {
  const { variables, name } = createSceneRobot(problem);
  const joints = variables.map((joint) => joint.name);
  const head = { format: ROADMAP_FORMAT, robot: name, scene: problem.scene.name, joint_names: joints };
  const hash = hashOf(data, joints, problem, settings);
  const points = data.points.map((point) => JSON.stringify(point)).join(',\n');
  const { free, unchecked } = data;
  return (
    `${JSON.stringify({ ...head, hash }).slice(0, -1)},"points":[\n${points}\n],\n` +
    `"free":${JSON.stringify(free)},\n"unchecked":${JSON.stringify(unchecked)}}\n`
  );
}

/**
 * Reads a roadmap written by `roadmapText`. Throws `InputError` that starts with `file` if the text is no roadmap, or
 * one of other joints.
 */
export function readRoadmap(text: string, file: string, problem: Problem, settings: RoadmapSettings): ReadRoadmap {
  const robot = createSceneRobot(problem);
  const joints = robot.variables.map((joint) => joint.name);
  const data = parse(text, file);
  if (!isNames(data['joint_names']) || data['joint_names'].join() !== joints.join())
    throw new InputError(
      `${file}: joint_names: the roadmap is not of the joints ${joints.join(', ')}`,
      'Give another file; if it does not exist, a new roadmap is written.',
    );
  for (const key of ['points', 'free', 'unchecked']) {
    if (!Array.isArray(data[key]) || !(data[key] as unknown[]).every(Array.isArray))
      throw new InputError(`${file}: ${key}: this is not a list of lists`, FORMAT_NOTE);
    const rows = data[key] as unknown[][];
    const bad = rows.findIndex((row) => !row.every((value) => typeof value === 'number'));
    if (bad >= 0) throw new InputError(`${file}: ${key}[${bad}]: this is not a list of numbers`, FORMAT_NOTE);
  }
  const { points, free, unchecked } = data as unknown as RoadmapData;
  const roadmap: RoadmapData = { dof: joints.length, points, free, unchecked };
  requireValid(roadmap, file, problem);
  const trusted = data['hash'] === hashOf(roadmap, joints, problem, settings);
  return { roadmap: trusted ? roadmap : { ...roadmap, free: [], unchecked: [...free, ...unchecked] }, trusted };
}

function parse(text: string, file: string): Readonly<Record<string, unknown>> {
  const data = parseJson(text.replace(/^\uFEFF/, ''), file, 'not JSON', FORMAT_NOTE);
  if (typeof data === 'object' && data !== null && 'format' in data && data.format === ROADMAP_FORMAT)
    return { ...data };
  throw new InputError(`${file}: this is not a roadmap`, FORMAT_NOTE);
}

const isNames = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((name) => typeof name === 'string');

/** Throws `InputError` unless all points are finite and all edges connect two of them. */
function requireValid(roadmap: RoadmapData, file: string, problem: Problem): void {
  try {
    Roadmap.fromData(roadmap, planningSpace(createSceneRobot(problem)));
  } catch (error) {
    throw error instanceof InputError ? new InputError(`${file}: ${error.message}`, error.note) : error;
  }
}

/**
 * Computes the hash of the roadmap and of everything that decides which of its edges are valid; start and goal are not
 * part of it.
 */
function hashOf(
  { points, free, unchecked }: RoadmapData,
  joints: readonly string[],
  { robot, scene }: Problem,
  { checker, edges, step, weights }: RoadmapSettings,
): string {
  const { links, joints: tree, allowed } = robot;
  const { obstacles, attached, allow, padding, clearances = [], constraints = [], tcp } = scene;
  const validity = {
    links,
    tree,
    allowed,
    reference: scene.robot,
    obstacles,
    attached,
    allow,
    padding,
    ...(clearances.length > 0 && { clearances }),
    checker,
    edges,
    // A tool center point decides validity only through constraints.
    ...(constraints.length > 0 && { constraints, tcp }),
  };
  // The weighted metric decides the distance of samples; continuous validation does not depend on it.
  const allWeights = { ...scene.weights, ...weights };
  const weighted = Object.entries(allWeights).sort(([a], [b]) => (a < b ? -1 : 1));
  const samples = edges !== 'sampled' ? 0 : weighted.length > 0 ? [step, weighted] : step;
  return sha256(JSON.stringify([validity, samples, joints, points, free, unchecked]));
}
