import type { Scene } from '../../core/scene/scene.ts';
import type { Evaluate } from '../text/numbers.ts';
import type { Path, SourceText } from '../text/sourceText.ts';
import { type DropDraft, readDrop } from './free/dropDraft.ts';
import { readGravity } from './free/freeObjects.ts';
import { readPayload, readTorque } from './loads/readMass.ts';
import type { ObjectDraft, ToolPathFile } from './objectDraft.ts';
import { readConstraints } from './readConstraints.ts';
import { readClearances, readSafety } from './readSafety.ts';
import { type OtherRobotDraft, readOtherRobots } from './robots/otherRobots.ts';
import { readRobotReference } from './robots/robotReference.ts';
import { readGoal, readTcp, readTcpSpeed } from './sceneGoals.ts';
import { type AllowedDraft, type Included, readObjects } from './sceneIncludes.ts';
import type { SceneReader } from './sceneReader.ts';
import type { RawBody, RawGoal, RawScene } from './sceneSchema.ts';
import { readStepDefaults, readSteps, reportSetPayloads } from './steps/steps.ts';
import type { WrittenQuantity } from './valueReader.ts';

/** A problem as written in a file, merged with the common keys of the suite. */
export interface WrittenProblem {
  /** The scene without its obstacles and attached bodies. */
  readonly scene: Scene;
  /**
   * Obstacles as written; `buildScene` builds their shapes.
   * @internal
   */
  readonly obstacles: readonly ObjectDraft[];
  /**
   * Attached objects as written.
   * @internal
   */
  readonly attached: readonly ObjectDraft[];
  /** Other robots as written. */
  readonly robots: readonly OtherRobotDraft[];
  /**
   * Objects that `settle` creates; `buildScene` builds their shapes.
   * @internal
   */
  readonly drop?: DropDraft;
  /**
   * The problem as written, merged with the keys of its suite.
   * @internal
   */
  readonly raw: RawScene;
  /**
   * Paths of the goals of the scene in the file.
   * @internal
   */
  readonly goalPaths: readonly Path[];
  /**
   * Pairs of `allow` with their places in the file.
   * @internal
   */
  readonly allow: readonly AllowedDraft[];
  /**
   * Values of the numbers of `raw` that are written as texts.
   * @internal
   */
  readonly quantities: readonly WrittenQuantity[];
  /**
   * Files of the way points of tool paths; `buildScene` adds them to the steps.
   * @internal
   */
  readonly toolPaths: readonly ToolPathFile[];
}

const allowedOf = (pairs: readonly [string, string][], source: SourceText): AllowedDraft[] =>
  pairs.map((pair, i) => ({ pair, path: ['allow', i], source }));

/** Returns the goals as they are written, with their places. */
const goalsOf = ({ goal, goals = [] }: RawScene): readonly { readonly given: RawGoal; readonly path: Path }[] =>
  goal !== undefined ? [{ given: goal, path: ['goal'] }] : goals.map((given, i) => ({ given, path: ['goals', i] }));

/**
 * Reads a problem; diagnostics and warnings are added to `reader`.
 * @param fallback name of a problem that states none
 * @param evaluate evaluates expressions; undefined: expressions are skipped, and the problem is read a second time
 */
