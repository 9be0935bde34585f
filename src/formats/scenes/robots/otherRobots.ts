import type { RobotDescription } from '../../../core/kinematics/robotModel.ts';
import type { JointGoal, RobotReference, Scene } from '../../../core/scene/scene.ts';
import type { Evaluate } from '../../text/numbers.ts';
import type { Diagnostic, Path } from '../../text/sourceText.ts';
import { readSeconds } from '../obstacleMotion.ts';
import { checkAgainstRobot } from '../sceneChecks.ts';
import { SceneReader } from '../sceneReader.ts';
import type { RawJointValues, RawOtherRobot, RawRobot } from '../sceneSchema.ts';
import type { UnitUse } from '../valueReader.ts';
import { readRobotReference } from './robotReference.ts';

/** Another robot of a scene whose files have not been read yet. */
export interface OtherRobotDraft {
  /** Name of the robot in the scene. */
  readonly name: string;
  /** The robot, with its pose in the world. */
  readonly robot: RobotReference;
  /** File of the trajectory that it follows, relative to the folder of the scene. */
  readonly trajectory?: string;
  /** Time of the scene at which its trajectory starts, seconds. */
  readonly startTime: number;
  /** The state that it stays in. */
  readonly q?: JointGoal;
  /**
   * Place in the file.
   * @internal
   */
  readonly path: Path;
  /**
   * Joint values with units, to be checked against the robot.
   * @internal
   */
  readonly unitUses: readonly UnitUse[];
}

/** Reads the other robots of a scene; diagnostics and warnings are added to `reader`. */
export function readOtherRobots(
  reader: SceneReader,
  given: readonly RawOtherRobot[],
  evaluate: Evaluate | undefined,
): OtherRobotDraft[] {
  const names = given.map(({ name }) => name);
  return given.map((one, i) => {
    const path: Path = ['robots', i];
    const place = [...path, 'name'];
    if (names.indexOf(one.name) < i)
      reader.report(place, `it is ${JSON.stringify(one.name)}, which another robot has already`);
    if (one.name.includes('/'))
      reader.report(place, `it is ${JSON.stringify(one.name)}, must not contain "/"`, 'Links are named ROBOT/LINK.');
    const own = new SceneReader(evaluate); // its joint values belong to another robot
    const draft = readOne(own, one, path);
    reader.diagnostics.push(...own.diagnostics);
    reader.warnings.push(...own.warnings);
    reader.quantities.push(...own.quantities);
    reader.bareLengths.push(...own.bareLengths);
    reader.needsExpressions ||= own.needsExpressions;
    return draft;
  });
}

function readOne(reader: SceneReader, given: RawOtherRobot, path: Path): OtherRobotDraft {
  const { name, robot: rawRobot, pose, trajectory, start_time, q } = given;
  const robot = readRobotReference(reader, rawRobot as RawRobot, [...path, 'robot']);
  const hasOwnPose = typeof rawRobot === 'object' && (rawRobot as { readonly pose?: unknown }).pose !== undefined;
  if (typeof rawRobot === 'object' && (rawRobot as { readonly clamping?: unknown }).clamping !== undefined)
    reader.report([...path, 'robot', 'clamping'], 'clearances are those of the planned robot', 'Leave it out.');
  if (hasOwnPose && pose !== undefined)
    reader.report([...path, 'pose'], 'the robot has a pose, too', 'Give one of them.');
  if (trajectory !== undefined && q !== undefined)
    reader.report([...path, 'q'], 'trajectory and q are both given', 'Give one of them.');
  if (start_time !== undefined && trajectory === undefined)
    reader.report([...path, 'start_time'], 'there is no trajectory', 'It is the time at which the trajectory starts.');
  return {
    name,
    robot: pose === undefined ? robot : { ...robot, pose: reader.pose(pose, [...path, 'pose']) },
    ...(trajectory === undefined ? {} : { trajectory }),
    startTime: start_time === undefined ? 0 : readSeconds(reader, start_time, [...path, 'start_time']),
    ...(q === undefined ? {} : { q: reader.jointGoal(q as RawJointValues, [...path, 'q']) }),
    path,
    unitUses: reader.unitUses,
  };
}

/** Checks names, numbers of values and units of another robot. Returns all errors with their places in the scene. */
export function checkOtherRobot(draft: OtherRobotDraft, description: RobotDescription): Diagnostic[] {
  const { robot, q, path, unitUses } = draft;
  const scene: Scene = {
    name: draft.name,
    robot,
    ...(q === undefined ? {} : { start: q }),
    goals: [],
    equivalent: false,
    obstacles: [],
    attached: [],
    allow: [],
    padding: 0,
  };
  const drafts = { scene, obstacles: [], attached: [], goalPaths: [], allow: [] };
  return checkAgainstRobot(drafts, description, unitUses).map((fault) => {
    const [key, ...rest] = fault.path;
    if (key === 'start') return { ...fault, path: [...path, 'q', ...rest] };
    return key === 'robot' ? { ...fault, path: [...path, ...fault.path] } : fault; // units have their place already
  });
}
