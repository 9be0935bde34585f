import { jointValueProblem } from '../../core/math/magnitudes.ts';
import type { MoveProgram } from '../../core/scene/moves/moveProgram.ts';
import { MAX_SET_POINT_INTERVAL } from '../../core/trajectory/jointExtremes.ts';
import { wholeNanoseconds } from '../../core/trajectory/roundedTimes.ts';
import type { Trajectory, TrajectoryPoint } from '../../core/trajectory/trajectory.ts';
import { InputError } from '../../errors.ts';
import { Problems } from './trajectoryFormat.ts';
import type { Choice } from './urscript/choices.ts';
import { type Execution, execute, executeEach } from './urscript/executions.ts';
import { type Move, MoveRecorder } from './urscript/moves.ts';
import { parseScript } from './urscript/parser.ts';
import { ScriptArm, type ScriptRobot } from './urscript/scriptArm.ts';
import { checkNames } from './urscript/scriptNames.ts';
import { ON_STEP } from './urscript/stepCalls.ts';
import type { Definition, Script } from './urscript/syntax.ts';
import { checkThreads } from './urscript/threads.ts';
import { ScriptProblem } from './urscript/tokens.ts';

/**
 * Reads the motion of a script by executing it as a controller does, including calls, and loops and branches whose
 * conditions do not depend on measurements. movej with r=0 and servoj are straight lines in joint space; the motion is
 * timed if all statements are servoj. Other statements that may move the arm are reported, as are those whose effect
 * may differ between controllers. The joint names come from a comment `# joints: …`, else from `joints`. A script that
 * defines `on_step` is a program: it has the step of each point, the calls of steps and events, and the signals of tool
 * paths.
 */
export function readUrscript(text: string, joints: readonly string[], problems: Problems): Trajectory {
  const jointNames = jointNamesOf(text, joints, problems);
  let recorder = new MoveRecorder();
  executed(text, problems, false, (script) => {
    recorder = new MoveRecorder(hasSteps(script));
    execute(script, programOf(script), recorder, jointNames.length);
  });
  if (problems.isEmpty && recorder.moves.length === 0)
    problems.add(undefined, '', 'no movej and no servoj', 'Give at least one point.');
  for (const { positions, line } of recorder.moves) {
    const beyond = positions.find((value) => jointValueProblem(value) !== undefined);
    if (beyond === undefined) continue;
    problems.add(line, '', `${beyond} ${jointValueProblem(beyond)}`, 'Positions are angles in radians.');
    if (problems.isFull) break;
  }
  const points = pointsOf(recorder.moves);
  const isPath = points.some(({ time_from_start: time }) => time === undefined);
  const isStream = areSetPoints(points);
  const motion = {
    jointNames,
    points,
    ...(isStream && { setPoints: true as const }),
    ...(isPath && { hasStatedSpeeds: true as const }),
  };
  if (recorder.calls.length === 0) return motion;
  const pointSteps = recorder.moves.map(({ step }) => step!);
  const signals = recorder.signals.map(({ step, moves, on }) => ({
    step,
    time: points[moves - 1].time_from_start!,
    on,
  }));
  return { ...motion, pointSteps, stepCalls: recorder.calls, ...(signals.length > 0 && { signals }) };
}

