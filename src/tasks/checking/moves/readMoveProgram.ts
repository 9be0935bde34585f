import { ProgramSets } from '../../../core/cartesian/moves/programSets.ts';
import type { RobotModel } from '../../../core/kinematics/robotModel.ts';
import { tcpOf, tipLinks } from '../../../core/kinematics/toolCenterPoint.ts';
import { create } from '../../../core/math/transform.ts';
import { startStateOf } from '../../../core/scene/configurationOf.ts';
import { constraintLabel } from '../../../core/scene/constraints.ts';
import type { MoveProgram } from '../../../core/scene/moves/moveProgram.ts';
import { isMotionStep } from '../../../core/scene/program.ts';
import type { Scene } from '../../../core/scene/scene.ts';
import { isTimed, type Trajectory } from '../../../core/trajectory/trajectory.ts';
import { InputError } from '../../../errors.ts';
import type { ScriptRobot } from '../../../formats/trajectories/urscript/scriptArm.ts';
import { isMoveProgram, readMoveExecutions, readMoves } from '../../../formats/trajectories/urscriptReader.ts';
import { rateLimitsOf } from './partRates.ts';

/** True for file names of UR programs. */
export const isScript = (file: string): boolean => /\.(script|urscript)$/i.test(file);

/**
 * Reads a text as a program of moves of the robot of a scene; undefined if it is none: a trajectory in another format,
 * or a stream of set points. Throws `InputError` with the lines that cannot be read.
 */
export function moveProgramOf(
  content: string | Uint8Array,
  file: string,
  model: RobotModel,
  scene: Pick<Scene, 'tcp' | 'start'>,
): MoveProgram | undefined {
  const text = textOf(content);
  return isMoveProgram(text) ? readMoves(withoutMark(text), file, scriptRobotOf(model, scene)) : undefined;
}

/**
 * Reads all executions of a program of moves, as `moveProgramOf`: one for each way in which conditions turn out that
 * are not known before.
 */
export function moveExecutionsOf(...[content, file, model, scene]: Parameters<typeof moveProgramOf>) {
  const text = textOf(content);
  return isMoveProgram(text) ? readMoveExecutions(withoutMark(text), file, scriptRobotOf(model, scene)) : undefined;
}

const textOf = (content: string | Uint8Array) =>
  typeof content === 'string' ? content : new TextDecoder().decode(content);

const withoutMark = (text: string) => text.replace(/^\uFEFF/, '');

function scriptRobotOf(model: RobotModel, scene: Pick<Scene, 'tcp' | 'start'>): ScriptRobot {
  const sets = new ProgramSets(model);
  const isClear = scene.tcp !== undefined || tipLinks(model).length === 1;
  return {
    model,
    frame: isClear ? tcpOf(model, scene.tcp) : { link: 0, T_link_frame: create() },
    start: startStateOf(model, scene)?.q,
    endOf: (from, move) => sets.endOf(from, move),
  };
}

/**
 * Returns the path of a program without steps that consists of straight moves in joint space with stops; undefined for
 * others, and where limits of speeds or torques are to be judged.
 */
export function pathOf({ moves, stepCalls }: MoveProgram, model: RobotModel, scene: Scene): Trajectory | undefined {
  if (
    stepCalls ||
    scene.torque !== undefined ||
    rateLimitsOf(scene).length > 0 ||
    !moves.every(({ joints, radius }) => joints !== undefined && radius === 0)
  )
    return undefined;
  return {
    jointNames: model.variables.map(({ name }) => name),
    points: moves.map(({ joints }) => ({ positions: Array.from(joints!) })),
  };
}

/** Returns the keys of a scene and its steps that scale joint limits: paths and moves are not compared with them. */
const scalesOf = (scene: Scene): string[] =>
  (['speed', 'acceleration'] as const).filter((key) =>
    [scene, ...(scene.steps ?? []).filter(isMotionStep)].some((one) => (one[key] ?? 1) < 1),
  );

const listed = (labels: readonly string[]) => labels.map((label) => JSON.stringify(label)).join(', ');

/**
 * Warns of a path in a scene that limits speeds: without times, nothing is judged against these limits. Throws
 * `InputError` for the path of a script: its `movej` states a speed, which a path does not have.
 */
export function unjudgedSpeedWarnings(path: Trajectory, scene: Scene, place: string): string[] {
  if (isTimed(path) && !path.hasStatedSpeeds) return [];
  const limits = rateLimitsOf(scene).map(constraintLabel);
  if (path.hasStatedSpeeds && limits.length > 0)
    throw new InputError(
      `${place}: the speed of movej is not judged as a path, but the scene limits ${listed(limits)}`,
      'Write a program of moves without servoj, FILE.script, and verify its certificate.',
    );
  const labels = [...limits, ...scalesOf(scene)];
  return labels.length === 0 ? [] : [`${place}: it has no times, so limits of ${listed(labels)} are not judged`];
}

/** Warns of a program of moves in a scene that scales limits of joints: its speeds are not compared with them. */
export function unjudgedMoveWarnings(scene: Scene, place: string): string[] {
  const scales = scalesOf(scene);
  return scales.length === 0 ? [] : [`${place}: a, v and t of its moves are not compared with ${listed(scales)}`];
}