export function readProblem(
  reader: SceneReader,
  raw: RawScene,
  fallback: string,
  included: Included,
  source: SourceText,
  evaluate: Evaluate | undefined,
): WrittenProblem {
  const { name = fallback, description, robot, start, obstacles, attached, allow = [] } = raw;
  reportContradictions(reader, raw);
  const padding = raw.padding === undefined ? 0 : reader.atLeastZero(raw.padding, ['padding']);
  const weights = raw.weights && reader.positiveNumbers(raw.weights, 'ratio', ['weights']);
  const tcp = raw.tcp === undefined ? undefined : readTcp(reader, raw.tcp, ['tcp']);
  const safety = raw.safety === undefined ? [] : readSafety(reader, raw.safety, tcp);
  const constraints = raw.constraints === undefined ? [] : readConstraints(reader, raw.constraints, ['constraints']);
  const clamping = typeof robot === 'object' ? robot.clamping : undefined;
  const clearances = readClearances(reader, raw.clearance, clamping);
  const ends = goalsOf(raw);
  const allowed = [...allowedOf(allow as [string, string][], source), ...included.allow];
  return {
    obstacles: [...readObjects(reader, obstacles as RawBody[] | undefined, 'obstacles'), ...included.obstacles],
    attached: [...readObjects(reader, attached as RawBody[] | undefined, 'attached'), ...included.attached],
    ...(raw.drop && { drop: readDrop(reader, raw.drop) }),
    raw,
    quantities: reader.quantities,
    toolPaths: reader.toolPaths,
    allow: allowed,
    robots: readOtherRobots(reader, raw.robots ?? [], evaluate),
    goalPaths: ends.map(({ path }) => path),
    scene: {
      name,
      ...(description === undefined ? {} : { description }),
      robot: readRobotReference(reader, robot ?? '', ['robot']),
      ...(start === undefined ? {} : { start: reader.jointGoal(start, ['start']) }),
      goals: ends.map(({ given, path }) => readGoal(reader, given, path)),
      equivalent: raw.equivalent ?? false,
      obstacles: [],
      attached: [],
      allow: allowed.map(({ pair }) => pair),
      padding,
      ...(weights && { weights }),
      ...(tcp === undefined ? {} : { tcp }),
      ...(raw.speed === undefined ? {} : { speed: reader.share(raw.speed, ['speed']) }),
      ...(raw.acceleration === undefined ? {} : { acceleration: reader.share(raw.acceleration, ['acceleration']) }),
      ...(raw.tcp_speed === undefined ? {} : { tcpSpeed: readTcpSpeed(reader, raw.tcp_speed, ['tcp_speed']) }),
      ...((raw.constraints ?? raw.safety) && { constraints: [...constraints, ...safety] }),
      ...(clearances.length === 0 ? {} : { clearances }),
      ...(raw.unknown_speed === undefined
        ? {}
        : { unknownSpeed: reader.atLeastZero(raw.unknown_speed, ['unknown_speed'], 1) }),
      ...(raw.tracking === undefined ? {} : { tracking: reader.atLeastZero(raw.tracking, ['tracking']) }),
      ...(raw.gravity === undefined ? {} : { gravity: readGravity(reader, raw.gravity) }),
      ...(raw.torque && { torque: readTorque(reader, raw.torque) }),
      ...(raw.payload && { payload: readPayload(reader, raw.payload) }),
      ...(raw.defaults && { stepDefaults: readStepDefaults(reader, raw.defaults) }),
      ...(raw.steps && { steps: readSteps(reader, raw.steps, raw.defaults) }),
    },
  };
}

/** Reports a missing robot, and keys that exclude each other. */
function reportContradictions(reader: SceneReader, raw: RawScene): void {
  const { robot, goal, goals, steps, defaults } = raw;
  const hasGoal = goal !== undefined || goals !== undefined;
  if (robot === undefined) reader.report(['robot'], 'it is missing', 'Name the robot in the suite or in each problem.');
  if (goal !== undefined && goals !== undefined)
    reader.report(['goals'], 'goal and goals are both given', 'Give one of them.');
  if (steps && hasGoal)
    reader.report([goal !== undefined ? 'goal' : 'goals'], 'the scene has steps, too', 'Give a goal or steps.');
  if (defaults && !steps && hasGoal)
    reader.report(['defaults'], 'the scene has no steps', 'They are the defaults of steps.');
  if (raw.torque || (raw.safety?.momentum ?? raw.safety?.power) !== undefined) reportSetPayloads(reader, steps ?? []);
}