/** True if a text is a program of moves alone: it has no set points. */
export const isMoveProgram = (text: string): boolean =>
  /^[^#\n\r]*\bmove[jlcp][ \t]*\(/m.test(text) && !/^[^#\n\r]*\bservo[a-z]+[ \t]*\(/m.test(text);

/**
 * Reads a program of moves, as `readUrscript` does, with moves to poses and blends. Poses are in the frame of the link
 * `base`. The path of each move is known up to what the manual leaves open.
 */
export function readMoves(text: string, file: string, robot: ScriptRobot): MoveProgram {
  const [{ program }] = programsOf(text, file, robot, (script, recorderOf, dof) => {
    const recorder = recorderOf();
    execute(script, programOf(script), recorder, dof);
    return [{ recorder, choices: [] }];
  });
  return program;
}

/** An execution of a program of moves, and the choices that lead to it, if it has several. */
export interface MoveExecution {
  readonly program: MoveProgram;
  readonly choices: readonly Choice[];
}

/**
 * Reads a program of moves as `readMoves` does, for all ways in which conditions turn out that are not known before,
 * such as inputs, and in which the manual may be read. Each execution has its moves up to a state at rest from which
 * another one continues; those without moves are left out.
 */
export function readMoveExecutions(text: string, file: string, robot: ScriptRobot): MoveExecution[] {
  return programsOf(text, file, robot, (script, recorderOf, dof) =>
    executeEach(script, programOf(script), recorderOf, dof),
  );
}

function programsOf(
  text: string,
  file: string,
  robot: ScriptRobot,
  run: (script: Script, recorderOf: () => MoveRecorder, dof: number) => Execution[],
): MoveExecution[] {
  const problems = new Problems(file);
  const names = robot.model.variables.map(({ name }) => name);
  jointNamesOf(text, names, problems);
  let isSteps = false;
  const executions = executed(text, problems, true, (script) => {
    isSteps = hasSteps(script);
    return run(script, () => new MoveRecorder(isSteps, new ScriptArm(robot)), names.length);
  });
  problems.throwIfAny();
  const moving = executions!.filter(({ recorder }) => recorder.arm!.moves.length > 0);
  if (moving.length === 0 || (isSteps && moving.length < executions!.length))
    throw new InputError(`${file}: no move is executed`, 'Give at least one move.');
  return moving.map(({ recorder: { arm, calls, waits }, choices }) => ({
    program: {
      moves: arm!.moves,
      ...(waits.length > 0 && { waits }),
      ...(calls.length > 0 && { stepCalls: calls }),
    },
    choices,
  }));
}

const hasSteps = ({ definitions }: Script) => definitions.some(({ name }) => name === ON_STEP);

/** Parses a text and executes it by `run`; reports its problems. */
function executed<T>(text: string, problems: Problems, hasArm: boolean, run: (script: Script) => T): T | undefined {
  const report = ({ line, what, note }: ScriptProblem) => {
    problems.add(line, '', what, note);
    if (problems.isFull) problems.throwIfAny();
  };
  try {
    const script = parseScript(text, report);
    if (problems.isEmpty) checkNames(script, hasArm, report);
    checkThreads(script, report);
    return problems.isEmpty ? run(script) : undefined;
  } catch (problem) {
    if (!(problem instanceof ScriptProblem)) throw problem;
    report(problem);
    return undefined;
  }
}

/** Limit of the joint names that are read from a comment. */
const MAX_JOINTS = 100_000;

function jointNamesOf(text: string, joints: readonly string[], problems: Problems): readonly string[] {
  let jointNames: readonly string[] | undefined;
  for (const [, names] of text.matchAll(/^[ \t]*#[ \t]*joints:[ \t]*(.+)$/gm)) {
    const other = names.split(',', MAX_JOINTS).map((name) => name.trim());
    jointNames ??= other;
    if (other.join() === jointNames.join()) continue;
    problems.add(undefined, 'joints', 'two comments name different joints', 'Keep one of them.');
    break;
  }
  if (jointNames === undefined) return joints;
  if (isReordered(jointNames, joints))
    problems.add(
      undefined,
      'joints',
      `a comment names the joints in another order than the robot has: ${joints.join(', ')}`,
      'Controllers do not read comments: write the positions in the order of the robot.',
    );
  if (new Set(jointNames).size !== jointNames.length) problems.add(undefined, 'joints', 'a name is listed twice');
  return jointNames;
}

/** True if both lists have the same names, in different orders. */
const isReordered = (names: readonly string[], joints: readonly string[]) =>
  names.join() !== joints.join() && [...names].sort().join() === [...joints].sort().join();

/**
 * Returns the function that the controller executes: the only one of a text without other statements. Undefined if
 * there are statements outside of functions; these are then the program, as in a script node of a program tree.
 */
function programOf({ block, threads }: Script): Definition | undefined {
  if (threads.some(({ definition }) => definition.parent === undefined)) return undefined;
  const definitions = block.flatMap((statement) => (statement.kind === 'define' ? [statement.definition] : []));
  if (definitions.length < block.length || definitions.length === 0) return undefined;
  const [program, second] = definitions;
  if (second !== undefined)
    throw new ScriptProblem(
      second.line,
      `${program.name} and ${second.name}: which of them the controller executes is not known`,
      'Call one of them at the end, or define the others within it.',
    );
  if (program.parameters.length > 0)
    throw new ScriptProblem(program.line, `the program ${program.name} has parameters`, 'Call it with values.');
  return program;
}

function pointsOf(moves: readonly Move[]): TrajectoryPoint[] {
  if (!moves.every(({ name }) => name === 'servoj')) return moves.map(({ positions }) => ({ positions }));
  let time = 0;
  return moves.map(({ positions, t }, i) => {
    if (i > 0) time = wholeNanoseconds(time + t); // sums of decimals such as 0.002 accumulate no rounding errors
    return { time_from_start: time, positions };
  });
}

/**
 * Checks whether the points are a stream of set points that the control loop follows one by one: timed, with short
 * intervals, except where the arm rests.
 */
function areSetPoints(points: readonly TrajectoryPoint[]): boolean {
  return points.every(({ time_from_start: time, positions }, i) => {
    if (time === undefined || i === 0) return time !== undefined;
    const before = points[i - 1];
    const isShort = time - before.time_from_start! <= MAX_SET_POINT_INTERVAL + 1e-9;
    return isShort || positions.every((value, j) => value === before.positions[j]);
  });
}
