import { linkPoses } from '../../../core/certificate/linkPoses.ts';
import type { RobotModel } from '../../../core/kinematics/robotModel.ts';
import { linkNamed, tcpOf } from '../../../core/kinematics/toolCenterPoint.ts';
import type { Configuration } from '../../../core/math/configuration.ts';
import { changedScene } from '../../../core/scene/changedScene.ts';
import type { MoveProgram } from '../../../core/scene/moves/moveProgram.ts';
import { hasMoving, isProgram } from '../../../core/scene/movingScene.ts';
import { changesScene, hasSegment, movesJoints, type Step, stepName } from '../../../core/scene/program.ts';
import { eventOf } from '../../../core/scene/programEvents.ts';
import type { Scene } from '../../../core/scene/scene.ts';
import { eventCalls, stepCall } from '../../../formats/trajectories/urscript/stepCalls.ts';

/** The scene between two events that change it, and the moves of a program in it. */
export interface StepWorld {
  readonly scene: Scene;
  /** The indices of the moves, in order. */
  readonly moves: readonly number[];
  /** State in which the arm rests in it, whether it moves or not; undefined: of a scene without steps. */
  readonly rest: Configuration | undefined;
}

/**
 * Returns the worlds of a program of moves as `verify` derives them from the scene, the calls of the program and its
 * states, or why its events are not those of the scene. The program may wait in each of them, also between two events.
 * @param states at the beginning of each move, and at the end of the last one
 */
export function stepWorlds(
  robot: RobotModel,
  first: Scene,
  { moves, stepCalls }: MoveProgram,
  states: readonly Configuration[],
): readonly StepWorld[] | string {
  if (hasMoving(first)) return 'something else moves in the scene';
  if (!isProgram(first))
    return stepCalls === undefined
      ? [{ scene: first, moves: moves.map((_, i) => i), rest: undefined }]
      : 'the program calls steps, but the scene has none';
  const { steps } = first;
  const mover = steps.find(movesJoints);
  if (mover !== undefined) return `${stepName(mover)} moves joints that are not planned`;
  const linkOfTcp = robot.links[tcpOf(robot, first.tcp).link].name;
  if (JSON.stringify(stepCalls ?? []) !== JSON.stringify(steps.flatMap((step) => callsOf(step, linkOfTcp))))
    return 'the calls of the program are not those of the steps and events of the scene';
  const worlds: { scene: Scene; moves: number[]; rest: Configuration }[] = [];
  let [scene, isNew, next] = [first, true, 0];
  const enter = () => {
    if (isNew) worlds.push({ scene, moves: [], rest: states[next] });
    isNew = false;
  };
  for (const step of steps) {
    if (hasSegment(step)) {
      enter();
      for (; moves[next]?.step === step.index; next++) worlds[worlds.length - 1].moves.push(next);
    } else if (changesScene(step)) {
      enter();
      const isPlaced = step.kind === 'attach' || step.kind === 'detach';
      if (isPlaced && next === 0 && first.start === undefined)
        return `${stepName(step)}: the state of the arm is not known, since the scene has no start`;
      const poses = linkPoses(robot, states[next]);
      scene = changedScene(scene, step, linkOfTcp, (link) => poses[linkNamed(robot, link)]);
      isNew = true;
    }
  }
  enter();
  return next < moves.length ? `line ${moves[next].line}: the move belongs to no step` : worlds;
}

/** Returns the calls by which a program states that a step begins, or its event. */
const callsOf = (step: Step, linkOfTcp: string): string[] =>
  hasSegment(step) ? [stepCall(step.index)] : eventCalls(eventOf(step, 0, linkOfTcp));
