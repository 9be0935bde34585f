import type { RobotModel } from '../../core/kinematics/robotModel.ts';
import { linkNamed, tcpOf } from '../../core/kinematics/toolCenterPoint.ts';
import { create } from '../../core/math/transform.ts';
import type { CheckerName } from '../../core/narrowphase/index.ts';
import type { Scene } from '../../core/scene/scene.ts';
import { durationOf, inJointOrder, type Trajectory } from '../../core/trajectory/trajectory.ts';
import { InputError } from '../../errors.ts';
import { moveScript } from '../../formats/trajectories/urscript/moveScript.ts';
import { decimal } from '../../formats/trajectories/urscript/stepCalls.ts';
import { FLANGE, toolStatements } from '../../formats/trajectories/urscript/toolStatements.ts';
import { moveProgramOf } from '../checking/moves/readMoveProgram.ts';
import { movesOfPlan } from '../programs/moves/moveProgramOfPlan.ts';
import { frameAt } from '../programs/moves/stepVerdicts.ts';
import { movesReport } from './movesReport.ts';

/** A program of moves, proved as it is read, and its duration in seconds; or why it is not proved. */
export type ProvedMoveProgram = { readonly text: string; readonly duration: number } | { readonly reason: string };

/**
 * Writes a proved trajectory as a program of moves, reads it, and proves every motion that the manual allows for it.
 * Throws `InputError` for what programs of moves cannot express.
 */
export function provedMoveProgram(
  robot: RobotModel,
  scene: Scene,
  given: Trajectory,
  checker: CheckerName,
): ProvedMoveProgram {
  const names = robot.variables.map(({ name }) => name);
  const trajectory = inJointOrder(given, names);
  const { steps, duration } = movesOfPlan(robot, scene, trajectory);
  if (!steps.some((step) => 'moves' in step && step.moves.length > 0))
    throw new InputError('--moves: the program moves the arm nowhere', 'Leave --moves out.');
  const base = { link: linkNamed(robot, 'base'), T_link_frame: create() };
  const { payload, tcp } = scene;
  const isOfFlange = robot.links[tcpOf(robot, tcp).link].name === FLANGE;
  const loads =
    payload && isOfFlange ? [`set_payload(${decimal(payload.mass)}, [${payload.center.map(decimal).join(', ')}])`] : [];
  const text = moveScript(
    {
      comments: [
        `joints: ${names.join(', ')}`,
        'The arm must be at the start of the scene when this program begins.',
        `Duration: ${shown(duration)} if the controller follows a and v; ${shown(durationOf(trajectory)!)} as planned.`,
      ],
      statements: [...toolStatements({ robot, scene }), ...loads],
      T_world_base: frameAt(robot, base, new Float64Array(robot.dof)),
    },
    steps,
  );
  const file = `${scene.name}.script`;
  const program = moveProgramOf(text, file, robot, scene)!;
  const { report } = movesReport(robot, scene, program, { checker, place: file });
  return report.valid
    ? { text, duration }
    : { reason: `the program of moves is not proved: ${report.faults.join('; ')}` };
}

const shown = (seconds: number) => `${seconds.toFixed(2)} s`;
