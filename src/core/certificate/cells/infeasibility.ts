import { checkForm, isRecord, type ReportError } from '../certificate.ts';
import type { CellEntry } from './cellPartition.ts';

/** Value of `format` in proofs that no motion exists. */
export const INFEASIBILITY_FORMAT = 'elbowroom-infeasibility/1';

/** Two convex parts that overlap; `a` is a link or attached object, `b` an obstacle or one of these. */
export interface OverlapPair {
  /** Name of the link or attached object A. */
  readonly a: string;
  /** Index of the convex part within A. */
  readonly partA: number;
  /** Name of the obstacle, link or attached object B. */
  readonly b: string;
  /** Index of the convex part within B. */
  readonly partB: number;
}

/** Cells of some joints. The box of the tree is that of the joint limits, or a full turn of joints without limits. */
export interface Cells {
  /** Names of the planned joints of the tree. */
  readonly joints: readonly string[];
  /** The pairs that the witnesses of the tree name by their index. */
  readonly pairs: readonly OverlapPair[];
  /** Witness points are in the frame of the link of b, or of the world if b is an obstacle. Only goals have `false`. */
  readonly tree: readonly CellEntry[];
}

/**
 * Proof that a goal is in collision, out of reach or behind walls: each cell of the tree is in collision, or has no
 * state with the pose of the goal, or is behind one of the walls (null). Joints that turn by more than one turn have a
 * box of one turn.
 */
export interface CollidingGoal extends Cells {
  /** Index of the goal, from 0. */
  readonly goal: number;
}

/** Proof that a scene has no motion from its start to any of its goals. */
export interface InfeasibilityCertificate {
  /** Identifier of the file format. */
  readonly format: typeof INFEASIBILITY_FORMAT;
  /** Hash of the resolved scene; absent if it is not in a file, or cannot be resolved. */
  readonly scene_hash?: string;
  /** Hash of the robot of the resolved scene. */
  readonly robot_hash?: string;
  /** One line for a person. */
  readonly reason: string;
  /** Goals that are in collision. */
  readonly goals: readonly CollidingGoal[];
  /** Walls between the start and all other goals. */
  readonly walls: readonly Cells[];
}

/** Writes a certificate as JSON with all digits, one line per goal and wall. */
export function infeasibilityText({ goals, walls, ...head }: InfeasibilityCertificate): string {
  const { format, scene_hash, robot_hash, reason } = head;
  const first = JSON.stringify({ format, scene_hash, robot_hash, reason }).slice(0, -1);
  const lines = (list: readonly object[]) => `[\n${list.map((one) => JSON.stringify(one)).join(',\n')}\n]`;
  return `${first},"goals":${lines(goals)},"walls":${lines(walls)}}\n`;
}

/**
 * Checks the form of a certificate, not the proof. Throws `InputErrors` that name the place of each error.
 * @param file prefix of the messages
 */
export function infeasibilityOf(data: unknown, file: string): InfeasibilityCertificate {
  checkForm(file, (report) => checkInfeasibility(data, report));
  return data as InfeasibilityCertificate;
}

const KEYS = ['format', 'scene_hash', 'robot_hash', 'reason', 'goals', 'walls'];

function checkInfeasibility(data: unknown, report: ReportError): void {
  if (!isRecord(data) || data.format !== INFEASIBILITY_FORMAT) report('', data, INFEASIBILITY_FORMAT);
  else {
    for (const key of Object.keys(data)) if (!KEYS.includes(key)) report(`${key}: `, data[key], 'a known key');
    for (const key of ['scene_hash', 'robot_hash'])
      if (data[key] !== undefined && typeof data[key] !== 'string') report(`${key}: `, data[key], 'a hash');
    if (typeof data.reason !== 'string') report('reason: ', data.reason, 'a text');
    for (const key of ['goals', 'walls'] as const) {
      const list = data[key];
      if (!Array.isArray(list)) report(`${key}: `, list, 'a list');
      else for (const [i, one] of list.entries()) checkCells(one, `${key}[${i}]`, key === 'goals', report);
    }
  }
}

function checkCells(cells: unknown, place: string, isGoal: boolean, report: ReportError): void {
  if (!isRecord(cells)) {
    report(`${place}: `, cells, 'cells');
    return;
  }
  if (isGoal && !Number.isInteger(cells.goal)) report(`${place}.goal: `, cells.goal, 'the index of a goal');
  if (!Array.isArray(cells.joints) || !cells.joints.every((name) => typeof name === 'string'))
    report(`${place}.joints: `, cells.joints, 'a list of names');
  if (!Array.isArray(cells.pairs) || !cells.pairs.every(isPair))
    report(`${place}.pairs: `, cells.pairs, 'a list of pairs');
  if (!Array.isArray(cells.tree)) {
    report(`${place}.tree: `, cells.tree, 'a list');
    return;
  }
  const wrong = cells.tree.findIndex((entry) => !isEntry(entry) && !(isGoal && entry === false));
  if (wrong >= 0) report(`${place}.tree[${wrong}]: `, cells.tree[wrong], 'a joint, null or a witness [pair, x, y, z]');
}

const isPair = (pair: unknown): boolean =>
  isRecord(pair) &&
  [pair.a, pair.b].every((name) => typeof name === 'string') &&
  [pair.partA, pair.partB].every((part) => Number.isInteger(part));

const isEntry = (entry: unknown): boolean =>
  entry === null ||
  Number.isInteger(entry) ||
  (Array.isArray(entry) && entry.length === 4 && entry.every(Number.isFinite) && Number.isInteger(entry[0]));
